//! `fiel compare`

use std::fmt::Write;

use fiel_metrics::{Change, Interval};
use fiel_record::{
    Column, ComparedMeasure, ComparedRun, Comparison, EvalMode, Flip, counted, headline, one_line,
    one_line_of,
};

use crate::{Style, p_value};

/// Number of flips shown per mode and direction; of the others only the ids.
const FLIPS: usize = 10;

/// Renders a comparison. Warnings and worse tags come first.
pub fn comparison_screen(c: &Comparison, style: Style) -> String {
    let mut out = String::new();
    for (name, ComparedRun { run, git, note, .. }) in [("A", &c.a), ("B", &c.b)] {
        let _ = write!(out, "{name}  {run}");
        for text in [git, note].into_iter().flatten() {
            let _ = write!(out, "  {text}");
        }
        out.push('\n');
    }
    if !c.unlike.is_empty() {
        let line = format!(
            "WARNING: different {what}; the differences below may come from that, not from the runs",
            what = c.unlike.join(" and ")
        );
        let _ = writeln!(out, "{}", style.bad(&line));
    }
    for s in &c.worse_slices {
        let line = format!(
            "{} is worse in {}: {:+.3} (n {}), while all questions are better: {:+.3}",
            s.tag, s.column, s.difference, s.n, s.overall
        );
        let _ = writeln!(out, "{}", style.bad(&line));
    }
    if c.identical {
        let line = "The runs are identical, record by record: the differences have no effect.";
        let _ = writeln!(out, "{}", style.bold(line));
    } else if c.rows.iter().all(|row| row.paired.identical) {
        let _ = writeln!(out, "{}", style.bold("The runs are identical in every measure shown."));
    }
    if c.differences.is_empty() {
        out.push_str("settings, models, gold set and knowledge base are the same\n");
    } else {
        let _ = writeln!(out, "differences: {}", one_line_of(&c.differences));
    }
    let _ = write!(out, "{} in both", counted(c.questions, "question"));
    for (name, only) in [("A", &c.only_a), ("B", &c.only_b)] {
        if !only.is_empty() {
            let _ = write!(out, ", {} only in {name} (left out)", only.len());
        }
    }
    out.push_str("\n\n");
    rows(&mut out, c, style);
    if let (Some(a), Some(b)) = (&c.a.abstention, &c.b.abstention) {
        let _ = writeln!(
            out,
            "\nfalse answers {} → {}, over-refusals {} → {} (all questions of each run)",
            a.false_answers, b.false_answers, a.over_refusals, b.over_refusals
        );
    }
    flips(&mut out, c, style);
    out
}

fn rows(out: &mut String, c: &Comparison, style: Style) {
    let width = c.rows.iter().map(|r| r.column.to_string().len()).max();
    let width = width.unwrap_or(0).max(7);
    let head = format!(
        "{:<width$} {:>6} {:>6}  {:<24} {:>6} {:>6}  {:<16} {:>4}",
        "measure", "A", "B", "B − A", "p", "Holm", "win/tie/loss", "n"
    );
    let _ = writeln!(out, "{}", style.bold(&head));
    for ComparedMeasure { column, paired: p, p_holm } in &c.rows {
        let mut difference = format!("{:+.3}", p.difference + 0.0);
        if let Some(Interval { low, high }) = p.interval {
            let _ = write!(difference, " [{:+.3}, {:+.3}]", low + 0.0, high + 0.0);
        }
        let painted = match p.change(*p_holm, column.measure.direction()) {
            Change::Better => style.good(&format!("{difference:<24}")),
            Change::Worse => style.bad(&format!("{difference:<24}")),
            Change::None => format!("{difference:<24}"),
        };
        let counts = format!("{}/{}/{}", p.wins, p.ties, p.losses);
        let mut line = format!(
            "{:<width$} {:>6.3} {:>6.3}  {painted} {:>6} {:>6}  {counts:<16} {:>4}",
            column.to_string(),
            p.mean_a,
            p.mean_b,
            p_value(p.p),
            p_value(*p_holm),
            p.n
        );
        if p.identical {
            line.push_str("  identical");
        } else if p.left_out > 0 {
            let _ = write!(line, "  {} without a value in both", p.left_out);
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let _ = writeln!(
        out,
        "p: exact McNemar for 0/1 measures, sign-flip permutation otherwise; Holm over the {} rows",
        c.rows.len()
    );
    let mde = |column: Column| {
        let row = c.rows.iter().find(|row| row.column == column)?;
        Some(format!("{column} {:.3}", row.paired.mde?))
    };
    let shown: Vec<String> = headline().into_iter().filter_map(mde).collect();
    if !shown.is_empty() {
        let _ = writeln!(
            out,
            "minimum detectable difference (α 0.05, power 0.80): {}",
            shown.join(", ")
        );
    }
}

fn flips(out: &mut String, c: &Comparison, style: Style) {
    for mode in EvalMode::ALL {
        for (better, title) in [(false, "right in A only"), (true, "right in B only")] {
            let of_kind: Vec<&Flip> =
                c.flips.iter().filter(|f| f.mode == mode && f.better == better).collect();
            if of_kind.is_empty() {
                continue;
            }
            let _ =
                writeln!(out, "\n{}", style.bold(&format!("{mode}: {title} ({})", of_kind.len())));
            for flip in of_kind.iter().take(FLIPS) {
                let room = style.width.saturating_sub(2);
                let line = format!("{} {}", flip.id, flip.question);
                let _ = writeln!(out, "  {}", one_line(&line, room));
                let line = format!("A: {}; B: {}", flip.a, flip.b);
                let _ =
                    writeln!(out, "      {}", style.dim(&one_line(&line, room.saturating_sub(4))));
            }
            if of_kind.len() > FLIPS {
                let ids: Vec<&str> = of_kind[FLIPS..].iter().map(|f| f.id.as_str()).collect();
                let _ = writeln!(out, "  … and {}", ids.join(", "));
            }
        }
    }
}
