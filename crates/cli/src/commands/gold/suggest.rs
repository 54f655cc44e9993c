//! `fiel gold suggest`

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use fiel_corpus::KnowledgeBase;
use fiel_eval::{Drafter, Error, check_draft, index_passages};
use fiel_gold::{
    Author, Draft, DraftCheck, DraftStyle, DropReason, Gold, Question, Suggester, append_draft,
    load_drafts, write_drafts,
};
use fiel_reader::Pipeline;
use fiel_record::{ReviewResult, SuggestResult, counted};
use serde::Serialize;
use serde_json::Value;

use super::{
    person::Person,
    review::{Review, Reviewed},
};
use crate::{
    args::{Common, PipelineArgs, ReaderArgs, setting},
    output::{json, note, print, show},
    progress::Progress,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, gold_path, kb_of, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel gold suggest verbs --count 8\n  \
    fiel gold suggest verbs --style plain,typo --seed 7\n  \
    fiel gold suggest laboral --count 40 --drafts drafts.jsonl\n  \
    fiel gold suggest laboral --review drafts.jsonl\n\n\
    The reader drafts questions from passages, first from documents with few questions. Each draft \
    is linted, answered by the reader and shown for review: accept, edit or drop it. Accepted \
    questions are appended to gold/NAME.jsonl (split dev, tag `drafted`) and printed. Misspelled \
    questions are made from plain ones of the dev split without the model.\n\
    --drafts writes the drafts to a file instead; --review reviews such a file later and removes \
    the drafts that are decided.")]
pub struct SuggestArgs {
    /// Gold set: a name under gold/ or a .jsonl file; created if it does not exist
    #[arg(value_name = "NAME|FILE")]
    name: String,
    /// Number of drafts, divided among the styles
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Seed of the order of the passages and of the misspellings
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Styles, separated by commas: plain, colloquial, typo, unanswerable [default: all]
    #[arg(long, value_delimiter = ',', value_name = "STYLES", value_parser = setting::<DraftStyle>)]
    style: Vec<DraftStyle>,
    /// Write the drafts to a new file without prompting for review
    #[arg(long, value_name = "FILE")]
    drafts: Option<PathBuf>,
    /// Review the drafts of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["drafts", "count", "seed", "style"])]
    review: Option<PathBuf>,
    #[command(flatten)]
    pipeline: PipelineArgs,
    #[command(flatten)]
    reader: ReaderArgs,
}

pub fn run(args: &SuggestArgs, common: &Common) -> Result<Verdict> {
    if args.drafts.is_none() && !io::stdin().is_terminal() {
        bail!(
            "standard input is not a terminal, and a person must review every draft. Write the \
             drafts with --drafts FILE and review them with --review FILE in a terminal"
        );
    }
    if let Some(path) = args.drafts.as_deref().filter(|path| path.exists()) {
        bail!(
            "{}: the file exists already. Review its drafts with --review, or name another file",
            path.display()
        );
    }
    let path = gold_path(&args.name);
    let options = Options::reading(&args.pipeline, &args.reader);
    let mut settings = Settings::resolve(common, &options)?;
    let kb = load_kb(&kb_of(&path, args.pipeline.kb.as_ref(), &settings)?, common)?;
    let mut author = Author::open(&path, &kb, index_passages)?;
    if path.is_file() {
        settings = settings.with_guard(Gold::load(&path)?.guard);
    }
    let mut builder = builder(common)?;
    let work = Work { path: &path, kb: &kb, common };
    if let Some(file) = &args.review {
        let drafts = load_drafts(file)?;
        if drafts.is_empty() {
            bail!("{}: no drafts left", file.display());
        }
        // Only edited drafts need the reader.
        let mut built: Option<Pipeline> = None;
        let mut reviewed = Reviewed::default();
        let mut review = Review {
            person: Person::stdio(),
            check: &mut |question| {
                let built = match &mut built {
                    Some(built) => built,
                    none => {
                        none.insert(pipeline(&kb, &settings, true, &mut builder, common.quiet)?)
                    }
                };
                Ok(work.check(question, built)?)
            },
            on_decision: &mut |question, rest| {
                work.print_accepted(question)?;
                write_drafts(file, rest).with_context(|| file.display().to_string())
            },
        };
        review.run(&mut author, &drafts, &mut reviewed)?;
        return work.finish(&author, work.result(drafts.len(), &BTreeMap::new()), &reviewed);
    }
    let drafter = Drafter::load(builder.models(), &settings.pipeline())?;
    let pipeline = pipeline(&kb, &settings, true, &mut builder, common.quiet)?;
    let styles = styles(&args.style, args.count.into());
    let mut write = |task, passage: &str, lang| {
        Ok(drafter.write(task, passage, lang, &mut |_| work.loading())?)
    };
    let mut read = |question: &Question| Ok(work.check(question, &pipeline)?);
    let mut suggester = Suggester::new(&author, args.seed, &mut write, &mut read);
    match &args.drafts {
        Some(file) => work.write(&mut suggester, &author, &styles, file),
        None => {
            let mut check = |question: &Question| Ok(work.check(question, &pipeline)?);
            work.review(&mut suggester, author, &styles, &mut check)
        }
    }
}

/// Number of drafts per style, larger shares first. Misspelled drafts come last, because they are
/// made from plain ones that may have been accepted before.
fn styles(chosen: &[DraftStyle], count: usize) -> Vec<(DraftStyle, usize)> {
    let is_chosen = |style: &DraftStyle| chosen.is_empty() || chosen.contains(style);
    let styles: Vec<DraftStyle> = DraftStyle::ALL.into_iter().filter(is_chosen).collect();
    let share = |at| count / styles.len() + usize::from(at < count % styles.len());
    let shares = styles.iter().enumerate().map(|(at, style)| (*style, share(at)));
    shares.filter(|(_, share)| *share > 0).collect()
}

struct Work<'a> {
    path: &'a Path,
    kb: &'a KnowledgeBase,
    common: &'a Common,
}

