//! Tables of questions with ids of relevant chunks or documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
};

use fiel_corpus::{Chunk, Document, KnowledgeBase};
use fiel_text::{
    Lang,
    id::{ChunkId, DocId},
    locate_quote, quote_for, word_matches,
};
use serde_json::Value;

use super::{
    imported::{Imported, judged, question},
    names::safe,
    table::{ReadRow, Row, table},
};
use crate::{Error, Evidence, Question, ids::unique};

// Names of columns in the form of `Row::columns`, separated by blanks.
const ID: &str = "id qid queryid questionid";
const QUESTION: &str = "question query input userinput prompt q";
const ANSWERS: &str = "answers answer references reference groundtruths groundtruth \
    expectedanswer expectedoutput goldanswer a";
const CONTAINS: &str = "answercontains mustcontain expectedsubstrings";
const RELEVANT: &str = "relevantids relevantdocs relevantdocids relevantdocuments relevantchunks \
    relevantchunkids chunkids chunkid chunk docids docid doc documentid passageids passageid \
    contextids contextid sourceid source sources expectedchunkids expectedchunkid expectedchunks \
    expectedchunk expecteddocids expecteddocid expecteddocs expecteddoc expecteddocuments \
    expecteddocument expectedsources expectedsource expectedids goldchunkids goldchunkid golddocids \
    golddocid goldids relevantid";
const TAGS: &str = "tags tag category";
const LANG: &str = "lang language";
const UNANSWERABLE: &str = "unanswerable isimpossible";

/// Places of chunks by id: the document and the byte range in it.
#[derive(Clone, Debug, Default)]
pub struct ChunkPlaces {
    /// The place, or why there is none.
    places: BTreeMap<ChunkId, Result<(DocId, Range<usize>), String>>,
}

impl ChunkPlaces {
    /// The places of chunks of Fiel, whose ids are `document#number`.
    pub fn of(chunks: &[Chunk]) -> Self {
        let place = |c: &Chunk| (c.id.clone(), Ok((c.doc.clone(), c.span.clone())));
        Self { places: chunks.iter().map(place).collect() }
    }

    /// The places of chunks of another system, from a table of ids and texts. Each text must occur
    /// in one document only, once.
    ///
    /// # Errors
    /// [`Error::Format`] or [`Error::Store`] if the file is not a table or cannot be read.
    pub fn read(path: &Path, kb: &KnowledgeBase) -> Result<Self, Error> {
        let mut out = Self::default();
        for row in table(path)?.into_iter().flatten() {
            let ids = texts(&row, "id chunkid docid");
            let text = texts(&row, "text content pagecontent chunk body");
            let ([id, ..], [text, ..]) = (&ids[..], &text[..]) else {
                continue;
            };
            let place =
                |doc: &Document| Some((doc.id.clone(), locate_quote(&doc.text, text).ok()?));
            let mut found: Vec<_> = kb.documents.iter().filter_map(place).collect();
            let place = match found.len() {
                0 => Err("its text occurs in no document, or twice in one".to_owned()),
                1 => Ok(found.remove(0)),
                n => Err(format!("its text occurs in {n} documents")),
            };
            // A place found for an earlier chunk of the same id stays.
            if place.is_ok() || !matches!(out.places.get(id.as_str()), Some(Ok(_))) {
                out.places.insert(id.as_str().into(), place);
            }
        }
        Ok(out)
    }
}

/// A table with a question per row: its text, ids of relevant chunks or documents, and answers.
/// Columns may have any of several usual names.
#[derive(Clone, Debug)]
pub struct Rows {
    path: PathBuf,
    rows: Vec<ReadRow>,
}

