//! Progress of long steps.

/// Progress of a long step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineProgress {
    /// Number of texts embedded so far, and of all texts to embed.
    Embedding(usize, usize),
    /// The weights of a language model are about to be loaded.
    LoadingReader,
}

/// Callbacks of a call that takes long. The default observes nothing.
#[derive(Default)]
pub struct Observer<'a> {
    /// Receives the answer piece by piece, as it is generated.
    pub on_text: Option<&'a mut dyn FnMut(&str)>,
    /// Receives the progress.
    pub on_progress: Option<&'a mut dyn FnMut(PipelineProgress)>,
}

impl<'a> Observer<'a> {
    /// An observer of progress only.
    pub fn of_progress(on_progress: &'a mut dyn FnMut(PipelineProgress)) -> Self {
        Self { on_text: None, on_progress: Some(on_progress) }
    }

    pub(crate) fn text(&mut self, text: &str) {
        if let Some(on_text) = &mut self.on_text {
            on_text(text);
        }
    }

    pub(crate) fn progress(&mut self, progress: PipelineProgress) {
        if let Some(on_progress) = &mut self.on_progress {
            on_progress(progress);
        }
    }
}
