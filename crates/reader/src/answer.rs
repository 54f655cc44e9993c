//! Answers of a language model that do not just repeat the question.

use crate::{
    Completion, CompletionRequest, Error, LanguageModel, Observer, Passage, ReadRequest,
    ReadSettings, echo::EchoDetector, sampling::Sampling,
};

/// Number of other first tokens to try if an answer is an echo of the question.
const RETRIES: usize = 3;

/// Asks the model. Returns its answer, and the first answer if another replaced it. With
/// `read.no_echo`, an answer that only repeats the question is generated again with the next
/// likeliest first tokens; the first alternative that the passages support replaces it.
pub(crate) fn answer(
    read: &ReadSettings,
    model: &mut LanguageModel,
    request: &ReadRequest<'_>,
    prompt: &str,
    passages: &[Passage],
    observer: &mut Observer<'_>,
) -> Result<(Completion, Option<String>), Error> {
    let mut completion_request = CompletionRequest {
        prompt,
        max_tokens: read.max_answer_tokens,
        use_cache: request.use_cache,
        sampling: Sampling {
            temperature: read.temperature,
            seed: read.seed.wrapping_add(request.draw),
            skipped: 0,
        },
    };
    if !read.no_echo {
        return Ok((model.complete(&completion_request, observer)?, None));
    }
    let detector = EchoDetector::new(request.question, request.lang);
    let Observer { on_text, on_progress } = observer;
    let mut emit = |text: &str| {
        if let Some(on_text) = on_text {
            on_text(text);
        }
    };
    let mut progress = |step| {
        if let Some(on_progress) = on_progress {
            on_progress(step);
        }
    };
    // Text that may still become an echo; `None` once it no longer can.
    let mut withheld = Some(String::new());
    let mut withhold = |text: &str| match &mut withheld {
        None => emit(text),
        Some(prefix) => {
            prefix.push_str(text);
            if !detector.may_become_echo(prefix) {
                emit(prefix);
                withheld = None;
            }
        }
    };
    let mut withholding =
        Observer { on_text: Some(&mut withhold), on_progress: Some(&mut progress) };
    let mut completion = model.complete(&completion_request, &mut withholding)?;
    // The whole text decides, so that a cached answer and a generated one are treated alike.
    if !detector.is_echo(&completion.text) {
        if withheld.is_some() {
            emit(&completion.text);
        }
        return Ok((completion, None));
    }
    let mut echoed = None;
    for skipped in 1..=RETRIES {
        completion_request.sampling.skipped = skipped;
        let other =
            model.complete(&completion_request, &mut Observer::of_progress(&mut progress))?;
        completion.answer_tokens += other.answer_tokens;
        completion.time += other.time;
        completion.cached &= other.cached;
        if detector.is_better(&other.text, passages) {
            echoed = Some(std::mem::replace(&mut completion.text, other.text));
            break;
        }
    }
    if withheld.is_some() {
        emit(&completion.text);
    } else if echoed.is_some() {
        emit(&format!("\n{}", completion.text));
    }
    Ok((completion, echoed))
}
