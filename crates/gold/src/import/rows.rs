use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_text::Lang;
use fiel_text::locate_quote;
use fiel_text::{
    id::{ChunkId, DocId},
    quote_for, word_matches,
};
use serde_json::Value;

use super::{
    names::safe,
    report::{Imported, judged, question},
    table::{ReadRow, Row, table},
};
use crate::{Error, Evidence, Question};

// Names of columns as `table` makes them plain.
const ID: &[&str] = &["id", "qid", "queryid", "questionid"];
const QUESTION: &[&str] = &["question", "query", "input", "userinput", "prompt", "q"];
const ANSWERS: &[&str] = &[
    "answers",
    "answer",
    "references",
    "reference",
    "groundtruths",
    "groundtruth",
    "expectedanswer",
    "expectedoutput",
    "goldanswer",
    "a",
];
const CONTAINS: &[&str] = &["answercontains", "mustcontain", "expectedsubstrings"];
const RELEVANT: &[&str] = &[
    "relevantids",
    "relevantdocs",
    "relevantdocids",
    "relevantdocuments",
    "relevantchunks",
    "relevantchunkids",
    "chunkids",
    "chunkid",
    "chunk",
    "docids",
    "docid",
    "doc",
    "documentid",
    "passageids",
    "passageid",
    "contextids",
    "contextid",
    "sourceid",
    "source",
    "sources",
];
const TAGS: &[&str] = &["tags", "tag", "category"];
const LANG: &[&str] = &["lang", "language"];
const UNANSWERABLE: &[&str] = &["unanswerable", "isimpossible"];

/// Where chunks stand, by id: the document and the bytes of it.
#[derive(Clone, Debug, Default)]
pub struct ChunkPlaces {
    places: BTreeMap<ChunkId, (DocId, Range<usize>)>,
    /// Chunks of a file that have no place, and why.
    lost: BTreeMap<String, String>,
}

impl ChunkPlaces {
    /// Of our own chunks, whose ids are `document#number`.
    pub fn of(chunks: &[Chunk]) -> Self {
        let place = |c: &Chunk| (c.id.clone(), (c.doc.clone(), c.span.clone()));
        Self { places: chunks.iter().map(place).collect(), lost: BTreeMap::new() }
    }

    /// Of the chunks of another system: a file of ids and texts, each of which must stand in one
    /// document only, once.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(path: &Path, kb: &KnowledgeBase) -> Result<Self, Error> {
        let mut out = Self::default();
        for row in table(path)?.into_iter().flatten() {
            let ids = texts(&row, &["id", "chunkid", "docid"]);
            let text = texts(&row, &["text", "content", "pagecontent", "chunk", "body"]);
            let ([id, ..], [text, ..]) = (&ids[..], &text[..]) else {
                continue;
            };
            let place = |doc: &fiel_corpus::Document| {
                let range = locate_quote(&doc.text, text).ok()?;
                Some((doc.id.clone(), range))
            };
            let found: Vec<_> = kb.documents.iter().filter_map(place).collect();
            match <[_; 1]>::try_from(found) {
                Ok([place]) => {
                    out.places.insert(id.as_str().into(), place);
                }
                Err(found) => {
                    let reason = match found.len() {
                        0 => "its text stands in no document, or twice in one".to_owned(),
                        n => format!("its text stands in {n} documents"),
                    };
                    out.lost.insert(id.clone(), reason);
                }
            }
        }
        Ok(out)
    }
}

/// Questions of a table: one object a row, with the question, ids of what is relevant to it
/// (chunks or documents), and answers. The names of the columns are taken liberally.
#[derive(Clone, Debug)]
pub struct Rows {
    path: PathBuf,
    rows: Vec<ReadRow>,
}

