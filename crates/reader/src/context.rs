use fiel_corpus::Chunk;

/// A passage as it is offered to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Id it is cited by: `1`, `2`, …
    pub id: String,
    /// Id of the chunk.
    pub chunk: String,
    /// Headings and text.
    pub text: String,
}

/// The passages that fit, best first, and the chunks that did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Offered to the reader.
    pub passages: Vec<Passage>,
    /// Chunk ids left out for want of room, best first.
    pub dropped: Vec<String>,
}

/// Takes chunks, best first, while they fit `budget` tokens by `count`. From the first that does
/// not fit on, all are dropped: a passage is never cut and never jumps the order.
pub fn assemble<'a>(
    chunks: impl IntoIterator<Item = &'a Chunk>,
    budget: usize,
    count: &dyn Fn(&str) -> usize,
) -> Context {
    let mut context = Context::default();
    let mut used = 0;
    for chunk in chunks {
        let text = chunk.passage();
        used += count(&text);
        if used > budget {
            context.dropped.push(chunk.id.clone());
        } else {
            let id = (context.passages.len() + 1).to_string();
            context.passages.push(Passage {
                id,
                chunk: chunk.id.clone(),
                text,
            });
        }
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(ordinal: usize, text: &str) -> Chunk {
        let id = format!("d#{ordinal}");
        Chunk {
            id,
            doc: "d".into(),
            ordinal,
            span: 0..1,
            heading: Vec::new(),
            text: text.into(),
            entries: Vec::new(),
        }
    }

    #[test]
    fn whole_passages_are_dropped_from_the_last() {
        let chunks = [chunk(1, "a b"), chunk(2, "c d e"), chunk(3, "f")];
        let context = assemble(&chunks, 4, &|t| t.split_whitespace().count());
        assert_eq!(context.passages.len(), 1);
        assert_eq!(
            (
                context.passages[0].id.as_str(),
                context.passages[0].chunk.as_str()
            ),
            ("1", "d#1")
        );
        assert_eq!(context.dropped, ["d#2", "d#3"]);
    }
}
