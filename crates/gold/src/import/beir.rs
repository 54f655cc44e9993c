use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use fiel_corpus::{Document, KnowledgeBase, KnowledgeBaseInfo};
use fiel_store::{read_json_lines, read_text};
use fiel_text::Lang;
use serde_json::Value;

use super::{
    names::{Names, file},
    qrels::judgements,
    report::{ImportReport, Imported, NewDocument, judged, question},
};
use crate::{Error, Gold, Question, Split};

/// A folder as BEIR has it: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv` (Thakur et al.,
/// "BEIR", 2021). Each document becomes a file, each query with judgements a question whose
/// evidence is whole documents with their grades. `qrels/test.tsv` makes the test part,
/// `train.tsv` and `dev.tsv` the dev part; of other files the id decides.
///
/// # Errors
/// When a file cannot be read. A line that cannot be used is refused and counted.
pub fn import_beir(dir: &Path, lang: Lang) -> Result<Imported, Error> {
    let (mut out, documents) = read_folder(dir, lang, None)?;
    out.documents = documents
        .into_iter()
        .map(|d| NewDocument { text: file(&d.title, &lang.to_string(), &d.text), id: d.id })
        .collect();
    Ok(out)
}

/// A folder as BEIR has it, evaluated where it lies: its documents as plain texts with titles, and
/// the judgements of one file of `qrels/` as a gold set.
pub struct BeirFolder {
    /// The documents.
    pub kb: KnowledgeBase,
    /// The queries with a relevant document.
    pub gold: Gold,
    /// What was left out, and why.
    pub report: ImportReport,
}

impl BeirFolder {
    /// Reads a folder and the judgements in `qrels/SPLIT.tsv`.
    ///
    /// # Errors
    /// When a file cannot be read, there are no judgements of that name, or nothing is left to ask.
    pub fn read(dir: &Path, split: &str, lang: Lang) -> Result<Self, Error> {
        let (imported, documents) = read_folder(dir, lang, Some(split))?;
        let name = std::fs::canonicalize(dir).map_err(|e| Error::io(dir, e))?;
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let mut documents: Vec<Document> =
            documents.iter().map(|d| Document::titled(&d.id, &d.title, &d.text)).collect();
        documents.sort_by(|a, b| a.id.cmp(&b.id));
        let kb = KnowledgeBase {
            name: name.clone().into_owned(),
            info: KnowledgeBaseInfo {
                title: name.into_owned(),
                lang,
                ..KnowledgeBaseInfo::default()
            },
            documents,
        };
        let name = format!("{}/{split}", kb.name);
        let gold = Gold::of(&name, imported.questions, dir)?;
        if gold.questions.is_empty() || kb.documents.is_empty() {
            return Err(Error::Import {
                path: dir.to_owned(),
                message: format!(
                    "no query of `{split}` has a relevant document: queries, documents and \
                     judgements do not belong together"
                ),
            });
        }
        Ok(Self { kb, gold, report: imported.report })
    }
}

/// A document as the collection has it.
struct BeirDocument {
    id: String,
    title: String,
    text: String,
}

