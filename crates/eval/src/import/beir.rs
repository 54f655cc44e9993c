use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use fiel_metrics::Lang;
use serde_json::Value;

use super::{
    names::{Names, file},
    qrels::judgements,
    report::{Imported, NewDocument, judged, question},
};
use crate::{Error, Question, Split};

/// A folder as BEIR has it: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv` (Thakur et al.,
/// "BEIR", 2021). Each document becomes a file, each query with judgements a question whose
/// evidence is whole documents with their grades. `qrels/test.tsv` makes the test part,
/// `train.tsv` and `dev.tsv` the dev part; of other files the id decides.
///
/// # Errors
/// When a file cannot be read. A line that cannot be used is refused and counted.
pub fn import_beir(dir: &Path, lang: Lang) -> Result<Imported, Error> {
    let mut out = Imported::new(&["documents", "questions", "judgements"]);
    let mut names = Names::default();
    let corpus = dir.join("corpus.jsonl");
    for (line, object) in lines(&corpus, "documents", &mut out)? {
        let place = (corpus.as_path(), line);
        let (id, title, text) = (id(&object), field(&object, "title"), field(&object, "text"));
        // A document of a title alone is found by it.
        let body = if text.trim().is_empty() {
            &title
        } else {
            &text
        };
        if id.is_empty() || body.trim().is_empty() {
            let missing = if id.is_empty() { "no `_id`" } else { "no text" };
            out.refuse("documents", place, &id, missing);
        } else if let Some(name) = names.add(&id) {
            out.count("documents").written += 1;
            let text = file(&title, &lang.to_string(), body);
            out.documents.push(NewDocument { id: name, text });
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
    for path in qrels(&dir.join("qrels"))? {
        let split = match path.file_stem().and_then(|s| s.to_str()) {
            Some("test") => Some(Split::Test),
            Some("train" | "dev") => Some(Split::Dev),
            _ => None,
        };
        let text = read(&path)?;
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
    keep_judged(&path, order, queries, &mut out);
    out.report.renamed = names.renamed();
    Ok(out)
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

pub(super) fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| Error::io(path, e))
}

/// The objects of a JSONL file with their lines.
fn lines(
    path: &Path,
    kind: &'static str,
    out: &mut Imported,
) -> Result<Vec<(usize, Value)>, Error> {
    let mut list = Vec::new();
    for (at, line) in read(path)?.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        out.count(kind).read += 1;
        match serde_json::from_str(line) {
            Ok(object) => list.push((at + 1, object)),
            Err(e) => out.refuse(kind, (path, at + 1), "", format!("no JSON object: {e}")),
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

fn qrels(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io(dir, e))?.path();
        if path
            .extension()
            .is_some_and(|e| e == "tsv" || e == "txt" || e == "qrels")
        {
            files.push(path);
        }
    }
    // The test part last, so that a query of both parts is for figures.
    files.sort_by_key(|path| (path.file_stem().is_some_and(|s| s == "test"), path.clone()));
    Ok(files)
}
