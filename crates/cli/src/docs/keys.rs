//! What each setting means, and the values it takes.

/// A table of the settings file.
pub struct Section {
    /// Its name; empty for the top level.
    pub table: &'static str,
    /// What it decides.
    pub about: &'static str,
    pub keys: &'static [Key],
}

/// Name, meaning and allowed values of a setting, in Markdown.
pub struct Key(pub &'static str, pub &'static str, pub &'static str);

pub const SECTIONS: &[Section] = &[
    Section {
        table: "",
        about: "Documents, questions and device.",
        keys: &[
            Key("kb", "Knowledge base", "a name under `kb/`, or a folder"),
            Key("gold", "Gold set", "a name under `gold/`, or a `.jsonl` file"),
            Key("device", "Device that runs the models", "`auto`, `cpu`, `cuda`, `metal`"),
        ],
    },
    Section {
        table: "chunk",
        about: "How documents are cut into chunks.",
        keys: &[
            Key(
                "kind",
                "`structure`: keeps headings, lists, tables and code whole; `fixed`: windows of \
                 equal size; `sentence`: indexes a sentence, reads it with its neighbours; `parent`: \
                 indexes small chunks, reads their section; `document`: whole documents",
                "`structure`, `fixed`, `sentence`, `parent`, `document`",
            ),
            Key(
                "size",
                "Size of a chunk in word pieces of the embedder, with its headings",
                "at least 8",
            ),
            Key(
                "overlap",
                "Word pieces repeated from the previous chunk under the same heading",
                "0 or more, less than `chunk.size`",
            ),
        ],
    },
    Section {
        table: "embed",
        about: "How chunks and questions are embedded.",
        keys: &[Key(
            "model",
            "Embedding model",
            "an id of `models/models.toml`, a folder, or `OWNER/NAME[@REVISION]` on the Hugging Face Hub",
        )],
    },
    Section {
        table: "retrieve",
        about: "How passages are found.",
        keys: &[
            Key(
                "mode",
                "Retrieval legs: embeddings, BM25, or both fused",
                "`vector`, `bm25`, `hybrid`",
            ),
            Key(
                "dense",
                "Dense search: an exact scan, an HNSW graph, or `auto`, which is exact up to 20,000 chunks",
                "`auto`, `exact`, `hnsw`",
            ),
            Key("top_k", "Passages returned and measured", "at least 1"),
            Key("depth", "Passages that each leg gives to the fusion", "at least `retrieve.top_k`"),
            Key(
                "fusion",
                "How the lists of the legs are fused: reciprocal rank fusion, or a weighted sum of \
                 min-max or standard scores",
                "`rrf`, `minmax`, `zscore`",
            ),
            Key("rrf_k", "Constant *k* of reciprocal rank fusion", "0 or more"),
            Key("dense_weight", "Weight of the dense leg in the fusion", "0 or more"),
            Key("bm25_weight", "Weight of BM25 in the fusion", "0 or more"),
            Key(
                "title_boost",
                "Weight in BM25 of a word in the title or headings, relative to the text",
                "0 or more",
            ),
            Key(
                "exact_weight",
                "Weight in BM25 of a word as written, relative to its stem",
                "0 or more",
            ),
            Key("pair_weight", "Weight in BM25 of two consecutive words", "0 or more"),
            Key(
                "gram_weight",
                "Weight in BM25 of four consecutive letters of a word, which match inflected and \
                 misspelled forms",
                "0 or more",
            ),
            Key(
                "stop_words",
                "Whether BM25 ignores the stop words of the language",
                "`true`, `false`",
            ),
        ],
    },
    Section {
        table: "rewrite",
        about: "How the question is rewritten before the search.",
        keys: &[
            Key(
                "method",
                "`rm3`: adds typical words of the first BM25 hits; `typo`: replaces words unknown to the \
                 index by similar known ones; `llm`: also searches for keywords that the reader writes",
                "`none`, `rm3`, `typo`, `llm`",
            ),
            Key("rm3_docs", "`rm3`: passages that supply words", "at least 1"),
            Key("rm3_terms", "`rm3`: words added", "at least 1"),
            Key("rm3_weight", "`rm3`: weight of the original question", "0 to 1"),
            Key(
                "llm_weight",
                "`llm`: weight in the fusion of the list found by keywords",
                "0 or more",
            ),
        ],
    },
    Section {
        table: "rerank",
        about: "How the passages found are reordered.",
        keys: &[
            Key(
                "method",
                "`late`: late interaction (MaxSim) over the token vectors of the embedder; \
                 `cross-encoder`: a classifier of question and passage; `llm`: the probability that the \
                 reader answers yes to whether the passage answers the question",
                "`none`, `late`, `cross-encoder`, `llm`",
            ),
            Key("depth", "Passages reranked; those below keep their order", "at least 1"),
            Key(
                "weight",
                "Weight of the reranker in the new order; the rest is the fused score. Both are \
                 standardised over the passages reranked",
                "0 to 1",
            ),
            Key(
                "model",
                "Model of `cross-encoder`",
                "an id, a folder, or `OWNER/NAME` on the Hugging Face Hub",
            ),
        ],
    },
    Section {
        table: "read",
        about: "How passages are read.",
        keys: &[
            Key(
                "model",
                "Reader; `extractive` copies sentences and needs no language model",
                "an id, the path of a GGUF file, `OWNER/NAME` on the Hugging Face Hub, or `extractive`",
            ),
            Key("context_k", "Passages in the prompt, best first", "1 to `retrieve.top_k`"),
            Key(
                "context_tokens",
                "Tokens of all passages together; passages that do not fit are left out, the last first",
                "at least 1",
            ),
            Key("max_answer_tokens", "Largest number of tokens in an answer", "at least 1"),
            Key(
                "order",
                "Order of the passages in the prompt",
                "`best_last`, `best_first`, `document`",
            ),
            Key(
                "temperature",
                "Sampling temperature; at 0 the reader takes the most likely token",
                "0 to 10",
            ),
            Key("seed", "Seed of the sampling", "any whole number"),
            Key(
                "no_echo",
                "Whether the reader must start differently if its answer only repeats the question",
                "`true`, `false`",
            ),
            Key(
                "repair",
                "Whether an answer without a citation is attributed to the passage that supports it \
                 best; this never counts as a citation",
                "`true`, `false`",
            ),
            Key(
                "prompt",
                "Prompt of the reader; unset uses the built-in ones",
                "a file, or a folder with `en.toml`, `es.toml`, …",
            ),
            Key(
                "guard",
                "Abstention guard: the reader is not asked if the best cosine is below `cosine` and the \
                 best share of the question's term weight is below `share`. `fiel eval` takes an unset \
                 guard from the gold set (`fiel gold calibrate-guard`)",
                "`{ cosine = 0 to 1, share = 0 to 1 }`",
            ),
        ],
    },
    Section {
        table: "abstain",
        about: "What counts as a refusal to answer.",
        keys: &[Key(
            "phrases",
            "Beginnings of a refusal in addition to those that Fiel knows, such as `\"Beats me\"`",
            "a list of texts",
        )],
    },
    Section {
        table: "eval",
        about: "What an evaluation measures.",
        keys: &[
            Key(
                "modes",
                "`retrieval`: the passages found; `oracle`: answers from the gold evidence; `e2e`: \
                 answers from the passages found",
                "one or more of `retrieval`, `oracle`, `e2e`",
            ),
            Key(
                "distractors",
                "Distractor passages added to the evidence in oracle mode",
                "0 or more, less than `retrieve.top_k`",
            ),
            Key(
                "claim_unit",
                "Unit of a claim, into which answers are split",
                "`clause`, `sentence`, `llm`",
            ),
            Key(
                "repeat",
                "Answers per question; above 1 the spread is reported",
                "at least 1; above 1 only with `read.temperature` above 0",
            ),
            Key("seed", "Seed of the bootstrap and the permutation tests", "any whole number"),
        ],
    },
    Section {
        table: "judge",
        about: "What judges the claims of an answer.",
        keys: &[
            Key(
                "method",
                "Scorer of `grounding` and `hallucination`: `none` leaves only the lexical measures; \
                 `grounded` is a fitted model over word and vector overlap; `llm` asks a language model",
                "`none`, `grounded`, `llm`",
            ),
            Key(
                "model",
                "Judge of `llm`; unset uses the reader",
                "an id, or the path of a GGUF file",
            ),
            Key(
                "prompt",
                "Prompt of the judge; unset uses the built-in ones",
                "a file, or a folder with `en.toml`, `es.toml`, …",
            ),
            Key(
                "qualities",
                "Further qualities of each answer; all but `toxicity` ask the judge",
                "any of `answer_relevance`, `context_relevance`, `correctness_reference`, \
                 `correctness_context`, `completeness`, `toxicity`",
            ),
            Key(
                "toxic_words",
                "Words and phrases of `toxicity`; unset uses the built-in lists for English and Spanish",
                "a text file with one word or phrase per line",
            ),
        ],
    },
    Section {
        table: "price",
        about: "Prices, to estimate the cost of a hosted reader. Local models cost nothing.",
        keys: &[
            Key("prompt_per_million", "Price of a million prompt tokens", "0 or more"),
            Key("answer_per_million", "Price of a million answer tokens", "0 or more"),
            Key("questions_per_month", "Questions per month, for the monthly cost", "0 or more"),
        ],
    },
    Section {
        table: "ablate",
        about: "Variants that `fiel ablate` compares. Without any, it compares vector, bm25, hybrid, \
                hybrid + late, and hybrid + late + typo.",
        keys: &[
            Key(
                "matrix",
                "Values per key, written `\"TABLE.KEY\" = [value, …]`; every combination is a variant",
                "keys of `chunk`, `embed`, `retrieve`, `rewrite`, `rerank`, `read`, `eval`",
            ),
            Key(
                "arm",
                "Single variants, which follow those of the matrix",
                "`[[ablate.arm]]` with `name` and `set = { \"TABLE.KEY\" = value }`",
            ),
        ],
    },
];
