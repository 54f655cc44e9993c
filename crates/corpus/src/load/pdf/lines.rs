//! From the characters on a page to lines.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

use super::columns;

/// A gap wider than this share of the font size is a space.
const SPACE_GAP: f64 = 0.1;

/// A gap wider than this many font sizes separates columns or cells.
const COLUMN_GAP: f64 = 2.0;

/// A line of text on a page. Lengths are in points (1/72 inch).
#[derive(Debug, Default)]
pub(super) struct PdfLine {
    /// Number of the page, from 1.
    pub page: u32,
    pub text: String,
    /// Mean font size of the characters, because code or a bullet may be smaller.
    pub size: f64,
    /// Number of characters drawn.
    pub letters: u32,
    /// Height of the baseline, which decreases down the page.
    pub base: f64,
    /// Direction of the baseline, in radians.
    pub angle: f64,
    /// Position along the baseline where the first character starts.
    pub start: f64,
    /// Position along the baseline where the last character ends.
    pub end: f64,
    /// Whether it continues the baseline of the line before, after a wide gap.
    pub continues_row: bool,
}

/// Collects the lines of a document in drawing order.
#[derive(Default)]
pub(super) struct LineCollector {
    lines: Vec<PdfLine>,
    page: u32,
    /// Whether the next character is the first of a run, before which there may be a space.
    starts_run: bool,
}

impl LineCollector {
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Drops the lines of a page that could not be read to its end.
    pub(super) fn truncate(&mut self, length: usize) {
        self.lines.truncate(length);
    }

    /// Returns the lines with text, trimmed, in reading order.
    pub(super) fn into_lines(self) -> Vec<PdfLine> {
        let mut lines = self.lines;
        for line in &mut lines {
            line.text = line.text.trim().to_owned();
        }
        lines.retain(|line| !line.text.is_empty());
        columns::in_reading_order(lines)
    }
}

impl OutputDev for LineCollector {
    fn begin_page(
        &mut self,
        page: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.page = page;
        Ok(())
    }

    fn output_character(
        &mut self,
        transform: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let size = font_size.abs() * transform.m21.hypot(transform.m22);
        let angle = transform.m12.atan2(transform.m11);
        let (sin, cos) = angle.sin_cos();
        let start = transform.m31 * cos + transform.m32 * sin;
        let base = transform.m32 * cos - transform.m31 * sin;
        let is_on_baseline = self.lines.last().is_some_and(|line| {
            line.page == self.page
                && (line.angle - angle).abs() < 0.1
                // A superscript or subscript stays in its line.
                && (line.base - base).abs() < 0.5 * line.size.max(size)
                && start > line.end - size
        });
        let is_far = self
            .lines
            .last()
            .is_some_and(|line| start > line.end + COLUMN_GAP * line.size.max(size));
        if !is_on_baseline || is_far {
            self.lines.push(PdfLine {
                page: self.page,
                base,
                angle,
                start,
                end: start,
                continues_row: is_on_baseline,
                ..PdfLine::default()
            });
        }
        if let Some(line) = self.lines.last_mut() {
            let is_apart = self.starts_run && start > line.end + SPACE_GAP * size;
            if is_apart && !line.text.ends_with(char::is_whitespace) {
                line.text.push(' ');
            }
            line.letters += 1;
            line.size += (size - line.size) / f64::from(line.letters);
            line.text.extend(text.chars().filter(|c| !c.is_control()));
            line.end = start + width * font_size.abs() * transform.m11.hypot(transform.m12);
        }
        self.starts_run = false;
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.starts_run = true;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}
