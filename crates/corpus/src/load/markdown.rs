use crate::Document;

/// `.md`, `.markdown`: the file as it stands.
pub(super) fn document(id: &str, text: &str) -> Document {
    Document::markdown(id, text)
}

/// `.txt`: the file as it stands, without any structure but paragraphs.
pub(super) fn plain(id: &str, text: &str) -> Document {
    Document::plain(id, text)
}
