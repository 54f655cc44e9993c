//! The measures of a run on the terminal.

use std::fmt::Write;

use fiel_metrics::{ClaimMeasure, Estimate, Measure};
use fiel_record::{
    Bottleneck, Class, EvalMode, Mark, QuestionRecord, Summary, Target, counted, one_line,
};

use crate::{Style, mean_text};

/// Renders the measures of retrieval, which are known before those of the answers.
pub fn retrieval_screen(summary: &Summary, style: Style) -> String {
    let mut out = String::new();
    mode_table(&mut out, summary, EvalMode::Retrieval, style);
    dense_line(&mut out, summary);
    out
}

/// Renders the summary of a run: measures with targets, bottleneck, causes, wrong answers, times.
pub fn screen(summary: &Summary, records: &[QuestionRecord], style: Style) -> String {
    let mut out = String::new();
    let done = records.len();
    let _ = writeln!(
        out,
        "{}  {} ({} answerable, {} not) of {}",
        style.bold(&match &summary.manifest.system {
            None => format!("{} on {}", summary.manifest.gold, summary.manifest.kb),
            Some(system) => format!("{system} on {}", summary.manifest.gold),
        }),
        counted(done, "question"),
        summary.answerable,
        summary.unanswerable,
        summary.manifest.questions,
    );
    if done < summary.planned {
        let note = format!(
            "Stopped after {done} of {} questions; all figures cover only these.",
            summary.planned
        );
        let _ = writeln!(out, "{}", style.bad(&note));
    }
    for mode in EvalMode::ALL {
        mode_table(&mut out, summary, mode, style);
        if mode == EvalMode::Retrieval {
            dense_line(&mut out, summary);
        }
    }
    targets(&mut out, summary, style);
    reading(&mut out, summary);
    classes(&mut out, summary, records);
    misses(&mut out, records, style);
    judge(&mut out, summary, style);
    system(&mut out, summary, style);
    let _ = writeln!(out, "\n{} {}", style.bold("run"), summary.timing.run);
    out
}

fn number(value: f64) -> String {
    format!("{value:.3}")
}

/// `n`, and the numbers of undefined and failed questions if there are any.
fn counts(estimate: &Estimate) -> String {
    let mean = &estimate.mean;
    let mut out = format!("n {}", mean.n);
    if mean.undefined > 0 {
        let _ = write!(out, ", undefined {}", mean.undefined);
    }
    if mean.failed > 0 {
        let _ = write!(out, ", failed {}", mean.failed);
    }
    out
}

fn mode_table(out: &mut String, summary: &Summary, mode: EvalMode, style: Style) {
    let Some(measures) = summary.measures.get(&mode).filter(|m| !m.is_empty()) else {
        return;
    };
    let title = match mode {
        EvalMode::Retrieval => "Retrieval",
        EvalMode::Oracle => "Oracle context",
        EvalMode::E2e => "End to end",
    };
    let _ = writeln!(out, "\n{}", style.bold(title));
    for (measure, estimate) in measures {
        let target = summary.targets.iter().find(|t| t.mode == mode && t.measure == *measure);
        let mut verdict = target.map_or(String::new(), |t| format!("  {}", verdict(t, style)));
        let is_judged = match measure {
            Measure::Claim(claim) => matches!(
                claim,
                ClaimMeasure::Grounding
                    | ClaimMeasure::Hallucination
                    | ClaimMeasure::HallucinationRate
            ),
            Measure::Judged(quality) => quality.needs_judge(),
            _ => false,
        };
        let judge = summary.judge.as_ref().filter(|_| is_judged);
        if judge.is_some_and(|judge| judge.uncalibrated.is_some()) {
            verdict.push_str(&style.dim("  uncalibrated"));
        }
        let _ = writeln!(
            out,
            "  {:<20} {:<22} {}{verdict}",
            measure.mean_name(),
            mean_text(estimate, "undefined"),
            style.dim(&format!("{:<18}", counts(estimate))),
        );
    }
}

fn verdict(target: &Target, style: Style) -> String {
    match target.met {
        Some(true) => style.good(&format!("{} met", target.sign())),
        Some(false) => style.bad(&format!("{} MISSED", target.sign())),
        None => format!("{} not measured", target.sign()),
    }
}