impl Work<'_> {
    fn check(&self, question: &Question, pipeline: &Pipeline) -> Result<DraftCheck, Error> {
        check_draft(question, self.kb, pipeline, &mut |_| self.loading())
    }

    fn loading(&self) {
        note(self.common.quiet, "loading the reader");
    }

    /// `--drafts`: appends every draft to the file as soon as it is written.
    fn write(
        &self,
        suggester: &mut Suggester<'_>,
        author: &Author<'_>,
        styles: &[(DraftStyle, usize)],
        file: &Path,
    ) -> Result<Verdict> {
        let mut keep = |draft: &Draft| Ok(append_draft(file, draft)?);
        let drafts = self.draft(suggester, author, styles, &mut keep)?;
        let mut result = self.result(drafts.len(), suggester.dropped());
        let dropped = result.dropped_line();
        if drafts.is_empty() {
            bail!("no usable draft, so nothing was written. {dropped}");
        }
        result.drafts = Some(values(&drafts)?);
        show(self.common, &result, || {
            let agree = drafts.iter().filter(|draft| draft.check.agrees).count();
            let (count, file) = (drafts.len(), file.display());
            format!("{count} drafts; the reader confirms {agree} of them. {dropped}\n{file}\n")
        })
    }

    /// Drafts and reviews; misspelled drafts come in a second round.
    fn review(
        &self,
        suggester: &mut Suggester<'_>,
        mut author: Author<'_>,
        styles: &[(DraftStyle, usize)],
        check: &mut dyn FnMut(&Question) -> Result<DraftCheck>,
    ) -> Result<Verdict> {
        let (mut reviewed, mut drafted) = (Reviewed::default(), 0);
        let mut review = Review {
            person: Person::stdio(),
            check,
            on_decision: &mut |question, _| self.print_accepted(question),
        };
        let (written, misspelled): (Vec<_>, Vec<_>) =
            styles.iter().partition(|(style, _)| *style != DraftStyle::Typo);
        for round in [written, misspelled] {
            if round.is_empty() || reviewed.left > 0 {
                continue;
            }
            let drafts = self.draft(suggester, &author, &round, &mut |_| Ok(()))?;
            drafted += drafts.len();
            review.run(&mut author, &drafts, &mut reviewed)?;
        }
        let result = self.result(drafted, suggester.dropped());
        if drafted == 0 {
            bail!("no usable draft. {}", result.dropped_line());
        }
        self.finish(&author, result, &reviewed)
    }

    /// Prints an accepted question. With `--json` standard output has only the result.
    fn print_accepted(&self, question: Option<&Question>) -> Result<()> {
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
        mut result: SuggestResult,
        reviewed: &Reviewed,
    ) -> Result<Verdict> {
        let Reviewed { accepted, edited, declined, left } = reviewed;
        let mut text = format!(
            "\n{} of {} drafts added to {}, {edited} of them edited; the set has {}",
            accepted.len(),
            result.drafted,
            self.path.display(),
            counted(author.len(), "question")
        );
        if *left > 0 {
            text.push_str(&format!("; not reviewed: {left}"));
        }
        if !result.dropped.is_empty() {
            text.push_str(&format!("\n{}", result.dropped_line()));
        }
        note(self.common.quiet, &text);
        if self.common.json {
            let accepted = values(accepted)?;
            let (edited, declined, left) = (*edited, *declined, *left);
            result.reviewed = Some(ReviewResult { accepted, edited, declined, left });
            json(&result)?;
        }
        Ok(Verdict::Good)
    }

    fn result(&self, drafted: usize, dropped: &BTreeMap<DropReason, usize>) -> SuggestResult {
        let dropped = dropped.iter().map(|(why, n)| (why.to_string(), *n));
        SuggestResult {
            gold: self.path.to_owned(),
            drafted,
            dropped: dropped.collect(),
            drafts: None,
            reviewed: None,
        }
    }

    /// Drafts each style and passes each draft to `keep`.
    fn draft(
        &self,
        suggester: &mut Suggester<'_>,
        author: &Author<'_>,
        styles: &[(DraftStyle, usize)],
        keep: &mut dyn FnMut(&Draft) -> Result<()>,
    ) -> Result<Vec<Draft>> {
        let total: usize = styles.iter().map(|(_, share)| share).sum();
        let mut bar = Progress::new("drafting", self.common.quiet);
        let mut drafts = Vec::new();
        bar.set(0, total);
        for (style, share) in styles {
            for done in 0..*share {
                let Some(draft) = suggester.draft(author, *style)? else {
                    let text = match style {
                        DraftStyle::Typo => "no further plain dev question to misspell".to_owned(),
                        _ => format!("no further usable draft of style {style}"),
                    };
                    bar.note(&format!("note: {text}; {done} of {share}"));
                    break;
                };
                keep(&draft)?;
                drafts.push(draft);
                bar.set(drafts.len(), total);
            }
        }
        bar.clear();
        Ok(drafts)
    }
}

fn values(items: &[impl Serialize]) -> serde_json::Result<Vec<Value>> {
    items.iter().map(serde_json::to_value).collect()
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
}
