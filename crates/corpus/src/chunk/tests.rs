//! Worked documents and properties of the chunkers.

use proptest::prelude::*;

use super::*;

const KINDS: [ChunkKind; 5] = [
    ChunkKind::Structure,
    ChunkKind::Fixed,
    ChunkKind::Sentence,
    ChunkKind::Parent,
    ChunkKind::Document,
];

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn chunk_as(kind: ChunkKind, size: usize, overlap: usize, text: &str) -> Vec<Chunk> {
    let doc = Document::markdown("d", text);
    Chunker::new(kind, size, overlap).expect("valid").chunks(&doc, &words)
}

fn chunk(size: usize, overlap: usize, text: &str) -> Vec<Chunk> {
    chunk_as(ChunkKind::Structure, size, overlap, text)
}

fn texts(chunks: &[Chunk]) -> Vec<&str> {
    chunks.iter().map(|c| c.text.as_str()).collect()
}

fn indexed(chunk: &Chunk) -> Vec<Cow<'_, str>> {
    chunk.index_texts().collect()
}

#[test]
fn one_chunk_per_section_with_its_headings() {
    let text = "---\ntitle: Eat\n---\n# Eat\n\nIntro here.\n\n## Past\n\nThe past is *ate*.\n\n- one\n- two\n";
    let chunks = chunk(40, 0, text);
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks[0].passage(), "Eat: Intro here.");
    assert_eq!(chunks[1].passage(), "Eat > Past: The past is ate.\n- one\n- two");
    assert_eq!(&text[chunks[1].span.clone()], "## Past\n\nThe past is *ate*.\n\n- one\n- two");
    assert_eq!((chunks[1].id.as_str(), chunks[1].ordinal), ("d#2", 2));
}

#[test]
fn a_heading_without_text_goes_with_the_next_section() {
    let text = "# A\n\n## B\n\nText.\n";
    let chunks = chunk(20, 0, text);
    assert_eq!(chunks.len(), 1);
    assert_eq!(&text[chunks[0].span.clone()], "# A\n\n## B\n\nText.");
}

#[test]
fn a_split_table_repeats_its_header() {
    let rows: String = (0..12).map(|i| format!("| v{i} | p{i} |\n")).collect();
    let chunks = chunk(20, 0, &format!("| verb | past |\n|---|---|\n{rows}"));
    assert!(chunks.len() > 1);
    assert!(chunks.iter().all(|c| c.text.starts_with("verb | past\n")), "{chunks:#?}");
    assert_eq!(
        chunks.iter().map(|c| c.text.matches("| p").count()).sum::<usize>() - chunks.len(),
        12
    );
}

#[test]
fn overlap_repeats_whole_sentences_and_always_advances() {
    let text: String = (0..20).map(|i| format!("Sentence number {i} ends. ")).collect();
    let chunks = chunk(16, 8, &text);
    assert!(chunks.windows(2).all(|w| w[0].span.start < w[1].span.start));
    assert!(chunks.windows(2).any(|w| w[1].span.start < w[0].span.end));
}

#[test]
fn an_overlap_as_large_as_the_size_is_an_error() {
    for kind in KINDS {
        for (size, overlap) in [(64, 64), (64, 65), (4, 0)] {
            let chunker = Chunker::new(kind, size, overlap);
            assert!(matches!(chunker, Err(Error::BadChunking { .. })));
        }
    }
}

#[test]
fn crlf_and_lf_give_the_same_words() {
    let lf = "# A\n\nOne two\nthree.\n\n```\n# code\n```\n";
    let crlf = lf.replace('\n', "\r\n");
    for kind in KINDS {
        let passages =
            |t: &str| chunk_as(kind, 40, 0, t).into_iter().map(|c| c.passage()).collect::<Vec<_>>();
        assert_eq!(passages(lf), passages(&crlf), "{kind}");
    }
}

#[test]
fn a_blank_document_has_no_chunks() {
    for kind in KINDS {
        assert!(chunk_as(kind, 20, 0, " \n\n").is_empty());
        assert!(chunk_as(kind, 20, 0, "# Only a heading\n").is_empty());
    }
}

#[test]
fn a_header_that_would_leave_no_room_is_not_repeated() {
    let header = "| a b c d | e f g h |\n|---|---|\n";
    let rows: String = (0..6).map(|i| format!("| v{i} w | p{i} |\n")).collect();
    let chunks = chunk(8, 0, &format!("{header}{rows}"));
    assert!(chunks.iter().all(|c| words(&c.text) <= 8), "{chunks:#?}");
    assert_eq!(chunks.iter().filter(|c| c.text.contains('e')).count(), 1);
}

#[test]
fn kinds_have_names() {
    for kind in KINDS {
        let name = serde_json::to_string(&kind).expect("a name");
        assert_eq!(name, format!("\"{kind}\""));
        assert_eq!(serde_json::from_str::<ChunkKind>(&name).expect("a kind"), kind);
    }
    assert_eq!(ChunkKind::default(), ChunkKind::Structure);
}

