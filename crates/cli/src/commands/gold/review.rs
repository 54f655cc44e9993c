//! Review of drafts: a person accepts, edits or drops each.

use std::io::{BufRead, Write};

use anyhow::Result;
use fiel_gold::{Author, DRAFTED, Draft, DraftCheck, Evidence, Question};
use fiel_record::{LintFinding, LintLevel};
use fiel_report::finding_lines;

use super::person::{Person, parts};

/// The outcome of a review.
#[derive(Debug, Default)]
pub struct Reviewed {
    /// Questions added to the gold set.
    pub accepted: Vec<Question>,
    /// Number of accepted questions that the person edited.
    pub edited: usize,
    /// Number of dropped drafts.
    pub declined: usize,
    /// Number of drafts that the person left undecided by quitting.
    pub left: usize,
}

/// Called after each decision with the accepted question, if any, and the remaining drafts.
type OnDecision<'r> = dyn FnMut(Option<&Question>, &[Draft]) -> Result<()> + 'r;

/// A person who reviews drafts.
pub struct Review<'r, R, W> {
    pub person: Person<R, W>,
    /// Has the reader answer an edited question.
    pub check: &'r mut dyn FnMut(&Question) -> Result<DraftCheck>,
    pub on_decision: &'r mut OnDecision<'r>,
}

enum Decision {
    Accept { question: Box<Question>, edited: bool },
    Decline,
    Quit,
}

