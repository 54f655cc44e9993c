//! Stored files: a header line with schema, version and checksum, then the payload.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Error, file::read_optional, sha256_hex, write_atomic};

#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    version: u32,
    sha256: String,
}

/// Writes a payload below a header line with its schema, version and checksum.
///
/// # Errors
/// [`Error::Io`] if the file cannot be written.
pub fn write_stored(path: &Path, schema: &str, version: u32, payload: &[u8]) -> Result<(), Error> {
    let header = Header { schema: schema.to_owned(), version, sha256: sha256_hex(payload) };
    let mut bytes = serde_json::to_vec(&header).map_err(|e| Error::io(path, e.into()))?;
    bytes.push(b'\n');
    bytes.extend_from_slice(payload);
    write_atomic(path, &bytes)
}

/// The payload of a stored file, or `None` if the file does not exist.
///
/// # Errors
/// [`Error::Stored`] if the file has another schema or version, or is truncated or altered;
/// [`Error::Io`] if it cannot be read.
pub fn read_stored(path: &Path, schema: &str, version: u32) -> Result<Option<Vec<u8>>, Error> {
    let Some(mut bytes) = read_optional(path)? else {
        return Ok(None);
    };
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let end = end.unwrap_or(bytes.len());
    let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|_| {
        let problem = format!("not a stored file: the first line is not a header of {schema}");
        Error::stored(path, problem)
    })?;
    if header.schema != schema || header.version != version {
        let problem = format!(
            "expected {schema} version {version}, found {} version {}",
            header.schema, header.version
        );
        return Err(Error::stored(path, problem));
    }
    bytes.drain(..(end + 1).min(bytes.len()));
    if sha256_hex(&bytes) != header.sha256 {
        return Err(Error::stored(path, "damaged: the checksum does not match"));
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_file_comes_back_and_any_change_is_refused() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("sub/file.bin");
        assert_eq!(read_stored(&path, "t", 1).expect("absent"), None);
        write_stored(&path, "t", 1, b"payload\nwith lines").expect("written");
        assert_eq!(
            read_stored(&path, "t", 1).expect("read").as_deref(),
            Some(&b"payload\nwith lines"[..])
        );

        let whole = std::fs::read(&path).expect("bytes");
        let refused = |version: u32, schema: &str| -> String {
            let error = read_stored(&path, schema, version).expect_err("refused");
            assert!(matches!(error, Error::Stored { .. }), "{error}");
            error.to_string()
        };
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("cut");
            refused(1, "t");
        }
        let mut altered = whole.clone();
        *altered.last_mut().expect("byte") ^= 1;
        std::fs::write(&path, &altered).expect("altered");
        assert!(refused(1, "t").contains("checksum"));
        std::fs::write(&path, &whole).expect("restored");
        assert!(refused(2, "t").contains("version 2, found t version 1"));
        assert!(refused(1, "u").contains("expected u version 1"));
    }

    /// The bytes of the format: a change here makes every stored file unreadable.
    #[test]
    fn the_committed_fixture_is_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stored.txt");
        let payload = read_stored(&path, "fiel.example", 1).expect("read");
        assert_eq!(payload.as_deref(), Some(&b"first line\nsecond line\n"[..]));
        let dir = tempfile::tempdir().expect("temporary folder");
        let copy = dir.path().join("stored.txt");
        write_stored(&copy, "fiel.example", 1, b"first line\nsecond line\n").expect("written");
        assert_eq!(std::fs::read(copy).expect("copy"), std::fs::read(path).expect("fixture"));
    }
}
