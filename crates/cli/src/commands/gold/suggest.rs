use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use fiel_corpus::KnowledgeBase;
use fiel_eval::{
    Author, Check, Draft, DraftStyle, Drafter, DropReason, Error, Gold, Question, Suggester,
    append_draft, check_draft, load_drafts, write_drafts,
};
use fiel_reader::Pipeline;
use serde::Serialize;

use super::{
    kb_of,
    person::Person,
    review::{Desk, Reviewed, review},
};
use crate::{
    args::{Common, PipelineArgs, ReaderArgs},
    commands::Verdict,
    output::{json, note, print},
    progress::Progress,
    settings::Settings,
    workspace::{gold_path, kb_path, pipeline, stock},
};

#[derive(Args, Debug)]
#[command(
    after_help = "The reader drafts questions from passages of the knowledge base, those of documents with few\n\
    questions first. Each draft is linted, answered by the reader (from its evidence alone; an\n\
    unanswerable one from what is found) and shown to you: accept it, edit it or drop it. What is\n\
    accepted is added to gold/NAME.jsonl, split dev, tagged `drafted`, and printed. A misspelled\n\
    question is made of a plain one of the set's dev split, without the model.\n\n\
    With --drafts nobody is asked and nothing enters the set; --review asks about such a file later,\n\
    and what was decided leaves it.\n\n\
    Examples:\n  fiel gold suggest verbs --count 8\n  fiel gold suggest verbs --style plain,typo --seed 7\n  \
    fiel gold suggest laboral --count 40 --drafts drafts.jsonl\n  fiel gold suggest laboral --review drafts.jsonl\n\n\
    Exit status: 0 done, 2 error."
)]
pub struct SuggestArgs {
    /// Gold set: a name below gold/ or a .jsonl file; begun when it is not there
    #[arg(value_name = "NAME|FILE")]
    name: String,
    /// Drafts, shared among the styles
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Decides the order of the passages, and the misspellings
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Styles, separated by commas: plain, colloquial, typo, unanswerable [default: all]
    #[arg(long, value_delimiter = ',', value_name = "STYLES")]
    style: Vec<DraftStyle>,
    /// Write the drafts to a new file and ask nobody
    #[arg(long, value_name = "FILE")]
    drafts: Option<PathBuf>,
    /// Ask about the drafts of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["drafts", "count", "seed", "style"])]
    review: Option<PathBuf>,
    #[command(flatten)]
    pipeline: PipelineArgs,
    #[command(flatten)]
    reader: ReaderArgs,
}

/// What came of it, for `--json`.
#[derive(Serialize)]
struct Report<'a> {
    gold: &'a Path,
    /// Drafts that were worth showing.
    drafted: usize,
    /// Attempts of the model that were not, by reason.
    dropped: BTreeMap<DropReason, usize>,
    /// Drafts that were written to a file for later.
    #[serde(skip_serializing_if = "Option::is_none")]
    drafts: Option<&'a [Draft]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewed: Option<ReviewReport<'a>>,
}

#[derive(Serialize)]
struct ReviewReport<'a> {
    accepted: &'a [Question],
    edited: usize,
    declined: usize,
    /// Not decided on.
    left: usize,
}

pub fn run(args: &SuggestArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    if args.drafts.is_none() && !io::stdin().is_terminal() {
        bail!(
            "standard input is no terminal, and nothing enters a gold set that no person has seen. \
             Write the drafts by --drafts FILE, and look at them by --review FILE in a terminal"
        );
    }
    if let Some(path) = args.drafts.as_deref().filter(|path| path.exists()) {
        bail!(
            "{}: it is there already. Look at its drafts by --review, or name another file",
            path.display()
        );
    }
    let path = gold_path(&args.name);
    let mut settings = settings.clone();
    settings.apply_pipeline(&args.pipeline);
    settings.apply_reader(&args.reader);
    let kb = kb_of(&path, args.pipeline.kb.as_ref(), &settings)?;
    let kb = KnowledgeBase::load(&kb_path(&kb))?;
    let author = Author::open(&path, &kb)?;
    if path.is_file() {
        settings = settings.with_guard(Gold::load(&path)?.guard);
    }
    let mut stock = stock(common)?;
    let work = Work {
        path: &path,
        kb: &kb,
        common,
    };
    if let Some(file) = &args.review {
        let drafts = load_drafts(file)?;
        // The reader is needed for edited drafts only.
        let mut built: Option<Pipeline> = None;
        let mut check = |question: &Question| -> Result<Check> {
            let built = match &mut built {
                Some(built) => built,
                none => none.insert(pipeline(&kb, &settings, true, &mut stock, common.quiet)?),
            };
            work.check(question, built).map_err(Into::into)
        };
        return work.review_file(author, file, &drafts, &mut check);
    }
    let drafter = Drafter::load(stock.models(), &settings.pipeline())?;
    let pipeline = pipeline(&kb, &settings, true, &mut stock, common.quiet)?;
    let styles = styles(&args.style, args.count.into());
    match &args.drafts {
        Some(file) => work.write(&author, &styles, args.seed, (&drafter, &pipeline), file),
        None => work.ask(author, &styles, args.seed, (&drafter, &pipeline)),
    }
}

