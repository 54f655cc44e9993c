//! An ablation as a table for the terminal and as Markdown.

use std::fmt::Write;

use fiel_record::{Ablation, AgainstFirst, counted};

use crate::{Style, column_title, mean_text, p_value};

/// Significance level after correction.
const ALPHA: f64 = 0.05;

/// Renders an ablation: one row per variant, with the differences to the first variant below it.
pub fn ablation_screen(ablation: &Ablation, style: Style) -> String {
    let names = ablation.arms.iter().map(|arm| arm.name.chars().count());
    let width = names.max().unwrap_or(0).max(7);
    let has_whole = ablation.arms.iter().any(|arm| arm.whole.is_some());
    let mut out = format!(
        "{} on {}, {}\n\n",
        ablation.gold,
        ablation.kb,
        counted(ablation.questions, "question")
    );
    let mut head = format!("{:<width$}", "variant");
    for column in &ablation.columns {
        let _ = write!(head, "  {:<22}", column_title(*column));
    }
    head.push_str("  p50 ms   p95 ms");
    if has_whole {
        head.push_str("  whole p50");
    }
    out.push_str(&style.bold(&head));
    out.push('\n');
    for arm in &ablation.arms {
        let mut line = format!("{:<width$}", arm.name);
        for mean in &arm.means {
            let _ = write!(
                line,
                "  {:<22}",
                mean.as_ref().map_or("-".to_owned(), |mean| mean_text(mean, "-"))
            );
        }
        if let Some(latency) = &arm.retrieval {
            let _ = write!(line, "  {:>6.1}  {:>7.1}", latency.p50, latency.p95);
        }
        if has_whole {
            let whole = arm.whole.map_or("-".to_owned(), |l| format!("{:.0}", l.p50));
            let _ = write!(line, "  {whole:>9}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
        if let Some(other) = &arm.same_as {
            let _ = writeln!(out, "{:<width$}  {}", "", style.dim(&format!("same as {other}")));
            continue;
        }
        if arm.against_first.is_empty() {
            continue;
        }
        let mut line = format!("{:<width$}", "");
        for (difference, column) in arm.against_first.iter().zip(&ablation.columns) {
            let direction = column.measure.direction();
            let text = difference.as_ref().map_or(String::new(), change);
            let padded = format!("  {text:<22}");
            line.push_str(&match difference {
                Some(d) if d.p_holm < ALPHA && direction.gain(d.paired.difference) > 0.0 => {
                    style.good(&padded)
                }
                Some(d) if d.p_holm < ALPHA => style.bad(&padded),
                _ => style.dim(&padded),
            });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "\nsecond lines: difference to {}, p corrected by Holm over all variants and measures shown; coloured if p < {ALPHA}",
        ablation.arms.first().map_or("the first variant", |arm| arm.name.as_str())
    );
    for arm in &ablation.arms {
        for slice in &arm.worse_slices {
            let line = format!(
                "{}: {} is worse in {}: {:+.3} (n {}), over all questions {:+.3}",
                arm.name, slice.tag, slice.column, slice.difference, slice.n, slice.overall
            );
            let _ = writeln!(out, "{}", style.bad(&line));
        }
    }
    out
}

/// Renders an ablation as Markdown.
pub fn ablation_markdown(ablation: &Ablation) -> String {
    let mut out = "| variant |".to_owned();
    for column in &ablation.columns {
        let _ = write!(out, " {} | difference to the first (p) |", column_title(*column));
    }
    out.push_str(" p50 ms | p95 ms |\n|---|");
    out.push_str(&"---|".repeat(2 * ablation.columns.len() + 2));
    out.push('\n');
    for (at, arm) in ablation.arms.iter().enumerate() {
        let _ = write!(out, "| {} |", arm.name.replace('|', "\\|"));
        for (column, mean) in arm.means.iter().enumerate() {
            let mean = mean.as_ref().map_or("-".to_owned(), |mean| mean_text(mean, "-"));
            let difference = arm.against_first.get(column).and_then(Option::as_ref);
            let against = match (&arm.same_as, difference) {
                _ if at == 0 => String::new(),
                (Some(other), _) => format!("same as {other}"),
                (None, difference) => difference.map_or("-".to_owned(), change),
            };
            let _ = write!(out, " {mean} | {against} |");
        }
        let latency = arm.retrieval.map_or((f64::NAN, f64::NAN), |l| (l.p50, l.p95));
        let _ = writeln!(out, " {:.1} | {:.1} |", latency.0, latency.1);
    }
    out
}

/// `+0.012 p 0.031`
fn change(difference: &AgainstFirst) -> String {
    format!("{:+.3} p {}", difference.paired.difference + 0.0, p_value(difference.p_holm))
}