#[test]
fn a_chunk_without_entries_is_stored_as_before_they_were() {
    let chunk = &chunk(20, 0, "Text.\n")[0];
    assert_eq!(indexed(chunk), ["d: Text."]);
    let stored = serde_json::to_string(chunk).expect("stored");
    assert!(!stored.contains("entries"));
    assert_eq!(&serde_json::from_str::<Chunk>(&stored).expect("read"), chunk);
}

#[test]
fn fixed_windows_run_over_structure() {
    let text = "# D\n\nOne two three.\n\n## Next\n\n- four **fi**ve\n- six\n";
    let chunks = chunk_as(ChunkKind::Fixed, 8, 2, text);
    assert_eq!(texts(&chunks), ["One two three.\nNext\n- four five", "five\n- six"]);
    assert_eq!(chunks[1].passage(), "D: five\n- six");
    assert_eq!(
        &text[chunks[0].span.clone()],
        "# D\n\nOne two three.\n\n## Next\n\n- four **fi**ve"
    );
}

#[test]
fn only_a_word_longer_than_the_window_is_cut() {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let doc = Document::titled("d", "", "天气很好天气很好天气很好 abcd éfgh ij");
    let chunker = Chunker::new(ChunkKind::Fixed, 8, 0).expect("valid");
    let chunks = chunker.chunks(&doc, &letters);
    assert_eq!(texts(&chunks), ["天气很好天气", "很好天气很好", "abcd éfgh", "ij"]);
}

#[test]
fn a_sentence_is_read_with_its_neighbours() {
    let text = "# D\n\nA one. B two. C three. D four.\n\n## E\n\nF five.\n";
    let chunks = chunk_as(ChunkKind::Sentence, 8, 0, text);
    // "D:" leaves room for seven words.
    assert_eq!(
        texts(&chunks),
        [
            "A one. B two. C three.",
            "A one. B two. C three.",
            "B two. C three. D four.",
            "B two. C three. D four.",
            "F five."
        ]
    );
    assert_eq!(indexed(&chunks[1]), ["D: B two."]);
    assert_eq!(indexed(&chunks[4]), ["D > E: F five."]);
    assert_eq!(chunks[4].id, "d#5");
    assert_eq!(&text[chunks[0].span.clone()], "# D\n\nA one. B two. C three.");
}

#[test]
fn items_rows_and_lines_are_sentences() {
    let text =
        "| v | p |\n|---|---|\n| eat | ate |\n| go | went |\n\n- x. Y.\n- z\n\n```sh\nls\n```\n";
    let chunks = chunk_as(ChunkKind::Sentence, 40, 0, text);
    let entries: Vec<_> = chunks.iter().flat_map(indexed).collect();
    assert_eq!(
        entries,
        ["d: v | p\neat | ate", "d: v | p\ngo | went", "d: - x. Y.", "d: - z", "d: ls"]
    );
}

#[test]
fn a_small_chunk_is_indexed_and_its_section_read() {
    let sentences: String = (0..9).map(|i| format!("Number {i} is here. ")).collect();
    let text = format!("# D\n\nShort.\n\n## Long\n\n{sentences}\n");
    let chunks = chunk_as(ChunkKind::Parent, 12, 0, &text);
    assert_eq!(chunks.len(), 2);
    assert_eq!(indexed(&chunks[0]), ["D: Short."]);
    assert_eq!(words(&chunks[1].text), 36);
    assert_eq!(chunks[1].entries.len(), 5);
    assert_eq!(chunks[1].entries[0], "D > Long: Number 0 is here. Number 1 is here.");
    let long = chunk_as(ChunkKind::Parent, 8, 0, &text);
    assert_eq!(long.len(), 3, "more than 32 words are two parts");
    assert!(long.iter().all(|c| words(&c.passage()) <= 32));
}

#[test]
fn a_part_of_a_table_keeps_the_header_in_all_its_small_chunks() {
    let rows: String = (0..40).map(|i| format!("| v{i} | p{i} |\n")).collect();
    let text = format!("| verb | past |\n|---|---|\n{rows}");
    let chunks = chunk_as(ChunkKind::Parent, 12, 0, &text);
    assert!(chunks.len() > 1);
    for chunk in &chunks {
        assert!(chunk.text.starts_with("verb | past\n"), "{chunk:#?}");
        let all = chunk.entries.iter();
        assert!(all.clone().all(|e| e.starts_with("d: verb | past\n")), "{chunk:#?}");
        assert!(all.clone().all(|e| words(e) <= 12), "{chunk:#?}");
    }
}

#[test]
fn a_document_uncut_has_its_headings() {
    let text = "# D\n\nOne.\n\n## Next\n\nTwo.\n";
    let chunks = chunk_as(ChunkKind::Document, 8, 0, text);
    assert_eq!(chunks[0].passage(), "D: One.\nNext\nTwo.");
    assert_eq!((chunks.len(), chunks[0].span.clone()), (1, 0..text.trim_end().len()));
}