impl Rows {
    /// Reads JSON, JSON lines, CSV or TSV.
    ///
    /// # Errors
    /// When the file cannot be read or is none of these.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.to_owned(), rows: table(path)? })
    }

    /// Whether an id is of one of our own chunks: `document#number`.
    pub fn name_chunks(&self, kb: &KnowledgeBase) -> bool {
        let rows = self.rows.iter().flatten();
        rows.flat_map(relevant)
            .any(|(id, _)| ChunkId::parse(&id).is_some_and(|(doc, _)| kb.document(doc).is_some()))
    }

    /// Makes questions of the rows; rows of one question, by id or by words, become one.
    ///
    /// An id of a chunk gives its text as evidence, narrowed to the sentence that holds an answer
    /// where one does exactly once; an id of a document gives such a sentence, or else the
    /// document as a whole. A row with an id that is neither is refused.
    pub fn import(self, kb: &KnowledgeBase, chunks: &ChunkPlaces, lang: Lang) -> Imported {
        let mut out = Imported::new(&["questions"]);
        let path = self.path;
        let mut drafts: Vec<PendingQuestion> = Vec::new();
        let mut unread: BTreeSet<String> = BTreeSet::new();
        for row in self.rows {
            out.count("questions").read += 1;
            let row = match row {
                Ok(row) => row,
                Err((line, reason)) => {
                    out.refuse("questions", (&path, line), "", reason);
                    continue;
                }
            };
            unread.extend(row.columns.keys().filter(|name| !is_read(name)).cloned());
            let draft = match PendingQuestion::new(&row, lang) {
                Ok(draft) => draft,
                Err(reason) => {
                    out.refuse("questions", (&path, row.line), "", reason);
                    continue;
                }
            };
            match drafts.iter_mut().find(|d| d.is_same(&draft)) {
                Some(earlier) => {
                    earlier.merge(draft);
                    out.count("questions").merged += 1;
                }
                None => drafts.push(draft),
            }
        }
        let mut ids: BTreeSet<String> = BTreeSet::new();
        for draft in drafts {
            let (line, rows) = (draft.line, draft.rows);
            let id = match draft.id.clone() {
                Some(id) => id,
                // Several questions may stand on one line.
                None => (1..)
                    .map(|n| match n {
                        1 => format!("row-{line}"),
                        n => format!("row-{line}-{n}"),
                    })
                    .find(|id| !ids.contains(id))
                    .unwrap_or_default(),
            };
            let made = match ids.insert(id.clone()) {
                true => draft.question(&id, kb, chunks),
                false => Err("the id occurs twice, with another question".to_owned()),
            };
            match made {
                Ok(question) => out.write(question),
                Err(reason) => {
                    // The rows that were merged into it go with it.
                    out.count("questions").merged -= rows - 1;
                    out.count("questions").refused += rows - 1;
                    out.refuse("questions", (&path, line), &id, reason);
                }
            }
        }
        if !unread.is_empty() {
            let names: Vec<String> = unread.into_iter().collect();
            let note = format!("columns that were not taken over: {}", names.join(", "));
            out.report.notes.push(note);
        }
        out
    }
}

/// A question on its way.
struct PendingQuestion {
    line: usize,
    rows: usize,
    id: Option<String>,
    text: String,
    lang: Lang,
    relevant: Vec<(String, i32)>,
    answers: Vec<String>,
    contains: Vec<String>,
    tags: Vec<String>,
    unanswerable: bool,
}

impl PendingQuestion {
    fn new(row: &Row, lang: Lang) -> Result<Self, String> {
        let one = |names: &[&str]| texts(row, names).into_iter().next();
        let text = one(QUESTION).ok_or_else(|| format!("no question: {}", QUESTION.join(", ")))?;
        let lang = match one(LANG) {
            Some(code) => code.parse().map_err(|e| format!("{e}"))?,
            None => lang,
        };
        let unanswerable = UNANSWERABLE.iter().any(|name| match row.columns.get(*name) {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => matches!(text.trim(), "true" | "True" | "1" | "yes"),
            Some(Value::Number(number)) => number.as_i64() == Some(1),
            _ => false,
        });
        Ok(Self {
            line: row.line,
            rows: 1,
            id: one(ID),
            text,
            lang,
            relevant: relevant(row).collect(),
            answers: texts(row, ANSWERS),
            contains: texts(row, CONTAINS),
            tags: texts(row, TAGS),
            unanswerable,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        // Two ids are two questions, even in the same words: the linter tells of them.
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
            // Where only needed strings are given, they are what is to be answered.
            out.answers = match self.answers[..] {
                [] => self.contains.clone(),
                _ => self.answers,
            };
            out.answer_contains = self.contains;
            let mut evidence = Vec::new();
            for (id, grade) in &self.relevant {
                evidence.push(EvidenceLocation::of(id, kb, chunks)?.evidence(
                    *grade,
                    &out.answers,
                    kb,
                )?);
            }
            // One document as a whole makes all of them so.
            if evidence.iter().any(|e: &Evidence| e.quote.is_none()) {
                let mut seen = BTreeSet::new();
                let whole = |(e, (_, grade)): (&Evidence, &(String, i32))| judged(&e.doc, *grade);
                evidence = evidence.iter().zip(&self.relevant).map(whole).collect();
                evidence.retain(|e| seen.insert(e.doc.clone()));
            } else {
                evidence.dedup();
            }
            out.evidence = evidence;
        }
        let mut faults = Vec::new();
        crate::gold::check(&out, &mut |fault| faults.push(fault.to_owned()));
        match faults[..] {
            [] => Ok(out),
            _ => Err(faults.join("; ")),
        }
    }
}

/// What an id stands for.
struct EvidenceLocation {
    doc: DocId,
    /// Bytes of a chunk; none: the document as a whole.
    range: Option<Range<usize>>,
}

impl EvidenceLocation {
    fn of(id: &str, kb: &KnowledgeBase, chunks: &ChunkPlaces) -> Result<Self, String> {
        if let Some((doc, range)) = chunks.places.get(id) {
            return Ok(Self { doc: doc.clone(), range: Some(range.clone()) });
        }
        if let Some(reason) = chunks.lost.get(id) {
            return Err(format!("the chunk `{id}`: {reason}"));
        }
        let stem = Path::new(id).with_extension("");
        let names = [id.to_owned(), safe(id), stem.to_string_lossy().into_owned()];
        let doc = names.iter().find(|name| kb.document(name).is_some());
        let doc = doc.ok_or_else(|| {
            format!("`{id}` is no document of {} and no chunk that is known", kb.name)
        })?;
        Ok(Self { doc: doc.as_str().into(), range: None })
    }