/// How many drafts of each style, the greater shares first; misspelled ones last, for they are made
/// of plain ones that may be accepted before.
fn styles(asked: &[DraftStyle], count: usize) -> Vec<(DraftStyle, usize)> {
    let is_asked = |style: &DraftStyle| asked.is_empty() || asked.contains(style);
    let styles: Vec<DraftStyle> = DraftStyle::ALL.into_iter().filter(is_asked).collect();
    let share = |at| count / styles.len() + usize::from(at < count % styles.len());
    let shares = styles
        .iter()
        .enumerate()
        .map(|(at, style)| (*style, share(at)));
    shares.filter(|(_, share)| *share > 0).collect()
}

struct Work<'a> {
    path: &'a Path,
    kb: &'a KnowledgeBase,
    common: &'a Common,
}

impl Work<'_> {
    fn check(&self, question: &Question, pipeline: &Pipeline) -> Result<Check, Error> {
        check_draft(question, self.kb, pipeline, &mut |_| self.loading())
    }

    fn loading(&self) {
        note(self.common.quiet, "loading the reader");
    }

    fn say(&self, text: &str) {
        note(self.common.quiet, text);
    }

    /// `--drafts`: every draft goes to the file as soon as it is there.
    fn write(
        &self,
        author: &Author<'_>,
        styles: &[(DraftStyle, usize)],
        seed: u64,
        (drafter, pipeline): (&Drafter, &Pipeline),
        file: &Path,
    ) -> Result<Verdict> {
        let mut write = |task, passage: &str, lang| {
            Ok(drafter.write(task, passage, lang, &mut |_| self.loading())?)
        };
        let mut read = |question: &Question| self.check(question, pipeline);
        let mut suggester = Suggester::new(author, seed, &mut write, &mut read);
        let mut keep = |draft: &Draft| append_draft(file, draft).map_err(Into::into);
        let drafts = self.draft(&mut suggester, author, styles, &mut keep)?;
        let dropped = suggester.dropped().clone();
        if drafts.is_empty() {
            bail!(
                "no draft could be used, so nothing was written. {}",
                why(&dropped)
            );
        }
        if self.common.json {
            json(&Report {
                gold: self.path,
                drafted: drafts.len(),
                dropped,
                drafts: Some(&drafts),
                reviewed: None,
            })?;
        } else {
            let agree = drafts.iter().filter(|draft| draft.check.agrees).count();
            print(&format!(
                "{} drafts, {agree} of them borne out by the reader. {}\n{}\n",
                drafts.len(),
                why(&dropped),
                file.display()
            ))?;
        }
        Ok(Verdict::Good)
    }

    /// Drafts, then asks; misspelled ones in a second round.
    fn ask(
        &self,
        mut author: Author<'_>,
        styles: &[(DraftStyle, usize)],
        seed: u64,
        (drafter, pipeline): (&Drafter, &Pipeline),
    ) -> Result<Verdict> {
        let mut write = |task, passage: &str, lang| {
            Ok(drafter.write(task, passage, lang, &mut |_| self.loading())?)
        };
        let mut read = |question: &Question| self.check(question, pipeline);
        let mut suggester = Suggester::new(&author, seed, &mut write, &mut read);
        let (mut reviewed, mut drafted, mut left) = (Reviewed::default(), 0, 0);
        let (written, misspelled): (Vec<_>, Vec<_>) = styles
            .iter()
            .partition(|(style, _)| *style != DraftStyle::Typo);
        for round in [written, misspelled] {
            if round.is_empty() || reviewed.quit {
                continue;
            }
            let drafts = self.draft(&mut suggester, &author, &round, &mut |_| Ok(()))?;
            drafted += drafts.len();
            let before = reviewed.accepted.len() + reviewed.declined;
            let mut check = |q: &Question| self.check(q, pipeline).map_err(Into::into);
            let mut desk = Desk {
                check: &mut check,
                decided: &mut |question, _| self.accepted(question),
            };
            let person = &mut Person::in_front();
            review(person, &mut author, &drafts, &mut desk, &mut reviewed)?;
            left += drafts.len() - (reviewed.accepted.len() + reviewed.declined - before);
        }
        let dropped = suggester.dropped().clone();
        if drafted == 0 {
            bail!("no draft could be used. {}", why(&dropped));
        }
        self.finish(&author, drafted, dropped, &reviewed, left)
    }

    /// `--review`.
    fn review_file(
        &self,
        mut author: Author<'_>,
        file: &Path,
        drafts: &[Draft],
        check: &mut dyn FnMut(&Question) -> Result<Check>,
    ) -> Result<Verdict> {
        if drafts.is_empty() {
            bail!("{}: no draft is left in it", file.display());
        }
        let mut reviewed = Reviewed::default();
        let left = RefCell::new(drafts.len());
        let mut desk = Desk {
            check,
            decided: &mut |question, rest| {
                self.accepted(question)?;
                *left.borrow_mut() = rest.len();
                write_drafts(file, rest).with_context(|| file.display().to_string())
            },
        };
        let person = &mut Person::in_front();
        review(person, &mut author, drafts, &mut desk, &mut reviewed)?;
        let left = left.into_inner();
        self.finish(&author, drafts.len(), BTreeMap::new(), &reviewed, left)
    }

    /// Standard output has the accepted questions alone, or the report.
    fn accepted(&self, question: Option<&Question>) -> Result<()> {
        match question {
            Some(question) if !self.common.json => {
                print(&format!("{}\n", serde_json::to_string(question)?))
            }
            _ => Ok(()),
        }
    }

    fn finish(
        &self,
        author: &Author<'_>,
        drafted: usize,
        dropped: BTreeMap<DropReason, usize>,
        reviewed: &Reviewed,
        left: usize,
    ) -> Result<Verdict> {
        let accepted = &reviewed.accepted;
        let mut text = format!(
            "\n{} of {drafted} drafts added to {}, {} of them edited; {} questions in all",
            accepted.len(),
            self.path.display(),
            reviewed.edited,
            author.len()
        );
        if left > 0 {
            text.push_str(&format!("; {left} drafts were not looked at"));
        }
        if !dropped.is_empty() {
            text.push_str(&format!("\n{}", why(&dropped)));
        }
        self.say(&text);
        if self.common.json {
            json(&Report {
                gold: self.path,
                drafted,
                dropped,
                drafts: None,
                reviewed: Some(ReviewReport {
                    accepted,
                    edited: reviewed.edited,
                    declined: reviewed.declined,
                    left,
                }),
            })?;
        }
        Ok(Verdict::Good)
    }

    /// Drafts of each style; `keep` is given each as it comes.
    fn draft(
        &self,
        suggester: &mut Suggester<'_>,
        author: &Author<'_>,
        styles: &[(DraftStyle, usize)],
        keep: &mut dyn FnMut(&Draft) -> Result<()>,
    ) -> Result<Vec<Draft>> {
        let wanted: usize = styles.iter().map(|(_, share)| share).sum();
        let mut bar = Progress::terminal("drafting", self.common.quiet);
        let mut drafts = Vec::new();
        bar.at(0, wanted);
        for (style, share) in styles {
            for done in 0..*share {
                let Some(draft) = suggester.draft(author, *style)? else {
                    let text = match style {
                        DraftStyle::Typo => {
                            "no further plain question of the dev split to misspell".to_owned()
                        }
                        _ => format!("no further usable draft of the style {style}"),
                    };
                    bar.note(&format!("note: {text}; {done} of {share}"));
                    break;
                };
                keep(&draft)?;
                drafts.push(draft);
                bar.at(drafts.len(), wanted);
            }
        }
        bar.clear();
        Ok(drafts)
    }
}

