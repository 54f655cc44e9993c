//! What is often found in the place of a model file.

use std::{fs::File, io::Read, path::Path};

use candle_core::quantized::gguf_file::Content;

/// Says what a file is if it is no model: empty, a Git LFS pointer, an HTML page. `None` for anything
/// else, and for a file that cannot be read.
pub(crate) fn not_a_model(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(512).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start).trim_start().to_lowercase();
    if start.is_empty() {
        Some("the file is empty; download it again".to_owned())
    } else if text.starts_with("version https://git-lfs") {
        Some(
            "this is a Git LFS pointer and not the file itself; get the file with `git lfs pull`"
                .to_owned(),
        )
    } else if text.starts_with("<!doctype")
        || text.starts_with("<html")
        || text.starts_with("<?xml")
    {
        let what = "this is a web page and not a model file, such as a sign-in page";
        Some(format!("{what}; download the file again"))
    } else {
        None
    }
}

/// Says that a GGUF file ends before its last tensor.
pub(crate) fn ends_early(content: &Content, found: u64) -> Option<String> {
    let end = content.tensor_infos.values().map(|tensor| {
        let blocks = tensor.shape.elem_count().div_ceil(tensor.ggml_dtype.block_size());
        tensor.offset + (blocks * tensor.ggml_dtype.type_size()) as u64
    });
    cut(content.tensor_data_offset + end.max()?, found)
}

/// Says that a safetensors file is shorter than its header says, or has no header.
pub(crate) fn is_cut_safetensors(bytes: &[u8]) -> Option<String> {
    let found = bytes.len() as u64;
    let length = bytes.get(..8).and_then(|start| start.try_into().ok()).map(u64::from_le_bytes);
    let Some(header_end) = length.and_then(|length| length.checked_add(8)) else {
        return Some("not a safetensors file".to_owned());
    };
    let Some(header) = usize::try_from(header_end).ok().and_then(|end| bytes.get(8..end)) else {
        return Some(format!("not a safetensors file, or it ends early: {found} bytes"));
    };
    let header: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(header).ok()?;
    let ends = header.values().filter_map(|tensor| tensor.get("data_offsets")?.get(1)?.as_u64());
    cut(header_end + ends.max()?, found)
}

fn cut(expected: u64, found: u64) -> Option<String> {
    (found < expected).then(|| {
        format!("the file ends early: {found} of at least {expected} bytes; download it again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_place_of_a_file_is_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("model");
        let named = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            not_a_model(&path).unwrap_or_default()
        };
        assert!(named(b"").contains("empty"));
        assert!(named(b"version https://git-lfs.github.com/spec/v1\noid").contains("git lfs pull"));
        assert!(named(b"\n<!DOCTYPE html><title>Sign in").contains("web page"));
        assert_eq!(named(b"GGUF\x03\0\0\0"), "");
    }

    #[test]
    fn a_cut_safetensors_file_has_its_sizes() {
        let header = br#"{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header);
        bytes.extend_from_slice(&[0; 16]);
        assert_eq!(is_cut_safetensors(&bytes), None);
        let message = is_cut_safetensors(&bytes[..bytes.len() - 4]).expect("cut");
        let expected = format!("{} of at least {} bytes", bytes.len() - 4, bytes.len());
        assert!(message.contains(&expected), "{message}");
        assert!(is_cut_safetensors(b"version https").expect("no header").contains("ends early"));
        assert!(is_cut_safetensors(b"").is_some());
    }
}