/// Queries and judgements, of one file of `qrels/` or all, and the documents.
fn read_folder(
    dir: &Path,
    lang: Lang,
    split: Option<&str>,
) -> Result<(Imported, Vec<BeirDocument>), Error> {
    let mut documents = Vec::new();
    let mut out = Imported::new(&["documents", "questions", "judgements"]);
    let mut names = Names::default();
    let corpus = dir.join("corpus.jsonl");
    for (line, object) in lines(&corpus, "documents", &mut out)? {
        let place = (corpus.as_path(), line);
        let (id, title, text) = (id(&object), field(&object, "title"), field(&object, "text"));
        // A document of a title alone is found by it.
        let body = match text.trim().is_empty() {
            true => title.clone(),
            false => text,
        };
        if id.is_empty() || body.trim().is_empty() {
            let missing = if id.is_empty() { "no `_id`" } else { "no text" };
            out.refuse("documents", place, &id, missing);
        } else if let Some(name) = names.add(&id) {
            out.count("documents").written += 1;
            documents.push(BeirDocument { id: name, text: body, title });
        } else {
            out.refuse("documents", place, &id, "the id occurs twice");
        }
    }

    let mut queries: BTreeMap<String, Question> = BTreeMap::new();
    let mut order: Vec<(usize, String)> = Vec::new();
    let path = dir.join("queries.jsonl");
    for (line, object) in lines(&path, "questions", &mut out)? {
        let (id, text) = (id(&object), field(&object, "text"));
        if id.is_empty() || text.trim().is_empty() {
            let missing = if id.is_empty() { "no `_id`" } else { "no text" };
            out.refuse("questions", (&path, line), &id, missing);
        } else if queries.contains_key(&id) {
            out.refuse("questions", (&path, line), &id, "the id occurs twice");
        } else {
            queries.insert(id.clone(), question(&id, &text, lang));
            order.push((line, id));
        }
    }

    let mut seen = BTreeSet::new();
    for path in qrels(&dir.join("qrels"), split)? {
        let split = match path.file_stem().and_then(|s| s.to_str()) {
            Some("test") => Some(Split::Test),
            Some("train" | "dev") => Some(Split::Dev),
            _ => None,
        };
        let text = read_text(&path)?;
        for j in judgements(&path, &text, &mut out) {
            let pair = (j.query.clone(), j.doc.clone());
            let name = format!("{} {}", j.query, j.doc);
            let mut refuse = |reason: &str| {
                out.refuse("judgements", (&path, j.line), &name, reason);
            };
            match (queries.get_mut(&j.query), names.get(&j.doc)) {
                (None, _) => refuse("there is no such query"),
                (_, None) => refuse("there is no such document"),
                _ if !seen.insert(pair) => refuse("this pair was judged before"),
                (Some(question), Some(doc)) => {
                    question.evidence.push(judged(doc, j.grade));
                    question.split = split.unwrap_or(question.split);
                    out.count("judgements").written += 1;
                }
            }
        }
    }
    if split.is_some() {
        // The others are judged in other files.
        queries.retain(|_, question| !question.evidence.is_empty());
        let counts = out.count("questions");
        counts.read = counts.refused + queries.len();
    }
    keep_judged(&path, order, queries, &mut out);
    out.report.renamed = names.renamed();
    Ok((out, documents))
}

/// Writes the questions that have a relevant document, in the order of the source.
pub(super) fn keep_judged(
    path: &Path,
    order: Vec<(usize, String)>,
    mut queries: BTreeMap<String, Question>,
    out: &mut Imported,
) {
    for (line, id) in order {
        let Some(question) = queries.remove(&id) else {
            continue;
        };
        if question.evidence.iter().any(crate::Evidence::is_relevant) {
            out.write(question);
        } else {
            let judgements = question.evidence.len();
            out.count("judgements").written -= judgements;
            out.count("judgements").refused += judgements;
            let reason = match judgements {
                0 => "no document is judged for it".to_owned(),
                n => format!("none of the {n} documents judged for it is relevant"),
            };
            out.refuse("questions", (path, line), &id, reason);
        }
    }
}

/// The objects of a JSON Lines file, each with its line. Refuses and counts faulty lines.
fn lines(
    path: &Path,
    kind: &'static str,
    out: &mut Imported,
) -> Result<Vec<(usize, Value)>, Error> {
    let mut list = Vec::new();
    for (line, object) in read_json_lines(path)? {
        out.count(kind).read += 1;
        match object {
            Ok(object) => list.push((line, object)),
            Err(e) => out.refuse(kind, (path, line), "", format!("not a JSON object: {e}")),
        }
    }
    Ok(list)
}

fn id(object: &Value) -> String {
    match object.get("_id").or_else(|| object.get("id")) {
        Some(Value::String(id)) => id.trim().to_owned(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    }
}

fn field(object: &Value, name: &str) -> String {
    let text = object.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The files of judgements: all, or the one of a split.
fn qrels(dir: &Path, split: Option<&str>) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io(dir, e))?.path();
        if path.extension().is_some_and(|e| e == "tsv" || e == "txt" || e == "qrels") {
            files.push(path);
        }
    }
    // The test part last, so that a query of both parts is for figures.
    files.sort_by_key(|path| (path.file_stem().is_some_and(|s| s == "test"), path.clone()));
    let Some(split) = split else { return Ok(files) };
    let stem = |path: &PathBuf| path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let of_split = files.iter().find(|path| stem(path).as_deref() == Some(split));
    match of_split {
        Some(path) => Ok(vec![path.clone()]),
        None => Err(Error::Import {
            path: dir.to_owned(),
            message: format!(
                "there are no judgements `{split}`; --split names one of {}",
                files.iter().filter_map(stem).collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}