    fn evidence(
        self,
        grade: i32,
        answers: &[String],
        kb: &KnowledgeBase,
    ) -> Result<Evidence, String> {
        let Some(doc) = kb.document(&self.doc) else {
            return Err(format!("there is no document `{}`", self.doc));
        };
        if grade < 1 {
            return Ok(judged(&self.doc, grade));
        }
        let within = self.range.clone().unwrap_or_else(|| doc.body.clone());
        let once = |answer: &String| {
            let mut places = word_matches(&doc.text[within.clone()], answer);
            let place = places.next()?;
            let span = within.start + place.start..within.start + place.end;
            places.next().is_none().then_some(span)
        };
        let span = answers.iter().find_map(once).or(self.range);
        let Some(span) = span else {
            return Ok(judged(&self.doc, grade));
        };
        let quote = quote_for(&doc.text, within, span)
            .or_else(|| quote_for(&doc.text, doc.body.clone(), doc.body.clone()));
        let quote =
            quote.ok_or_else(|| format!("no stretch of `{}` stands there once", self.doc))?;
        Ok(Evidence { doc: self.doc, quote: Some(quote), group: None, grade: None })
    }
}

fn is_read(name: &str) -> bool {
    [ID, QUESTION, ANSWERS, CONTAINS, RELEVANT, TAGS, LANG, UNANSWERABLE]
        .iter()
        .any(|names| names.contains(&name))
}

/// Ids of what is relevant, with their grades.
fn relevant(row: &Row) -> impl Iterator<Item = (String, i32)> + use<> {
    let mut out = Vec::new();
    for name in RELEVANT {
        match row.columns.get(*name) {
            Some(Value::Array(items)) => out.extend(items.iter().filter_map(graded)),
            // `{"doc": grade}`
            Some(Value::Object(grades)) => out.extend(
                grades
                    .iter()
                    .map(|(id, grade)| (id.clone(), grade.as_i64().map_or(1, |g| g as i32))),
            ),
            Some(Value::String(text)) => out.extend(list(text, &[';', '|', ',']).map(|id| (id, 1))),
            Some(other) => out.extend(graded(other)),
            None => {}
        }
    }
    out.into_iter()
}

/// An id by itself, or an object with an id and perhaps a grade.
fn graded(item: &Value) -> Option<(String, i32)> {
    let Value::Object(object) = item else {
        return scalar(item).map(|id| (id, 1));
    };
    let field = |names: &[&str]| names.iter().find_map(|name| object.get(*name));
    let id = field(&["id", "_id", "chunk_id", "doc_id", "doc", "source"]).and_then(scalar)?;
    let grade = field(&["grade", "score", "relevance"]).and_then(Value::as_i64);
    Some((id, grade.map_or(1, |g| g as i32)))
}

/// The texts of the first of these columns that has any.
fn texts(row: &Row, names: &[&str]) -> Vec<String> {
    let of = |name: &&str| -> Vec<String> {
        match row.columns.get(*name) {
            Some(Value::Array(items)) => items.iter().filter_map(scalar).collect(),
            // A list inside a CSV field.
            Some(Value::String(text)) if text.trim_start().starts_with('[') => {
                serde_json::from_str(text).unwrap_or_else(|_| vec![text.trim().to_owned()])
            }
            Some(value) => scalar(value).into_iter().collect(),
            None => Vec::new(),
        }
    };
    names.iter().map(of).find(|v| !v.is_empty()).unwrap_or_default()
}

fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn list(text: &str, separators: &[char]) -> std::vec::IntoIter<String> {
    let parsed: Option<Vec<String>> =
        text.trim_start().starts_with('[').then(|| serde_json::from_str(text).ok()).flatten();
    let split = || {
        text.split(separators)
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    };
    parsed.unwrap_or_else(split).into_iter()
}
