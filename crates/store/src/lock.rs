//! Locks between processes.

use std::{
    fs::{self, File},
    path::Path,
};

use crate::Error;

/// A lock that one process at a time holds. It ends when the value is dropped.
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Waits for the lock of the file at `path`, which is created and stays empty.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be created or locked.
    pub fn acquire(path: &Path) -> Result<Self, Error> {
        let acquire = || {
            if let Some(dir) = path.parent() {
                fs::create_dir_all(dir)?;
            }
            let file = File::options().create(true).append(true).open(path)?;
            file.lock()?;
            Ok(Self { _file: file })
        };
        acquire().map_err(|e| Error::io(path, e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_holds_the_lock() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("a/b.lock");
        let lock = FileLock::acquire(&path).expect("acquired");
        let other = File::options().append(true).open(&path).expect("opened");
        assert!(other.try_lock().is_err());
        drop(lock);
        assert!(other.try_lock().is_ok());
    }
}