fn targets(out: &mut String, summary: &Summary, style: Style) {
    let of_latency = summary.timing.targets.iter().map(|t| t.met);
    let all = summary.targets.iter().map(|t| t.met).chain(of_latency);
    let (met, run) = all.fold((0, 0), |(met, run), is_met| {
        (met + usize::from(is_met == Some(true)), run + usize::from(is_met.is_some()))
    });
    if run > 0 {
        let line = format!("targets met: {met} of {run}");
        let _ =
            writeln!(out, "\n{}", if met == run { style.good(&line) } else { style.bad(&line) });
    }
    let bottleneck = match summary.bottleneck {
        None => return,
        Some(Bottleneck::Reader) => "reader: F1 with the oracle context misses its target",
        Some(Bottleneck::Retrieval) => {
            "retrieval: F1 falls significantly from the oracle context to end to end"
        }
        Some(Bottleneck::Verification) => {
            "prompt or verification: a measure of claims or citations misses its target"
        }
        Some(Bottleneck::None) if summary.targets.is_empty() => {
            "not judged: the gold set has no targets"
        }
        Some(Bottleneck::None) => "none found",
    };
    let _ = writeln!(out, "bottleneck: {bottleneck}");
}

fn dense_line(out: &mut String, summary: &Summary) {
    let Some(loss) = &summary.dense_loss else {
        return;
    };
    let worst = loss.worst.as_ref().map_or(String::new(), |id| format!(", worst question {id}"));
    let _ = writeln!(
        out,
        "  HNSW compared with exact search: overlap@10 {:.3}, change in hit@5 {:+.3}, in nDCG@10 {:+.3}{worst}",
        loss.overlap_at_10, loss.hit_at_5, loss.ndcg_at_10
    );
}

fn reading(out: &mut String, summary: &Summary) {
    if let Some(r) = &summary.readers {
        let _ = writeln!(
            out,
            "oracle F1 {:.3} − e2e F1 {:.3} = {:+.3} [{:+.3}, {:+.3}]; expected e2e F1 (oracle F1 × hit@k) {:.3}",
            r.oracle_f1, r.e2e_f1, r.difference, r.low, r.high, r.proportion
        );
    }
    for (mode, spread) in &summary.spread {
        let means: Vec<String> = spread.f1.iter().map(|f1| number(*f1)).collect();
        let _ = writeln!(
            out,
            "{mode}, {} answers per question: mean F1 {}; standard deviation within a question {}; \
             share of questions with identical answers {}, with right and wrong answers {} (n {})",
            spread.answers,
            means.join(", "),
            number(spread.deviation),
            number(spread.same),
            number(spread.undecided),
            spread.questions
        );
    }
    if let Some(a) = &summary.abstention {
        let share = |x: Option<f64>| x.map_or("undefined".to_owned(), number);
        let _ = writeln!(
            out,
            "abstention: answerable {} answered, {} over-refusals; unanswerable {} refused, {} false answers; \
             precision {}, recall {}, F1 {} (always abstaining: {})",
            a.answered,
            a.over_refusals,
            a.correct_refusals,
            a.false_answers,
            share(a.precision()),
            share(a.recall()),
            share(a.f1()),
            share(a.f1_of_refusing_all())
        );
    }
}

fn classes(out: &mut String, summary: &Summary, records: &[QuestionRecord]) {
    let wrong: usize = summary.classes.values().sum();
    if wrong > 0 {
        let parts: Vec<String> = Class::ALL
            .iter()
            .filter_map(|class| summary.classes.get(class).map(|n| format!("{class} {n}")))
            .collect();
        let _ = writeln!(out, "{}: {}", counted(wrong, "wrong answer"), parts.join(", "));
    }
    let marked = |mark: Mark| records.iter().filter(|r| r.marks.contains(&mark)).count();
    let parts: Vec<String> = [Mark::Format, Mark::SelfKnowledge, Mark::GoldSuspect]
        .into_iter()
        .map(|mark| (mark, marked(mark)))
        .filter(|(_, n)| *n > 0)
        .map(|(mark, n)| format!("{mark} {n}"))
        .collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "marks: {}", parts.join(", "));
    }
}

/// The number of misses to list; the others are only counted.
const MISSES: usize = 12;

fn misses(out: &mut String, records: &[QuestionRecord], style: Style) {
    let missed: Vec<&QuestionRecord> = records
        .iter()
        .filter(|r| match (&r.e2e, r.unanswerable) {
            (Some(_), _) => r.class.is_some() || r.marks.contains(&Mark::FalseAnswer),
            (None, false) => r.retrieval.error.is_some() || is_retrieval_miss(r),
            (None, true) => r.retrieval.error.is_some(),
        })
        .collect();
    if missed.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", style.bold("Misses"));
    for record in missed.iter().take(MISSES) {
        let class = match (record.class, record.unanswerable) {
            (Some(class), _) => class.to_string(),
            (None, true) => "false answer".to_owned(),
            (None, false) => "retrieval miss".to_owned(),
        };
        let line = format!("  {} [{class}] {}", record.id, record.question);
        let _ = writeln!(out, "{}", one_line_indented(&line, style.width));
        let _ = writeln!(
            out,
            "{}",
            style.dim(&one_line_indented(&expected_and_actual(record), style.width))
        );
    }
    if missed.len() > MISSES {
        let _ = writeln!(
            out,
            "  … and {} more; see records.jsonl or the HTML report",
            missed.len() - MISSES
        );
    }
}

