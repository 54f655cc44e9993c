//! Ids of documents, chunks and questions.
//!
//! Each id is a string of its own type. It serializes as that string, compares by bytes and
//! dereferences to `str`. It is in Unicode NFC, so that composed and decomposed accents meet.

use std::{borrow::Borrow, fmt, ops::Deref};

use serde::{Deserialize, Serialize};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Defines an id: a string with a type.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $canonical:path) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id as a string slice.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self($canonical(id))
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self::from(id.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl PartialEq<String> for $name {
            fn eq(&self, other: &String) -> bool {
                self.0 == *other
            }
        }

        /// The schema of a string.
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                String::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        }
    };
}

id! {
    /// Id of a document: its path below the folder of the knowledge base, without the extension.
    /// The characters `#`, `[`, `]`, `,` and `;`, which have a meaning in citations, and control
    /// characters are replaced by `_`.
    ///
    /// ```
    /// use fiel_text::id::DocId;
    ///
    /// assert_eq!(DocId::from("minutes [draft]"), "minutes _draft_");
    /// assert_eq!(DocId::from("cancio\u{301}n"), "canción");
    /// ```
    DocId, doc_id
}

id! {
    /// Id of a chunk: `DOC#N`, with the id of its document and its ordinal in it, from 1.
    ///
    /// Other systems may name their chunks in another form. Such an id has neither
    /// [`ChunkId::doc`] nor [`ChunkId::ordinal`].
    ///
    /// ```
    /// use fiel_text::id::ChunkId;
    ///
    /// let chunk = ChunkId::new("verbs/eat", 3);
    /// assert_eq!(chunk, "verbs/eat#3");
    /// assert_eq!((chunk.doc(), chunk.ordinal()), (Some("verbs/eat"), Some(3)));
    /// ```
    ChunkId, chunk_id
}

id! {
    /// Id of a question of a gold set.
    QuestionId, nfc
}

fn nfc(id: String) -> String {
    if is_nfc(&id) { id } else { id.nfc().collect() }
}

fn doc_id(id: String) -> String {
    let is_reserved = |c: char| matches!(c, '#' | '[' | ']' | ',' | ';') || c.is_control();
    nfc(id).replace(is_reserved, "_")
}

fn chunk_id(id: String) -> String {
    match ChunkId::parse(&id) {
        Some((doc, ordinal)) => format!("{}#{ordinal}", doc_id(doc.to_owned())),
        None => nfc(id),
    }
}

impl ChunkId {
    /// The id of the chunk with this ordinal in a document.
    pub fn new(doc: &str, ordinal: usize) -> ChunkId {
        format!("{doc}#{ordinal}").into()
    }

    /// The document and the ordinal in an id of the form `DOC#N`. Returns `None` for any other
    /// form, such as an empty document or an ordinal with a sign.
    pub fn parse(id: &str) -> Option<(&str, usize)> {
        let (doc, ordinal) = id.rsplit_once('#')?;
        let is_number = !doc.is_empty() && ordinal.bytes().all(|b| b.is_ascii_digit());
        let ordinal = ordinal.parse().ok().filter(|_| is_number)?;
        Some((doc, ordinal))
    }

    /// The id of its document.
    pub fn doc(&self) -> Option<&str> {
        ChunkId::parse(self).map(|(doc, _)| doc)
    }

    /// Its ordinal in the document.
    pub fn ordinal(&self) -> Option<usize> {
        ChunkId::parse(self).map(|(_, ordinal)| ordinal)
    }
}

/// The document of an id of the form `DOC#N`, or the whole id where it has another form.
pub fn doc_of(id: &str) -> &str {
    ChunkId::parse(id).map_or(id, |(doc, _)| doc)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn chunk_ids_have_a_document_and_an_ordinal() {
        for (id, parsed) in [
            ("eat#1", Some(("eat", 1))),
            ("c#/sharp#12", Some(("c#/sharp", 12))),
            ("eat", None),
            ("#1", None),
            ("eat#", None),
            ("eat#+1", None),
            ("eat#one", None),
            ("eat#99999999999999999999", None),
        ] {
            assert_eq!(ChunkId::parse(id), parsed, "{id}");
            let chunk = ChunkId::from(id);
            assert_eq!(chunk.ordinal(), parsed.map(|(_, ordinal)| ordinal));
            assert_eq!(doc_of(id), parsed.map_or(id, |(doc, _)| doc));
        }
        assert_eq!(ChunkId::new("eat", 1), "eat#1");
    }

    #[test]
    fn every_spelling_of_an_id_is_one_id() {
        assert_eq!(DocId::from("C# primer, [2020]; v1\n"), "C_ primer_ _2020__ v1_");
        assert_eq!(ChunkId::from("C# primer#12"), ChunkId::new("C_ primer", 12));
        assert_eq!(ChunkId::from("another, system"), "another, system");
        assert_eq!(QuestionId::from("an\u{303}o"), "año");
        assert_eq!(serde_json::from_str::<DocId>("\"n\u{303}#\"").unwrap(), "ñ_");
    }

    #[test]
    fn ids_are_strings_in_every_respect_but_their_type() {
        let id = DocId::from("eat");
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"eat\"");
        assert_eq!(serde_json::from_str::<DocId>("\"eat\"").unwrap(), id);
        assert_eq!(format!("{id:>5}"), "  eat");
        assert_eq!((&*id, id.len()), ("eat", 3));
        assert!(id == *"eat" && id == "eat");
        let titles = BTreeMap::from([(id, "Eat")]);
        assert_eq!(titles.get("eat"), Some(&"Eat"));
        // By bytes: chunk 10 precedes chunk 2.
        assert!(ChunkId::new("eat", 10) < ChunkId::new("eat", 2));
        let (ascii, accented) = (QuestionId::from("q-2"), QuestionId::from("é"));
        assert!(ascii < accented);
    }
}