/// Counts words of letters, ideographs and marks, which come one by one.
fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() && !('一'..='鿿').contains(&c);
        let goes_on = is_word && in_word;
        count += usize::from(!c.is_whitespace() && !goes_on);
        in_word = is_word;
    }
    count
}

const TEXT: &str = "([a-zé#|*`>\\- .\n]|天|ñ|\u{301}|؟|&amp;|<!--|\r\n){0,300}";
const MARKDOWN: &str = "(# [A-Z]\n\n|## [A-Z] [a-z]+\n\n|[A-Z]([a-zé]{1,7} ){1,9}[a-z]+\\.( |\n|\n\n)|\
    \n- [a-z]+ [a-z]+\n  - `[a-z] [a-z]`\n\n|\n\\| a \\| b \\|\n\\|---\\|---\\|\n(\\| [a-z]{1,3} \\| [a-z ]{1,9} \\|\n){1,9}\n|\
    \n```\n# [a-z]+\n\n[a-z]+\n```\n\n|天气很好。|&amp; |\\*\\*[a-z]+\\*\\*|<!-- [a-z]+\n[a-z] -->\n\n){0,20}";

/// Checks what holds for the chunks of any document and kind.
fn check(
    doc: &Document,
    kind: ChunkKind,
    size: usize,
    overlap: usize,
) -> Result<(), TestCaseError> {
    let chunker = Chunker::new(kind, size, overlap).expect("valid");
    let chunks = chunker.chunks(doc, &tokens);
    prop_assert_eq!(&chunks, &chunker.chunks(doc, &tokens), "not deterministic");
    let most = match kind {
        ChunkKind::Parent => 4 * size,
        ChunkKind::Document => usize::MAX,
        _ => size,
    };
    for (at, chunk) in chunks.iter().enumerate() {
        prop_assert_eq!((chunk.ordinal, &chunk.doc), (at + 1, &doc.id));
        prop_assert_eq!(&chunk.id, &format!("{}#{}", doc.id, at + 1));
        prop_assert!(doc.text.get(chunk.span.clone()).is_some_and(|s| !s.trim().is_empty()));
        prop_assert!(doc.body.start <= chunk.span.start && chunk.span.end <= doc.body.end);
        prop_assert!(!chunk.text.is_empty());
        // The text may take half of the size, however long the headings are.
        let head = tokens(&passage(&chunk.heading, ""));
        prop_assert!(tokens(&chunk.passage()) <= most.max(head + most / 2), "{:?}", chunk);
        for text in chunk.index_texts() {
            let size = if kind == ChunkKind::Document { most } else { size };
            prop_assert!(tokens(&text) <= size.max(head + size / 2), "{:?}", chunk);
        }
        let (entries, expected) = (chunk.entries.len(), kind == ChunkKind::Sentence);
        prop_assert!(entries == 1 || !expected);
        prop_assert!(entries > 0 || kind != ChunkKind::Parent);
    }
    let starts = chunks.windows(2).all(|w| w[0].span.start <= w[1].span.start);
    prop_assert!(starts);
    // Headings are in the heading path, except for those without any text below.
    let parsed = Parsed::new(doc);
    let with_headings = matches!(kind, ChunkKind::Fixed | ChunkKind::Document);
    for (offset, c) in doc.text[doc.body.clone()].char_indices() {
        let start = doc.body.start + offset;
        let range = start..start + c.len_utf8();
        let words = parsed.words(doc, range, with_headings);
        let is_covered = chunks.iter().any(|c| c.span.contains(&start));
        prop_assert!(is_covered || words.is_empty(), "{c:?} at byte {start} is lost");
    }
    // No words are lost between the span and the text.
    let expected = match kind {
        ChunkKind::Structure if !doc.is_markdown && overlap == 0 => {
            parsed.words(doc, doc.body.clone(), false)
        }
        ChunkKind::Fixed if overlap == 0 => parsed.words(doc, doc.body.clone(), true),
        ChunkKind::Document => parsed.words(doc, doc.body.clone(), true),
        _ => return Ok(()),
    };
    let all: String = chunks.iter().map(|c| c.text.as_str()).collect();
    let letters = |text: &str| text.replace(|c: char| c.is_whitespace() || c == '|', "");
    prop_assert_eq!(letters(&all), letters(&expected));
    Ok(())
}

proptest! {
    #[test]
    fn plain_text_is_cut_within_bounds_and_nothing_is_lost(
        text in TEXT, size in 8usize..40, overlap in 0usize..8,
    ) {
        for kind in KINDS {
            check(&Document::plain("d", &text), kind, size, overlap)?;
            check(&Document::titled("d", "", &text), kind, size, overlap)?;
        }
    }

    #[test]
    fn markdown_is_cut_within_bounds_and_nothing_is_lost(
        text in prop_oneof![TEXT, MARKDOWN], size in 8usize..40, overlap in 0usize..8,
    ) {
        for kind in KINDS {
            check(&Document::markdown("d", &text), kind, size, overlap)?;
        }
    }
}
