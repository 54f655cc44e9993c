//! Reading and writing whole files.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use crate::Error;

/// Writes to a temporary file in the same folder and renames it to `path`, so that a reader sees
/// either the old contents or the new. Creates missing folders.
///
/// # Errors
/// [`Error::Io`] if the folder or the file cannot be written.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let dir =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        fs::create_dir_all(dir)?;
        let mut builder = tempfile::Builder::new();
        // By default only the owner can read a temporary file; give it the rights of a new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(dir)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|e| Error::io(path, e))
}

/// The text of a UTF-8 file.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read, [`Error::NotUtf8`] with the line of the first invalid
/// byte.
pub fn read_text(path: &Path) -> Result<String, Error> {
    text(path, fs::read(path).map_err(|e| Error::io(path, e))?)
}

/// The text of a UTF-8 file, or `None` if the file does not exist.
///
/// # Errors
/// As [`read_text`].
pub fn read_optional_text(path: &Path) -> Result<Option<String>, Error> {
    read_optional(path)?.map(|bytes| text(path, bytes)).transpose()
}

/// The bytes of a file, or `None` if the file does not exist.
pub(crate) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if [NotFound, NotADirectory].contains(&e.kind()) => Ok(None),
        Err(e) => Err(Error::io(path, e)),
    }
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        Error::NotUtf8 {
            path: path.to_owned(),
            line: 1 + valid.iter().filter(|&&byte| byte == b'\n').count(),
        }
    })
}

/// Sizes of the files below a folder, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderSize {
    /// Of all files together.
    pub total: u64,
    /// Of the largest file.
    pub largest: u64,
}

/// The size of a folder with everything below it. A missing folder, and a file that vanishes
/// while the folder is read, count as 0.
pub fn folder_size(folder: &Path) -> FolderSize {
    let mut size = FolderSize::default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let inner = match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
            Ok(metadata) => FolderSize { total: metadata.len(), largest: metadata.len() },
            Err(_) => FolderSize::default(),
        };
        size.total += inner.total;
        size.largest = size.largest.max(inner.largest);
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_none_and_invalid_utf8_names_its_line() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("a/b.txt");
        assert_eq!(read_optional_text(&path).expect("missing"), None);
        assert!(matches!(read_text(&path), Err(Error::Io { .. })));
        write_atomic(&path, b"one\ntwo \xff\n").expect("written");
        let message = read_text(&path).expect_err("not UTF-8").to_string();
        assert!(message.contains("b.txt:2: not valid UTF-8"), "{message}");
        assert_eq!(read_optional_text(&path.join("c")).expect("below a file"), None);
        write_atomic(&path, "é".as_bytes()).expect("written");
        assert_eq!(read_optional_text(&path).expect("read").as_deref(), Some("é"));
    }

    #[test]
    fn a_folder_has_the_size_of_its_files() {
        let dir = tempfile::tempdir().expect("temporary folder");
        write_atomic(&dir.path().join("a"), b"123").expect("written");
        write_atomic(&dir.path().join("b/c/d"), b"12345").expect("written");
        let expected = FolderSize { total: 8, largest: 5 };
        assert_eq!(folder_size(dir.path()), expected);
        assert_eq!(folder_size(&dir.path().join("x")), FolderSize::default());
    }
}
