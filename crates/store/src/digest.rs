//! SHA-256 as lower-case hexadecimal digits.

use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
};

use sha2::{Digest, Sha256};

/// SHA-256 of bytes in lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// SHA-256 of a file in lower-case hexadecimal digits. The file is read in blocks of 1 MiB.
///
/// # Errors
/// When the file cannot be read; the error does not name the file.
pub fn sha256_file(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut BufReader::with_capacity(1 << 20, File::open(path)?), &mut hasher)?;
    Ok(format!("{:x}", hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_files_have_the_published_digest() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), abc);
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        std::fs::write(file.path(), "abc").expect("written");
        assert_eq!(sha256_file(file.path()).expect("read"), abc);
        assert!(sha256_file(Path::new("no/such/file")).is_err());
    }
}
