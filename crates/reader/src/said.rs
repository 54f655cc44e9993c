use fiel_metrics::Lang;

use crate::{
    Error, Outcome, ReadSettings,
    echo::Echo,
    language_model::{LanguageModel, Said},
    sample::Sampling,
};

/// First tokens that are tried in the place of one that led to an echo.
const OTHER_BEGINNINGS: usize = 3;

/// What the model says. Where that only repeats the question, it is made to begin with the
/// next likeliest token; the first such answer that the passages support is taken.
pub(crate) fn said(
    read: &ReadSettings,
    model: &mut LanguageModel,
    (question, outcome, lang): (&str, &Outcome, Lang),
    (fresh, number): (bool, u64),
    sink: &mut dyn FnMut(&str),
    loading: &mut dyn FnMut(),
) -> Result<(Said, Option<String>), Error> {
    let mut sampling = Sampling {
        temperature: read.temperature,
        seed: read.seed.wrapping_add(number),
        passed_over: 0,
    };
    let (prompt, most) = (&outcome.prompt, read.max_answer_tokens);
    if !read.no_echo {
        let said = model.answer(prompt, most, sampling, fresh, sink, loading)?;
        return Ok((said, None));
    }
    let echo = Echo::of(question, lang);
    // What may still become an echo is held back.
    let mut held = Some(String::new());
    let mut hold = |text: &str| match &mut held {
        None => sink(text),
        Some(all) => {
            all.push_str(text);
            if !echo.may_become(all) {
                sink(all);
                held = None;
            }
        }
    };
    let mut said = model.answer(prompt, most, sampling, fresh, &mut hold, loading)?;
    // The whole text decides, so that a cached answer and one that comes are treated alike.
    if !echo.is(&said.text) {
        if held.is_some() {
            sink(&said.text);
        }
        return Ok((said, None));
    }
    let mut echoed = None;
    for over in 1..=OTHER_BEGINNINGS {
        sampling.passed_over = over;
        let other = model.answer(prompt, most, sampling, fresh, &mut |_| {}, loading)?;
        said.answer_tokens += other.answer_tokens;
        said.time += other.time;
        said.cached &= other.cached;
        if echo.is_better(&other.text, &outcome.context.passages) {
            echoed = Some(std::mem::replace(&mut said.text, other.text));
            break;
        }
    }
    match held {
        Some(_) => sink(&said.text),
        None if echoed.is_some() => sink(&format!("\n{}", said.text)),
        None => {}
    }
    Ok((said, echoed))
}
