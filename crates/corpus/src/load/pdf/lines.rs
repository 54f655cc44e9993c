//! Characters on a page to lines.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// A gap of this share of the font size is a blank.
const GAP: f64 = 0.1;

/// A line as it was set, lengths in units of the page (1/72 inch).
#[derive(Debug, Default)]
pub(super) struct Line {
    pub page: u32,
    pub text: String,
    /// Mean size of its letters, for code or a bullet may be set smaller.
    pub size: f64,
    pub letters: u32,
    /// Height of the base line: less further down the page.
    pub base: f64,
    /// Direction of the base line, in radians.
    pub angle: f64,
    /// Where its last character ends along the base line.
    pub end: f64,
}

/// Collects the lines of a document in the order in which it draws them.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    page: u32,
    starts_run: bool,
}

impl Lines {
    pub(super) fn into_lines(self) -> Vec<Line> {
        let mut lines = self.lines;
        for line in &mut lines {
            line.text = line.text.trim().to_owned();
        }
        lines.retain(|line| !line.text.is_empty());
        lines
    }
}

impl OutputDev for Lines {
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
        at: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let size = font_size.abs() * at.m21.hypot(at.m22);
        let angle = at.m12.atan2(at.m11);
        let (sin, cos) = angle.sin_cos();
        let start = at.m31 * cos + at.m32 * sin;
        let base = at.m32 * cos - at.m31 * sin;
        let continues = self.lines.last().is_some_and(|line| {
            line.page == self.page
                && (line.angle - angle).abs() < 0.1
                // A raised or lowered character stays in its line.
                && (line.base - base).abs() < 0.5 * line.size.max(size)
                && start > line.end - size
        });
        if !continues {
            self.lines.push(Line {
                page: self.page,
                base,
                angle,
                end: start,
                ..Line::default()
            });
        }
        if let Some(line) = self.lines.last_mut() {
            let is_apart = self.starts_run && start > line.end + GAP * size;
            if is_apart && !line.text.ends_with(char::is_whitespace) {
                line.text.push(' ');
            }
            line.letters += 1;
            line.size += (size - line.size) / f64::from(line.letters);
            line.text.extend(text.chars().filter(|c| !c.is_control()));
            line.end = start + width * font_size.abs() * at.m11.hypot(at.m12);
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