/// `5 attempts were dropped: 3 the answer is not in the passage, …`
fn why(dropped: &BTreeMap<DropReason, usize>) -> String {
    let all: usize = dropped.values().sum();
    let each: Vec<String> = dropped
        .iter()
        .map(|(why, n)| format!("{n} because {why}"))
        .collect();
    match all {
        0 => "No attempt was dropped".to_owned(),
        1 => format!(
            "1 attempt was dropped, {}",
            each.join(", ").trim_start_matches("1 ")
        ),
        _ => format!("{all} attempts were dropped: {}", each.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_shared_among_the_styles_and_misspelled_ones_come_last() {
        use DraftStyle::{Colloquial, Plain, Typo, Unanswerable};
        let all = [(Plain, 3), (Colloquial, 2), (Unanswerable, 2), (Typo, 2)];
        assert_eq!(styles(&[], 9), all);
        assert_eq!(styles(&[Typo, Plain], 3), [(Plain, 2), (Typo, 1)]);
        assert_eq!(styles(&[], 1), [(Plain, 1)]);
    }

    #[test]
    fn reasons_are_counted() {
        let of = |pairs: &[(DropReason, usize)]| why(&pairs.iter().copied().collect());
        assert_eq!(of(&[]), "No attempt was dropped");
        assert_eq!(
            of(&[(DropReason::GivesAway, 1)]),
            "1 attempt was dropped, because the question holds its answer"
        );
        assert_eq!(
            of(&[(DropReason::GivesAway, 1), (DropReason::NoQuestion, 2)]),
            "3 attempts were dropped: 2 because no question or answer was written, 1 because the \
             question holds its answer"
        );
    }
}