impl Rows {
    /// Reads JSON, JSON Lines, CSV or TSV.
    ///
    /// # Errors
    /// [`Error::Format`] or [`Error::Store`] if the file is not a table or cannot be read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.to_owned(), rows: table(path)? })
    }

    /// Whether an id is of a chunk of Fiel: `document#number`.
    pub fn name_chunks(&self, kb: &KnowledgeBase) -> bool {
        let is_known = |id: &str| is_known(id, kb, &ChunkPlaces::default());
        let ids = self.rows.iter().flatten().flat_map(|row| relevant(row, &is_known));
        ids.into_iter()
            .any(|(id, _)| ChunkId::parse(&id).is_some_and(|(doc, _)| kb.document(doc).is_some()))
    }

    /// Makes a question of each row, and of rows with the same id or text.
    ///
    /// The evidence of a chunk id is the sentence of the chunk that contains an answer exactly once,
    /// or the chunk; that of a document id is such a sentence, or the document as a whole. Refuses a
    /// row with an unknown id.
    pub fn import(self, kb: &KnowledgeBase, chunks: &ChunkPlaces, lang: Lang) -> Imported {
        let mut out = Imported::new(&["questions"]);
        let path = self.path;
        let mut pending: Vec<PendingQuestion> = Vec::new();
        let mut by_text: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let is_known = |id: &str| is_known(id, kb, chunks);
        let mut unread: BTreeSet<String> = BTreeSet::new();
        for row in self.rows {
            out.count("questions").read += 1;
            let parsed = row.and_then(|row| {
                unread.extend(row.columns.keys().filter(|name| !is_read(name)).cloned());
                PendingQuestion::new(&row, lang, &is_known).map_err(|reason| (row.line, reason))
            });
            match parsed {
                Err((line, reason)) => out.refuse("questions", (&path, line), "", reason),
                Ok(parsed) => {
                    let places = by_text.entry(parsed.text.clone()).or_default();
                    match places.iter().find(|at| pending[**at].is_same(&parsed)) {
                        Some(&earlier) => {
                            pending[earlier].merge(parsed);
                            out.count("questions").merged += 1;
                        }
                        None => {
                            places.push(pending.len());
                            pending.push(parsed);
                        }
                    }
                }
            }
        }
        let mut ids: BTreeSet<String> = BTreeSet::new();
        for pending in pending {
            let (line, rows) = (pending.line, pending.rows);
            // A line may have several questions.
            let row_id = || unique(&format!("row-{line}"), |id| ids.contains(id));
            let id = pending.id.clone().unwrap_or_else(row_id);
            let question = if ids.insert(id.clone()) {
                pending.question(&id, kb, chunks)
            } else {
                Err("the id occurs twice, with another question".to_owned())
            };
            match question {
                Ok(question) => out.add_question(question),
                Err(reason) => {
                    // The rows that were merged into it are left out, too.
                    out.count("questions").merged -= rows - 1;
                    out.count("questions").refused += rows - 1;
                    out.refuse("questions", (&path, line), &id, reason);
                }
            }
        }
        if !unread.is_empty() {
            let names: Vec<String> = unread.into_iter().collect();
            out.result.notes.push(format!("ignored columns: {}", names.join(", ")));
        }
        out
    }
}

/// A question whose evidence is not located yet.
struct PendingQuestion {
    line: usize,
    /// Number of rows that were merged.
    rows: usize,
    id: Option<String>,
    text: String,
    lang: Lang,
    /// Ids of chunks or documents, with grades.
    relevant: Vec<(String, i32)>,
    answers: Vec<String>,
    contains: Vec<String>,
    tags: Vec<String>,
    unanswerable: bool,
}