fn is_retrieval_miss(record: &QuestionRecord) -> bool {
    record.retrieval.groups > 0 && record.retrieval.hits.iter().all(|hit| hit.finds.is_empty())
}

fn one_line_indented(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len();
    format!("{}{}", &line[..indent], one_line(line, width.saturating_sub(indent)))
}

/// The expected and the actual answer or passages.
fn expected_and_actual(record: &QuestionRecord) -> String {
    let expected = if record.unanswerable {
        "an abstention"
    } else {
        record.references.first().map_or("", String::as_str)
    };
    if let Some(error) = &record.retrieval.error {
        return format!("      failed: {error}");
    }
    match &record.e2e {
        Some(read) => match &read.error {
            Some(error) => format!("      failed: {error}"),
            None => format!("      expected: {expected}; got: {}", read.answer),
        },
        None => {
            let found: Vec<&str> =
                record.retrieval.hits.iter().take(3).map(|h| h.chunk.as_str()).collect();
            format!(
                "      evidence in {}; got: {}",
                record.retrieval.evidence.join(", "),
                found.join(", ")
            )
        }
    }
}

/// The claim unit, the judges of claims and answers, and whether they are calibrated.
fn judge(out: &mut String, summary: &Summary, style: Style) {
    let unit = &summary.manifest.claim_unit;
    let reads = summary.measures.keys().any(|mode| *mode != EvalMode::Retrieval);
    if reads && !unit.is_empty() {
        let _ = writeln!(out, "\nclaim unit: {unit}");
    }
    if let Some(split) = &summary.split {
        let _ = writeln!(
            out,
            "claims split by: {}, {} tokens; {} of {} sentences split into clauses instead, because \
             its claims added or dropped content",
            split.model, split.tokens, split.refused, split.sentences
        );
    }
    let Some(judge) = &summary.judge else {
        return;
    };
    if let Some(scorer) = &judge.scorer {
        let _ = writeln!(out, "scorer of grounding and hallucination: {scorer}");
    }
    if let Some(model) = &judge.model {
        let same = if judge.same_as_reader { " (same as reader)" } else { "" };
        let _ = writeln!(out, "judge: {model}{same}, {} tokens", judge.tokens);
    }
    if let Some(why) = &judge.uncalibrated {
        let _ = writeln!(out, "{}", style.bad(&format!("uncalibrated: {why}")));
    }
}

fn system(out: &mut String, summary: &Summary, style: Style) {
    let timing = &summary.timing;
    let _ = writeln!(out);
    for (mode, tokens) in &summary.tokens {
        let (prompt, answer) = tokens.means();
        let _ =
            writeln!(out, "tokens per question, {mode}: prompt {prompt:.0}, answer {answer:.1}");
    }
    for (stage, l) in &timing.latency {
        let _ = writeln!(
            out,
            "latency, {stage}: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms (n {})",
            l.p50, l.p95, l.p99, l.n
        );
    }
    for target in &timing.targets {
        let _ = match (target.met, target.ms) {
            (Some(true), Some(ms)) => {
                writeln!(out, "{}", style.good(&format!("{target} met: {ms:.0} ms")))
            }
            (Some(false), Some(ms)) => {
                writeln!(out, "{}", style.bad(&format!("{target} MISSED: {ms:.0} ms")))
            }
            _ => writeln!(out, "{target} not measured: every answer is from the cache"),
        };
    }
    if let Some(cost) = &summary.cost {
        let _ = writeln!(
            out,
            "cost: {:.6} per question, {:.2} per month of {} questions",
            cost.per_question, cost.per_month, cost.questions_per_month
        );
    }
    let errors: usize = summary.errors.values().sum();
    let mut line = format!("wall time {:.1} s, errors {errors}", timing.seconds);
    if let Some(rate) = timing.questions_per_second {
        let _ = write!(line, ", {rate:.2} questions/s end to end");
    }
    if timing.cached_answers + timing.fresh_answers > 0 {
        let _ = write!(
            line,
            ", answers {} cached, {} generated",
            timing.cached_answers, timing.fresh_answers
        );
    }
    if let Some(bytes) = timing.peak_memory {
        let _ = write!(line, ", peak memory {:.2} GiB", bytes as f64 / (1u64 << 30) as f64);
    }
    let _ = writeln!(out, "{line}");
}
