//! Reading and writing whole files.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use encoding_rs::{Encoding, UTF_8};

use crate::Error;

/// Writes to a temporary file in the same folder and renames it to `path`, so that a reader sees
/// either the old contents or the new. Creates missing folders. A symbolic link stays, and its target
/// is written; a pipe or a device is written to.
///
/// # Errors
/// [`Error::Io`] if the folder or the file cannot be written.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let write = || {
        if is_stream(path) {
            return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
        }
        let path = &link_target(path)?;
        let dir =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
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

/// Whether a path is a pipe, a device or an open file of the process, such as `/dev/stdout`.
fn is_stream(path: &Path) -> bool {
    let is_system = path.starts_with("/dev") || path.starts_with("/proc");
    fs::metadata(path).is_ok_and(|m| !m.is_dir() && (is_system || !m.is_file()))
}

/// The path that a symbolic link leads to, or the path itself if it is no link.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    /// More links than this lead in a circle.
    const LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The text of a file in UTF-8, or in UTF-16 with a byte order mark.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read, [`Error::NotUtf8`] with the first invalid byte,
/// [`Error::Encoding`] for invalid UTF-16.
pub fn read_text(path: &Path) -> Result<String, Error> {
    decode(path, fs::read(path).map_err(|e| Error::io(path, e))?, None)
}

/// The text of a UTF-8 file, or `None` if the file does not exist.
///
/// # Errors
/// As [`read_text`].
pub fn read_optional_text(path: &Path) -> Result<Option<String>, Error> {
    read_optional(path)?.map(|bytes| decode(path, bytes, None)).transpose()
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

/// The text in the bytes of the file at `path`: in the encoding of a byte order mark, which is left
/// out, else in the one that the file declares by a label such as `windows-1252`, else in UTF-8.
///
/// # Errors
/// [`Error::NotUtf8`] or [`Error::Encoding`] if the bytes are not valid in that encoding, or its label
/// is unknown.
pub fn decode(path: &Path, bytes: Vec<u8>, declared: Option<&str>) -> Result<String, Error> {
    let invalid = |problem: String| Error::Encoding { path: path.to_owned(), problem };
    let encoding = match (Encoding::for_bom(&bytes), declared) {
        (Some((encoding, _)), _) => encoding,
        (None, Some(label)) => Encoding::for_label(label.as_bytes())
            .ok_or_else(|| invalid(format!("the declared encoding `{label}` is unknown")))?,
        (None, None) => UTF_8,
    };
    if encoding != UTF_8 {
        let (text, _, is_lossy) = encoding.decode(&bytes);
        if is_lossy {
            return Err(invalid(format!("not valid {}", encoding.name())));
        }
        return Ok(text.into_owned());
    }
    let bytes = match bytes.strip_prefix("\u{feff}".as_bytes()) {
        Some(rest) => rest.to_owned(),
        None => bytes,
    };
    String::from_utf8(bytes).map_err(|e| {
        let (bytes, byte) = (e.as_bytes(), e.utf8_error().valid_up_to());
        if bytes.contains(&0) {
            return invalid("neither UTF-8 nor UTF-16 with a byte order mark".to_owned());
        }
        let line = 1 + bytes[..byte].iter().filter(|&&byte| byte == b'\n').count();
        Error::NotUtf8 { path: path.to_owned(), line, byte, value: bytes[byte] }
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
    fn a_byte_order_mark_and_a_declared_encoding_decide() {
        let decoded = |bytes: &[u8], declared| {
            decode(Path::new("f"), bytes.to_vec(), declared).map_err(|e| e.to_string())
        };
        assert_eq!(decoded(b"\xff\xfea\0\xf1\0", None).as_deref(), Ok("añ"));
        assert_eq!(decoded(b"\xfe\xff\0a\0\xf1", Some("utf-8")).as_deref(), Ok("añ"));
        assert_eq!(decoded(b"3 \x80", Some("windows-1252")).as_deref(), Ok("3 €"));
        assert_eq!(decoded("\u{feff}ñ".as_bytes(), None).as_deref(), Ok("ñ"));
        for (bytes, declared, problem) in [
            (&b"a\ncaf\xe9"[..], None, "f:2: not valid UTF-8 (byte 5 of the file is 0xE9)"),
            (b"a\0\xf1\0", None, "neither UTF-8 nor UTF-16 with a byte order mark"),
            (b"\xff\xfea\0\0\xd8", None, "not valid UTF-16LE"),
            (b"a", Some("klingon"), "the declared encoding `klingon` is unknown"),
        ] {
            let error = decoded(bytes, declared).expect_err("refused");
            assert!(error.contains(problem), "{error}");
        }
    }

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

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let dir = tempfile::tempdir().expect("temporary folder");
        let (target, link) = (dir.path().join("sub/target"), dir.path().join("link"));
        symlink("sub/target", &link).expect("link");
        for content in ["one", "two"] {
            write_atomic(&link, content.as_bytes()).expect("written");
            assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
            assert_eq!(fs::read_to_string(&target).expect("target"), content);
        }
        symlink("circle", dir.path().join("circle")).expect("link");
        assert!(write_atomic(&dir.path().join("circle"), b"x").is_err());
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).expect("read")
        });
        write_atomic(&pipe, b"through").expect("written");
        assert_eq!(reader.join().expect("joined"), "through");
        assert!(fs::symlink_metadata(&pipe).expect("pipe").file_type().is_fifo());
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
