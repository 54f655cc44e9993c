//! BEIR folders (Thakur et al., "BEIR", 2021).

use std::path::{Path, PathBuf};

use fiel_corpus::{Document, KnowledgeBase, KnowledgeBaseInfo};
use fiel_record::ImportResult;
use fiel_store::read_json_lines;
use fiel_text::Lang;
use serde_json::Value;

use super::{
    imported::{Imported, NewDocument},
    judged::Queries,
    names::{Names, markdown_file},
};
use crate::{Error, Gold, Split};

/// Imports a BEIR folder: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`. Each document becomes
/// a file, each judged query a question whose evidence is whole documents with their grades.
/// `qrels/test.tsv` makes the test split, `train.tsv` and `dev.tsv` the dev split; with other files
/// the id decides.
///
/// # Errors
/// [`Error::Store`] if a file cannot be read. Faulty lines are refused and counted.
pub fn import_beir(dir: &Path, lang: Lang) -> Result<Imported, Error> {
    let (mut out, documents) = read_folder(dir, lang, None)?;
    out.documents = documents
        .into_iter()
        .map(|d| NewDocument { text: markdown_file(&d.title, lang, &d.text), id: d.id })
        .collect();
    Ok(out)
}

/// A BEIR folder that is evaluated without an import: its documents as plain texts with titles, and
/// the judgements of one file of `qrels/` as a gold set.
pub struct BeirFolder {
    /// The documents.
    pub kb: KnowledgeBase,
    /// The queries with a relevant document.
    pub gold: Gold,
    /// What was read and what was left out.
    pub result: ImportResult,
}

impl BeirFolder {
    /// Reads a folder with the judgements in `qrels/SPLIT.tsv`.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be read, [`Error::NoJudgements`] if there is no file of
    /// the split, [`Error::NothingRelevant`] if no query or no document is usable.
    pub fn read(dir: &Path, split: &str, lang: Lang) -> Result<Self, Error> {
        let (imported, documents) = read_folder(dir, lang, Some(split))?;
        let folder = std::fs::canonicalize(dir).map_err(|e| Error::io(dir, e))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut documents: Vec<Document> =
            documents.iter().map(|d| Document::titled(&d.id, &d.title, &d.text)).collect();
        documents.sort_by(|a, b| a.id.cmp(&b.id));
        let gold = Gold::from_questions(&format!("{name}/{split}"), imported.questions, dir)?;
        if gold.questions.is_empty() || documents.is_empty() {
            return Err(Error::NothingRelevant { path: dir.to_owned(), split: split.to_owned() });
        }
        let info = KnowledgeBaseInfo { title: name.clone(), lang, ..KnowledgeBaseInfo::default() };
        let kb = KnowledgeBase { name, info, documents, left_out: Vec::new() };
        Ok(Self { kb, gold, result: imported.result })
    }
}

struct BeirDocument {
    id: String,
    title: String,
    text: String,
}

/// The documents and the queries, judged by one file of `qrels/` or by all.
fn read_folder(
    dir: &Path,
    lang: Lang,
    split: Option<&str>,
) -> Result<(Imported, Vec<BeirDocument>), Error> {
    let mut documents = Vec::new();
    let mut out = Imported::new(&["documents", "questions", "judgements"]);
    let mut names = Names::default();
    let corpus = dir.join("corpus.jsonl");
    for (line, object) in objects(&corpus, "documents", &mut out)? {
        let (id, title, text) = (id(&object), field(&object, "title"), field(&object, "text"));
        // A document with a title only is found by its title.
        let text = if text.trim().is_empty() { title } else { text };
        let fault = if id.is_empty() {
            "it has no id"
        } else if text.trim().is_empty() {
            "it has no text"
        } else if let Some(name) = names.add(&id) {
            out.count("documents").written += 1;
            documents.push(BeirDocument { id: name, title: title.into(), text: text.into() });
            continue;
        } else {
            "the id occurs twice"
        };
        out.refuse("documents", (&corpus, line), &id, fault);
    }

    let path = dir.join("queries.jsonl");
    let mut queries = Queries::new(&path, lang);
    for (line, object) in objects(&path, "questions", &mut out)? {
        queries.add(line, id(&object), field(&object, "text"), &mut out);
    }
    for path in qrels(&dir.join("qrels"), split)? {
        let split = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("test") => Some(Split::Test),
            Some("train" | "dev") => Some(Split::Dev),
            _ => None,
        };
        queries.judge(&path, split, &|id| names.get(id).map(str::to_owned), &mut out)?;
    }
    queries.exclude_own(&|id| names.get(id).map(str::to_owned), &mut out);
    if split.is_some() {
        // The other queries are judged in other files.
        queries.retain_judged(&mut out);
    }
    queries.finish(&mut out);
    out.result.renamed = names.renamed();
    Ok((out, documents))
}

/// The objects of a JSON Lines file with their lines. Refuses and counts faulty lines.
fn objects(path: &Path, kind: &str, out: &mut Imported) -> Result<Vec<(usize, Value)>, Error> {
    let mut objects = Vec::new();
    for (line, object) in read_json_lines(path)? {
        out.count(kind).read += 1;
        match object {
            Ok(object) => objects.push((line, object)),
            Err(e) => out.refuse(kind, (path, line), "", format!("not a JSON object: {e}")),
        }
    }
    Ok(objects)
}

fn id(object: &Value) -> String {
    match object.get("_id").or_else(|| object.get("id")) {
        Some(Value::String(id)) => id.trim().to_owned(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    }
}

fn field<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The files of judgements: all, or that of a split.
fn qrels(dir: &Path, split: Option<&str>) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
        let path = entry.map_err(|e| Error::io(dir, e))?.path();
        if path.extension().is_some_and(|e| e == "tsv" || e == "txt" || e == "qrels") {
            files.push(path);
        }
    }
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // The test split last, so that it gets the queries that both splits judge.
    files.sort_by_key(|path| (stem(path) == "test", path.clone()));
    let Some(split) = split else { return Ok(files) };
    let known: Vec<String> = files.iter().map(stem).collect();
    files.retain(|path| stem(path) == split);
    files.truncate(1);
    if files.is_empty() {
        return Err(Error::NoJudgements { path: dir.to_owned(), split: split.to_owned(), known });
    }
    Ok(files)
}