impl<R: BufRead, W: Write> Review<'_, R, W> {
    /// Shows each draft and applies the person's decision. A draft with an error must be edited
    /// before it can be accepted.
    pub fn run(
        &mut self,
        author: &mut Author<'_>,
        drafts: &[Draft],
        reviewed: &mut Reviewed,
    ) -> Result<()> {
        for (at, draft) in drafts.iter().enumerate() {
            let Draft { style, source, passage, .. } = draft;
            let place = format!("{} of {} · {style} · {source}", at + 1, drafts.len());
            self.person.say(&format!("\n--- {place} ---\n{passage}\n---\n"));
            let rest = &drafts[at + 1..];
            match self.decide(author, draft)? {
                Decision::Quit => {
                    reviewed.left += drafts.len() - at;
                    break;
                }
                Decision::Decline => {
                    reviewed.declined += 1;
                    (self.on_decision)(None, rest)?;
                }
                Decision::Accept { question, edited } => {
                    author.add((*question).clone())?;
                    reviewed.edited += usize::from(edited);
                    (self.on_decision)(Some(&question), rest)?;
                    reviewed.accepted.push(*question);
                }
            }
        }
        Ok(())
    }

    fn decide(&mut self, author: &Author<'_>, draft: &Draft) -> Result<Decision> {
        let mut question = author.renamed(draft.question.clone(), false);
        let mut check = Some(draft.check.clone());
        let mut edited = false;
        loop {
            let findings = author.check(&question)?;
            self.person.say(&card(&question, check.as_ref(), &findings));
            let usable = is_usable(&findings);
            let prompt = if usable {
                "a accept, e edit, d drop, q quit"
            } else {
                "cannot be used without an edit: e edit, d drop, q quit"
            };
            let Some(word) = self.person.ask(prompt)? else {
                return Ok(Decision::Quit);
            };
            match word.to_lowercase().as_str() {
                "a" | "accept" if usable => {
                    return Ok(Decision::Accept { question: Box::new(question), edited });
                }
                "d" | "drop" => return Ok(Decision::Decline),
                "e" | "edit" => {
                    let Some(new) = edit(&mut self.person, author, draft, &question)? else {
                        return Ok(Decision::Quit);
                    };
                    if new == question {
                        continue;
                    }
                    edited = true;
                    question = new;
                    // The reader needs the evidence, which an error may have made unusable.
                    check = None;
                    if is_usable(&author.check(&question)?) {
                        self.person.say("asking the reader\n");
                        check = Some((self.check)(&question)?);
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_usable(findings: &[LintFinding]) -> bool {
    findings.iter().all(|finding| finding.level != LintLevel::Error)
}

/// Asks for each field of the question; an empty line keeps the field. `None`: quit.
fn edit<R: BufRead, W: Write>(
    person: &mut Person<R, W>,
    author: &Author<'_>,
    draft: &Draft,
    old: &Question,
) -> Result<Option<Question>> {
    person.say("an empty line keeps a field\n");
    let mut new = old.clone();
    let Some(asked) = person.ask(&format!("question [{}]", old.question))? else {
        return Ok(None);
    };
    if !asked.is_empty() && asked != old.question {
        new.question = asked;
        new = author.renamed(new, true);
    }
    let answers = if old.answers.is_empty() { "none".to_owned() } else { old.answers.join(" | ") };
    let prompt = format!("answers, separated by |, - for none [{answers}]");
    let Some(answers) = person.ask(&prompt)? else {
        return Ok(None);
    };
    match answers.as_str() {
        "" => {}
        "-" => new.answers.clear(),
        _ => new.answers = parts(&answers, '|'),
    }
    if new.answers != old.answers {
        // They belong to the old answers.
        new.answer_contains.clear();
    }
    new.unanswerable = new.answers.is_empty();
    if new.unanswerable {
        new.evidence.clear();
    } else if new.evidence.is_empty() {
        let (doc, quote) = (draft.source.as_str().into(), Some(String::new()));
        new.evidence.push(Evidence { doc, quote, group: None, grade: None });
    }
    for Evidence { doc, quote, .. } in &mut new.evidence {
        let old = quote.as_deref().unwrap_or_default();
        let Some(typed) = person.ask(&format!("quote of {doc} that proves it [{old}]"))? else {
            return Ok(None);
        };
        if !typed.is_empty() {
            *quote = Some(typed);
        }
    }
    let Some(tags) = person.ask(&format!("tags [{}]", old.tags.join(" ")))? else {
        return Ok(None);
    };
    if !tags.is_empty() {
        new.tags = parts(&tags, ' ');
        // A model wrote the question, whatever the edits.
        if !new.tags.iter().any(|tag| tag == DRAFTED) {
            new.tags.push(DRAFTED.to_owned());
        }
    }
    Ok(Some(new))
}

/// A draft with its fields, the answer of the reader and the findings of the linter.
fn card(question: &Question, check: Option<&DraftCheck>, findings: &[LintFinding]) -> String {
    let mut out = format!("question: {}\n", question.question);
    if question.unanswerable {
        out.push_str("answers:  none, the documents have no answer\n");
    } else {
        out.push_str(&format!("answers:  {}\n", question.answers.join(" | ")));
    }
    for evidence in &question.evidence {
        if let Some(quote) = &evidence.quote {
            out.push_str(&format!("quote:    {}: \"{quote}\"\n", evidence.doc));
        }
    }
    out.push_str(&format!("tags:     {}\n", question.tags.join(" ")));
    if let Some(check) = check {
        out.push_str(&format!("reader:   {}\n", verdict(question, check)));
    }
    for finding in findings {
        out.push_str(&finding_lines(finding));
    }
    out
}

fn verdict(question: &Question, check: &DraftCheck) -> String {
    let answer = check.answer.trim();
    match (question.unanswerable, check.agrees) {
        (true, true) => format!("abstains on the retrieved passages, as it should: \"{answer}\""),
        (true, false) => format!(
            "ANSWERS from the retrieved passages: \"{answer}\". Check whether the documents answer it"
        ),
        (false, true) => format!("gives the same answer from the evidence alone: \"{answer}\""),
        (false, false) if check.abstained => {
            format!("ABSTAINS on the evidence alone: \"{answer}\"")
        }
        (false, false) => {
            let f1 = check.f1.unwrap_or_default();
            format!("gives ANOTHER answer from the evidence alone (F1 {f1:.2}): \"{answer}\"")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use fiel_corpus::KnowledgeBase;
    use fiel_gold::{DraftStyle, Gold, Split};
    use tempfile::TempDir;

    use super::*;

    const DOC: &str = "# Coffee\n\nBeans keep for a month. Ground coffee keeps for nine days.\n";

    struct World {
        dir: TempDir,
        kb: KnowledgeBase,
    }

    impl World {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir(dir.path().join("kb")).unwrap();
            std::fs::write(dir.path().join("kb/coffee.md"), DOC).unwrap();
            let old = r#"{"id": "q1", "question": "What is good for a month?", "evidence": [{"doc": "coffee", "quote": "Beans keep for a month."}], "answers": ["beans"]}"#;
            // Without a line end, as an editor may leave it.
            std::fs::write(dir.path().join("set.jsonl"), old).unwrap();
            let kb = KnowledgeBase::load(&dir.path().join("kb")).unwrap();
            Self { dir, kb }
        }

        fn gold(&self) -> PathBuf {
            self.dir.path().join("set.jsonl")
        }

        /// Reviews the drafts with these lines as input. Returns the result, the output, the number
        /// of drafts left after each decision, and the number of questions to the reader.
        fn review(&self, drafts: &[Draft], typed: &str) -> (Reviewed, String, Vec<usize>, usize) {
            let mut author =
                Author::open(&self.gold(), &self.kb, fiel_eval::index_passages).unwrap();
            let (mut left, mut read) = (Vec::new(), 0);
            let mut review = Review {
                person: Person { input: typed.as_bytes(), output: Vec::new() },
                check: &mut |_| {
                    read += 1;
                    Ok(check("nine days", true))
                },
                on_decision: &mut |_, rest| {
                    left.push(rest.len());
                    Ok(())
                },
            };
            let mut reviewed = Reviewed::default();
            review.run(&mut author, drafts, &mut reviewed).unwrap();
            (reviewed, String::from_utf8(review.person.output).unwrap(), left, read)
        }
    }

    fn check(answer: &str, agrees: bool) -> DraftCheck {
        DraftCheck { answer: answer.to_owned(), abstained: false, f1: Some(0.25), agrees }
    }

    fn draft(asked: &str, answer: &str, quote: &str) -> Draft {
        Draft {
            style: DraftStyle::Plain,
            source: "coffee".to_owned(),
            passage: DOC.to_owned(),
            question: Question {
                id: "q1".into(),
                question: asked.to_owned(),
                evidence: vec![Evidence {
                    doc: "coffee".into(),
                    quote: Some(quote.to_owned()),
                    group: None,
                    grade: None,
                }],
                answers: vec![answer.to_owned()],
                tags: vec!["style:docs".to_owned(), "drafted".to_owned()],
                split: Split::Dev,
                ..Question::default()
            },
            check: check("a month [1]", false),
        }
    }

    fn good() -> Draft {
        let quote = "Ground coffee keeps for nine days.";
        draft("How long is it fresh once milled?", "nine days", quote)
    }

    #[test]
    fn only_accepted_drafts_are_added() {
        let world = World::new();
        let drafts = [good(), good(), draft("Who?", "me", "nowhere")];
        let before = std::fs::read_to_string(world.gold()).unwrap();
        let (reviewed, output, left, read) = world.review(&drafts, "d\nwhat?\na\na\nd\n");
        assert_eq!((reviewed.accepted.len(), reviewed.declined, reviewed.edited), (1, 2, 0));
        assert_eq!((left, read, reviewed.left), (vec![2, 1, 0], 0, 0));
        assert!(
            output.contains("ANOTHER answer from the evidence alone (F1 0.25): \"a month [1]\"")
        );
        // The third cannot be accepted, because its document lacks the quote.
        assert!(
            output.contains("error G003") && output.contains("cannot be used without an edit"),
            "{output}"
        );
        let after = std::fs::read_to_string(world.gold()).unwrap();
        assert!(after.starts_with(&format!("{before}\n")), "{after}");
        let gold = Gold::load(&world.gold()).unwrap();
        let new = &gold.questions[1].1;
        assert_eq!((new.id.as_str(), new.split), ("long-fresh-milled", Split::Dev));
        assert_eq!(new.tags, ["style:docs", "drafted"]);
        let report = fiel_gold::lint(&world.gold(), &world.kb, fiel_eval::index_passages).unwrap();
        assert_eq!(report.count(LintLevel::Error), 0, "{report:?}");
    }

    #[test]
    fn quitting_leaves_the_rest_undecided() {
        let world = World::new();
        let before = std::fs::read_to_string(world.gold()).unwrap();
        for typed in ["", "q\n", "e\nq\n", "e\n\n\n", "e\nNew?\n"] {
            let (reviewed, _, left, _) = world.review(&[good()], typed);
            assert!(reviewed.left == 1 && reviewed.accepted.is_empty(), "{typed}");
            assert_eq!(left, [0; 0]);
        }
        assert_eq!(std::fs::read_to_string(world.gold()).unwrap(), before);
    }

    #[test]
    fn empty_lines_keep_fields() {
        let world = World::new();
        let typed = "e\nFor how many days is powder fine?\nnine days | 9 days\n\nkind:number\na\n";
        let (reviewed, output, _, read) = world.review(&[good()], typed);
        assert_eq!((reviewed.edited, read), (1, 1));
        assert!(output.contains("the same answer from the evidence alone"), "{output}");
        let new = &reviewed.accepted[0];
        assert_eq!(new.question, "For how many days is powder fine?");
        assert_eq!(new.id, "many-days-powder-fine");
        assert_eq!(new.answers, ["nine days", "9 days"]);
        assert_eq!(new.evidence, good().question.evidence);
        assert_eq!(new.tags, ["kind:number", "drafted"]);
    }

    #[test]
    fn an_edit_with_an_error_must_be_corrected() {
        let world = World::new();
        let typed = "e\n\n\nnot there\n\na\ne\n\n\nGround coffee keeps for nine days\n\na\n";
        let (reviewed, output, _, read) = world.review(&[good()], typed);
        assert!(output.contains("error G003"), "{output}");
        // The reader is asked only when there is something to read.
        assert_eq!((reviewed.accepted.len(), read), (1, 1));
    }

    #[test]
    fn an_edit_can_remove_and_add_answers() {
        let world = World::new();
        let (reviewed, _, _, _) = world.review(&[good()], "e\nIs it sold in tins?\n-\n\na\n");
        let unanswerable = reviewed.accepted[0].clone();
        assert!(unanswerable.unanswerable && unanswerable.evidence.is_empty());
        let mut draft = good();
        draft.style = DraftStyle::Unanswerable;
        draft.question.unanswerable = true;
        draft.question.answers.clear();
        draft.question.evidence.clear();
        let typed = "e\n\nnine days\nGround coffee keeps for nine days.\n\na\n";
        let (reviewed, output, _, _) = world.review(&[draft], typed);
        assert!(
            output.contains("ANSWERS from the retrieved passages: \"a month [1]\""),
            "{output}"
        );
        let new = &reviewed.accepted[0];
        assert!(!new.unanswerable && new.evidence.len() == 1, "{new:?}");
    }
}