impl PendingQuestion {
    fn new(row: &Row, lang: Lang, is_known: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let first = |names: &str| texts(row, names).into_iter().next();
        let text = first(QUESTION).ok_or_else(|| {
            format!("no question; expected a column {}", QUESTION.replace(' ', ", "))
        })?;
        let lang = match first(LANG) {
            Some(code) => code.parse().map_err(|e| format!("{e}"))?,
            None => lang,
        };
        let unanswerable = UNANSWERABLE.split(' ').any(|name| match row.columns.get(name) {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => is_yes(text),
            Some(Value::Number(number)) => number.as_i64() == Some(1),
            _ => false,
        });
        Ok(Self {
            line: row.line,
            rows: 1,
            id: first(ID),
            text,
            lang,
            relevant: relevant(row, is_known),
            answers: texts(row, ANSWERS),
            contains: texts(row, CONTAINS),
            tags: texts(row, TAGS),
            unanswerable,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        // Two ids are two questions, even with the same text; the linter reports them.
        self.text == other.text && (self.id.is_none() || self.id == other.id)
    }

    fn merge(&mut self, other: Self) {
        fn add<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
            for item in from {
                if !to.contains(&item) {
                    to.push(item);
                }
            }
        }
        self.rows += 1;
        add(&mut self.relevant, other.relevant);
        add(&mut self.answers, other.answers);
        add(&mut self.contains, other.contains);
        add(&mut self.tags, other.tags);
        self.unanswerable |= other.unanswerable;
    }

    fn question(
        self,
        id: &str,
        kb: &KnowledgeBase,
        chunks: &ChunkPlaces,
    ) -> Result<Question, String> {
        let mut out = question(id, &self.text, self.lang);
        out.tags = self.tags;
        out.unanswerable = self.unanswerable;
        if !self.unanswerable {
            // Without references, the required strings are the answers.
            out.answers =
                if self.answers.is_empty() { self.contains.clone() } else { self.answers };
            out.answer_contains = self.contains;
            let located = self.relevant.iter();
            let mut evidence = located
                .map(|(id, grade)| evidence(id, *grade, &out.answers, kb, chunks))
                .collect::<Result<Vec<_>, _>>()?;
            // Evidence is all of one kind: a whole document makes all of it whole documents.
            if evidence.iter().any(|e| e.quote.is_none()) {
                let mut seen = BTreeSet::new();
                let whole = |(e, (_, grade)): (&Evidence, &(String, i32))| judged(&e.doc, *grade);
                evidence = evidence.iter().zip(&self.relevant).map(whole).collect();
                evidence.retain(|e| seen.insert(e.doc.clone()));
                // Each relevant document answers the question by itself.
                if evidence.iter().filter(|e| e.is_relevant()).count() > 1 {
                    let relevant = evidence.iter_mut().filter(|e| e.is_relevant());
                    relevant.for_each(|e| e.group = Some("a".to_owned()));
                }
            } else {
                evidence.dedup();
            }
            out.evidence = evidence;
        }
        let faults = out.faults();
        if faults.is_empty() { Ok(out) } else { Err(faults.join("; ")) }
    }
}

/// The evidence that the id of a chunk or a document stands for; see [`Rows::import`].
fn evidence(
    id: &str,
    grade: i32,
    answers: &[String],
    kb: &KnowledgeBase,
    chunks: &ChunkPlaces,
) -> Result<Evidence, String> {
    let (doc, chunk) = match chunks.places.get(&ChunkId::from(id)) {
        Some(Ok((doc, range))) => {
            let doc = kb.document(doc).ok_or_else(|| format!("there is no document `{doc}`"))?;
            (doc, Some(range.clone()))
        }
        Some(Err(reason)) => return Err(format!("the chunk `{id}`: {reason}")),
        None => {
            let stem = Path::new(id).with_extension("");
            let names = [id.to_owned(), safe(id), stem.to_string_lossy().into_owned()];
            let doc = names.iter().find_map(|name| kb.document(name)).ok_or_else(|| {
                format!("`{id}` is not a document of {} and not a known chunk", kb.name)
            })?;
            (doc, None)
        }
    };
    let body = chunk.clone().unwrap_or_else(|| doc.body.clone());
    let only_place = |answer: &String| {
        let mut places = word_matches(&doc.text[body.clone()], answer);
        let place = places.next()?;
        places.next().is_none().then_some(body.start + place.start..body.start + place.end)
    };
    let span = answers.iter().find_map(only_place).or(chunk);
    let Some(span) = span.filter(|_| grade > 0) else {
        return Ok(judged(&doc.id, grade));
    };
    let quote = quote_for(&doc.text, body, span)
        .or_else(|| quote_for(&doc.text, doc.body.clone(), doc.body.clone()))
        .ok_or_else(|| format!("no quote of `{}` is unique in it", doc.id))?;
    Ok(Evidence { doc: doc.id.clone(), quote: Some(quote), ..Evidence::default() })
}

fn is_read(name: &str) -> bool {
    [ID, QUESTION, ANSWERS, CONTAINS, RELEVANT, TAGS, LANG, UNANSWERABLE]
        .iter()
        .any(|names| names.split(' ').any(|known| known == name))
}

/// `true`, `Yes`, `1`, `sí`, as people and spreadsheets write it.
fn is_yes(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    matches!(text.as_str(), "true" | "yes" | "y" | "1" | "1.0" | "t" | "sí" | "si" | "verdadero")
}

/// Whether an id is that of a chunk or a document.
fn is_known(id: &str, kb: &KnowledgeBase, chunks: &ChunkPlaces) -> bool {
    chunks.places.contains_key(&ChunkId::from(id))
        || kb.document(id).is_some()
        || kb.document(&safe(id)).is_some()
}

/// Ids of what is relevant, with their grades. A text that `is_known` as a whole is one id, and not a
/// list.
fn relevant(row: &Row, is_known: &dyn Fn(&str) -> bool) -> Vec<(String, i32)> {
    let grade = |value: &Value| value.as_i64().map_or(1, |grade| grade as i32);
    let mut ids = Vec::new();
    for name in RELEVANT.split(' ') {
        match row.columns.get(name) {
            Some(Value::Array(items)) => ids.extend(items.iter().filter_map(graded)),
            // `{"doc": grade}`
            Some(Value::Object(grades)) => {
                ids.extend(grades.iter().map(|(id, value)| (id.clone(), grade(value))));
            }
            Some(Value::String(text)) if is_known(text.trim()) => {
                ids.push((text.trim().to_owned(), 1));
            }
            Some(Value::String(text)) => {
                ids.extend(list(text, is_known).into_iter().map(|id| (id, 1)));
            }
            Some(other) => ids.extend(graded(other)),
            None => {}
        }
    }
    ids
}

/// An id, or an object with an id and an optional grade.
fn graded(item: &Value) -> Option<(String, i32)> {
    let Value::Object(object) = item else {
        return scalar(item).map(|id| (id, 1));
    };
    let field = |names: &str| names.split(' ').find_map(|name| object.get(name));
    let id = field("id _id chunk_id doc_id doc source").and_then(scalar)?;
    let grade = field("grade score relevance").and_then(Value::as_i64);
    Some((id, grade.map_or(1, |grade| grade as i32)))
}

/// The texts of the first of these columns that is not empty.
fn texts(row: &Row, names: &str) -> Vec<String> {
    let mut texts = names.split(' ').map(|name| match row.columns.get(name) {
        Some(Value::Array(items)) => items.iter().filter_map(scalar).collect(),
        Some(Value::String(text)) if text.trim_start().starts_with('[') => {
            written_list(text).unwrap_or_else(|| vec![text.trim().to_owned()])
        }
        Some(value) => scalar(value).into_iter().collect(),
        None => Vec::new(),
    });
    texts.find(|texts| !texts.is_empty()).unwrap_or_default()
}

fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// A JSON or Python list, or a list separated by `;`, `|`, tabs or line ends, or by `,` unless the
/// parts between the other separators are known ids with commas.
fn list(text: &str, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let parts = |separators: &[char]| -> Vec<String> {
        let parts = text.split(separators).map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    written_list(text).unwrap_or_else(|| {
        let with_commas = parts(&[';', '|', '\t', '\n']);
        if with_commas.iter().all(|id| is_known(id)) {
            with_commas
        } else {
            parts(&[';', '|', '\t', '\n', ','])
        }
    })
}

/// A list in JSON, or in Python as pandas writes it: `['one', "it's"]`.
fn written_list(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    if let Ok(values) = serde_json::from_str::<Vec<Value>>(text.trim()) {
        return Some(values.iter().filter_map(scalar).collect());
    }
    let mut items = Vec::new();
    let mut chars = inner.trim().chars().peekable();
    while let Some(first) = chars.next() {
        let mut item = String::new();
        if matches!(first, '\'' | '"') {
            loop {
                match chars.next()? {
                    c if c == first => break,
                    '\\' => item.push(match chars.next()? {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    }),
                    c => item.push(c),
                }
            }
        } else {
            item.push(first);
            while let Some(c) = chars.next_if(|c| *c != ',') {
                item.push(c);
            }
            item.truncate(item.trim_end().len());
        }
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        // Anything but a comma after an item is no list.
        match chars.next() {
            None | Some(',') => {}
            Some(_) => return None,
        }
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if item != "None" && !item.trim().is_empty() {
            items.push(item.trim().to_owned());
        }
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_as_people_and_programs_write_them() {
        let none = |_: &str| false;
        for (text, expected) in [
            (r#"["a", 1]"#, &["a", "1"][..]),
            ("['one', \"it's\", 'a \\'b\\'']", &["one", "it's", "a 'b'"]),
            ("[1, 2.5, None]", &["1", "2.5"]),
            ("a; b|c,d", &["a", "b", "c", "d"]),
            ("a\tb\nc", &["a", "b", "c"]),
            ("[]", &[]),
        ] {
            assert_eq!(list(text, &none), expected, "{text}");
        }
        let known = |id: &str| ["a, 1", "b"].contains(&id);
        assert_eq!(list("a, 1; b", &known), ["a, 1", "b"]);
        assert_eq!(written_list("[see below"), None);
        assert_eq!(written_list("['a' b]"), None);
    }

    #[test]
    fn yes_in_every_spelling() {
        assert!(["TRUE", "Yes", " 1 ", "sí"].iter().all(|text| is_yes(text)));
        assert!(!["no", "FALSE", "", "0"].iter().any(|text| is_yes(text)));
    }
}
