"""Makes `xlmr/`, a tiny model of the XLM-RoBERTa type with random weights and a Unigram
tokenizer, which serves as a sentence encoder and, by its classifier, as a cross-encoder; and
`xlmr_reference.json`, its vectors and logits by Flax. Needs what `make_cross.py` needs.
"""

import collections
import math

import numpy as np

from make_cross import (
    HERE, PAIRS, WIDTH, config, encoder_shapes, flax_tree, pair_rows, random_tensors, write,
    write_reference,
)

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
# Positions of pieces begin after that of the padding, which is 1.
POSITIONS, LENGTH = 66, 24

TEXTS = [
    "tea",
    "A cup of tea, please!",
    "¿Cuántos días de vacaciones hay?",
    "El salario se paga el último día del mes.",
    "café",
    "cafe\u0301",
    "今天天气很好",
    "a🦀b",
    "go, went, gone: an irregular verb. " * 6,
    "The meeting is at 10:30.",
]


def vocabulary():
    """Log probabilities of characters and of the beginnings of words, by their counts."""
    counts = collections.Counter()
    for text in [part for pair in PAIRS for part in pair] + TEXTS:
        for word in text.replace("e\u0301", "é").split():
            word = "▁" + word
            counts.update(c for c in word if c != "🦀")
            counts.update(word[:n] for n in (2, 3, 5) if n <= len(word))
            counts.update(word[-n:] for n in (2, 3) if n < len(word))
    kept = sorted((-count, piece) for piece, count in counts.items() if len(piece) == 1 or count > 2)
    total = -sum(count for count, _ in kept)
    pieces = [[piece, 0.0] for piece in SPECIAL[:4]]
    pieces += [[piece, round(math.log(-count / total), 4)] for count, piece in kept if "🦀" not in piece]
    return [*pieces, ["<mask>", 0.0]]


def tokenizer(pieces):
    number = {piece: at for at, (piece, _) in enumerate(pieces)}
    added = [
        {"id": number[piece], "content": piece, "single_word": False, "lstrip": piece == "<mask>",
         "rstrip": False, "normalized": False, "special": True}
        for piece in SPECIAL
    ]
    sequence = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    marker = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    single = [marker("<s>"), sequence("A"), marker("</s>")]
    special = {name: {"id": name, "ids": [number[name]], "tokens": [name]} for name in ("<s>", "</s>")}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None,
                    "pad_id": 1, "pad_type_id": 0, "pad_token": "<pad>"},
        "added_tokens": added,
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        ]},
        "post_processor": {"type": "TemplateProcessing", "single": single,
                           "pair": [*single, marker("</s>"), sequence("B"), marker("</s>")],
                           "special_tokens": special},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": False},
    }


def text_rows(folder, model):
    """Ids and vector of every text, all padded to one width."""
    from tokenizers import Tokenizer

    known = Tokenizer.from_file(str(folder / "tokenizer.json"))
    known.enable_truncation(LENGTH)
    known.enable_padding(pad_id=1, pad_token="<pad>")
    texts = known.encode_batch(TEXTS)
    ids, mask = (np.array([getattr(t, name) for t in texts]) for name in ("ids", "attention_mask"))
    hidden = np.array(model(ids, attention_mask=mask).last_hidden_state, dtype=np.float64)
    rows = []
    for pooling in ("mean_tokens", "cls_token"):
        if pooling == "mean_tokens":
            pooled = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        else:
            pooled = hidden[:, 0]
        pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
        rows += [
            {"text": text, "pooling": pooling, "pieces": int(m.sum()), "embedding": [round(float(x), 6) for x in row]}
            for text, m, row in zip(TEXTS, mask, pooled)
        ]
    return rows


def main():
    from transformers import (
        FlaxXLMRobertaForSequenceClassification, FlaxXLMRobertaModel, XLMRobertaConfig,
    )

    folder = HERE / "xlmr"
    pieces = vocabulary()
    shape = config(model_type="xlm-roberta", architectures=["XLMRobertaForSequenceClassification"],
                   vocab_size=len(pieces), max_position_embeddings=POSITIONS, type_vocab_size=1,
                   layer_norm_eps=1e-5, pad_token_id=1, bos_token_id=0, eos_token_id=2)
    shapes = encoder_shapes("roberta", len(pieces), POSITIONS, 1)
    shapes |= {"classifier.dense.weight": (WIDTH, WIDTH), "classifier.dense.bias": (WIDTH,),
               "classifier.out_proj.weight": (1, WIDTH), "classifier.out_proj.bias": (1,)}
    tensors = random_tensors(shapes, seed=5)
    files = {
        "config.json": shape,
        "tokenizer.json": tokenizer(pieces),
        "1_Pooling/config.json": {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": False,
                                  "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False},
        "sentence_bert_config.json": {"max_seq_length": LENGTH, "do_lower_case": False},
    }
    write(folder, files, tensors)

    tree = flax_tree(tensors)
    bare = FlaxXLMRobertaModel(XLMRobertaConfig(**shape), _do_init=False, add_pooling_layer=False)
    classifier = FlaxXLMRobertaForSequenceClassification(XLMRobertaConfig(**shape), _do_init=False)
    rows = text_rows(folder, lambda *args, **named: bare(*args, params=tree["roberta"], **named))
    write_reference("xlmr_reference.json", rows)
    call = lambda *args, **named: classifier(*args, params=tree, **named)
    write_reference("xlmr_pairs_reference.json", pair_rows(folder, call, POSITIONS - 2, False))


if __name__ == "__main__":
    main()
