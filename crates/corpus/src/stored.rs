use std::{io::Write, path::Path};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;

/// First line of a stored file; the payload follows the line end.
#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    version: u32,
    sha256: String,
}

/// Lower-case hexadecimal SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// Writes to a temporary file beside `path` and renames it, so that a reader sees the old file
/// or the new one. Folders are made as needed.
///
/// # Errors
/// [`Error::Io`] naming the path.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let dir = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let write = || {
        std::fs::create_dir_all(dir)?;
        let mut builder = tempfile::Builder::new();
        // A temporary file is for its owner alone; what is kept has the rights of any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(dir)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|e| Error::io(path, e))
}

/// Writes a payload behind a line that names its schema, version and checksum.
///
/// # Errors
/// [`Error::Io`] naming the path.
pub fn write_stored(path: &Path, schema: &str, version: u32, payload: &[u8]) -> Result<(), Error> {
    let header = Header {
        schema: schema.to_owned(),
        version,
        sha256: sha256_hex(payload),
    };
    let mut bytes = serde_json::to_vec(&header).map_err(|e| Error::io(path, e.into()))?;
    bytes.push(b'\n');
    bytes.extend_from_slice(payload);
    write_atomic(path, &bytes)
}

/// Reads a payload back; `None` when there is no such file.
///
/// # Errors
/// [`Error::Stored`] when the file is of another schema or version, cut short or altered.
pub fn read_stored(path: &Path, schema: &str, version: u32) -> Result<Option<Vec<u8>>, Error> {
    let mut bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Error::io(path, e)),
    };
    let bad = |problem: String| Error::Stored {
        path: path.to_owned(),
        problem,
    };
    let end = bytes
        .iter()
        .position(|&b| b == b'\n')
        .unwrap_or(bytes.len());
    let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|_| {
        bad(format!(
            "not a stored file: its first line is no header of {schema}"
        ))
    })?;
    if header.schema != schema || header.version != version {
        let Header {
            schema: found,
            version: v,
            ..
        } = header;
        return Err(bad(format!(
            "expected {schema} version {version}, found {found} version {v}"
        )));
    }
    bytes.drain(..(end + 1).min(bytes.len()));
    if sha256_hex(&bytes) != header.sha256 {
        return Err(bad("damaged: its checksum does not match".to_owned()));
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_file_comes_back_and_any_change_is_noticed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("sub/file.bin");
        assert_eq!(read_stored(&path, "t", 1).expect("absent"), None);
        write_stored(&path, "t", 1, b"payload\nwith lines").expect("written");
        assert_eq!(
            read_stored(&path, "t", 1).expect("read").as_deref(),
            Some(&b"payload\nwith lines"[..])
        );

        let whole = std::fs::read(&path).expect("bytes");
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("cut");
            assert!(
                matches!(read_stored(&path, "t", 1), Err(Error::Stored { .. })),
                "cut at {cut}"
            );
        }
        let mut altered = whole.clone();
        *altered.last_mut().expect("byte") ^= 1;
        std::fs::write(&path, &altered).expect("altered");
        assert!(
            read_stored(&path, "t", 1)
                .expect_err("altered")
                .to_string()
                .contains("checksum")
        );
        std::fs::write(&path, &whole).expect("restored");
        assert!(
            read_stored(&path, "t", 2)
                .expect_err("version")
                .to_string()
                .contains("version 2, found t version 1")
        );
        assert!(read_stored(&path, "u", 1).is_err());
    }
}
