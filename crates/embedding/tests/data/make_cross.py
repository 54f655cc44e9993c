"""Makes `cross/`, a tiny cross-encoder of the BERT type with random weights, and
`cross_reference.json`, its logits by Flax. The same bytes every time.

    pip install numpy safetensors tokenizers "transformers<4.50" flax jax
    python make_cross.py
"""

import json
import pathlib
import re

import numpy as np
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).parent
WIDTH, LAYERS, HEADS, INNER = 32, 2, 4, 64

PAIRS = [
    ["What is the past participle of eat?", "The past participle of eat is eaten."],
    ["What is the past participle of eat?", "Tea grows in China and rusts in the rain."],
    ["tea", "tea"],
    ["tea", "A cup of tea, please!"],
    ["Who wrote it?", ""],
    ["When is the meeting at 10:30?", "The meeting is at 10:30 (room 4), not at 11:30."],
    ["¿Cuántos días de vacaciones hay?", "Hay 22 días de vacaciones al año; con 10 años, 25."],
    ["¿Cuántos días de vacaciones hay?", "El salario se paga el último día del mes."],
    ["go", "go, went, gone: an irregular verb. " * 6],
    ["go " * 30, "A verb."],
    ["go went gone " * 8, "be was been " * 9],
    ["café", "cafe\u0301"],
    ["CAFÉ?", "El café está frío."],
    ["天气", "今天天气很好"],
    ["a🦀b", "🦀"],
    ["refund limit", "The refund limit is 30 days."],
    ["refund limit", "The refund limit is 90 days and is not thread-safe."],
    ["Is it thread-safe?", "It is not thread-safe."],
    ["Is it thread-safe?", "verbs " * 31],
    ["past [MASK] of be", "was, were | been"],
]


def random_tensors(shapes, seed):
    """Weights around 0 that keep the scores apart; scales of layer norms around 1."""
    rng = np.random.Generator(np.random.PCG64(seed))
    tensors = {}
    for name, shape in shapes.items():
        values = rng.standard_normal(shape) * (0.1 if name.endswith("bias") else 0.25)
        if "LayerNorm.weight" in name:
            values += 1
        tensors[name] = values.astype(np.float32)
    return tensors


def encoder_shapes(prefix, vocabulary, positions, segments):
    linear = lambda name, rows, columns: {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}
    norm = lambda name: {f"{name}.LayerNorm.weight": (WIDTH,), f"{name}.LayerNorm.bias": (WIDTH,)}
    shapes = {
        "embeddings.word_embeddings.weight": (vocabulary, WIDTH),
        "embeddings.position_embeddings.weight": (positions, WIDTH),
        "embeddings.token_type_embeddings.weight": (segments, WIDTH),
        **norm("embeddings"),
    }
    for layer in (f"encoder.layer.{i}" for i in range(LAYERS)):
        for name in ("query", "key", "value"):
            shapes |= linear(f"{layer}.attention.self.{name}", WIDTH, WIDTH)
        shapes |= linear(f"{layer}.attention.output.dense", WIDTH, WIDTH)
        shapes |= norm(f"{layer}.attention.output")
        shapes |= linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        shapes |= linear(f"{layer}.output.dense", WIDTH, INNER)
        shapes |= norm(f"{layer}.output")
    return {f"{prefix}.{name}": shape for name, shape in shapes.items()}


def config(**more):
    return {
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": INNER,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
        "initializer_range": 0.02,
        "position_embedding_type": "absolute",
        "id2label": {"0": "LABEL_0"},
        "label2id": {"LABEL_0": 0},
        **more,
    }


def flax_tree(tensors):
    """Names and layouts as Flax has them: kernels transposed, layers numbered apart."""
    tree = {}
    for name, values in tensors.items():
        parts = name.split(".")
        if parts[-1] == "weight":
            if "LayerNorm" in parts:
                parts[-1] = "scale"
            elif parts[-2].endswith("embeddings"):
                parts[-1] = "embedding"
            else:
                parts[-1], values = "kernel", values.T
        node = tree
        for part in parts[:-1]:
            node = node.setdefault(part, {})
        node[parts[-1]] = values
    return tree


def write(folder, files, tensors):
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(value, ensure_ascii=False, indent=1)
        # Short lists on one line.
        text = re.sub(r"\[\s+([^\[\]{}]{1,60}?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
        path.write_text(text + "\n")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def write_reference(name, rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n")


def vocabulary():
    """Every third word whole, the others by their characters."""
    text = " ".join(part for pair in PAIRS for part in pair).lower().replace("é", "e").replace("í", "i")
    text = text.replace("á", "a").replace("ú", "u").replace("ñ", "n").replace("\u0301", "")
    words = sorted(set(re.findall(r"[a-z]+|\d+", text)))
    single = sorted({c for c in text if not c.isspace() and c not in "🦀"})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *single]
    pieces += [f"##{c}" for c in single if c.isalnum()]
    pieces += ["##en", "##ing", "##s"] + [word for word in words[::3] if len(word) > 1]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


def tokenizer(pieces):
    added = [
        {"id": pieces[piece], "content": piece, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False, "special": True}
        for piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    ]
    sequence = lambda name, segment: {"Sequence": {"id": name, "type_id": segment}}
    marker = lambda name, segment: {"SpecialToken": {"id": name, "type_id": segment}}
    single = [marker("[CLS]", 0), sequence("A", 0), marker("[SEP]", 0)]
    special = {
        name: {"id": name, "ids": [pieces[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")
    }
    return {
        "version": "1.0",
        # As in published files: both are for the program that loads the file to replace.
        "truncation": {"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": None,
                    "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": added,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": single,
                           "pair": [*single, sequence("B", 1), marker("[SEP]", 1)],
                           "special_tokens": special},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": pieces},
    }


def pair_rows(folder, model, positions, pair_segments):
    """Ids, segments and logit of every pair, each alone."""
    from tokenizers import Tokenizer

    known = Tokenizer.from_file(str(folder / "tokenizer.json"))
    known.no_padding()
    known.enable_truncation(positions, strategy="longest_first")
    rows = []
    for question, passage in PAIRS:
        pair = known.encode(question, passage)
        segments = pair.type_ids if pair_segments else [0] * len(pair.ids)
        logits = model(
            np.array([pair.ids]), attention_mask=np.ones((1, len(pair.ids)), dtype="i4"),
            token_type_ids=np.array([segments]),
        ).logits
        rows.append({"question": question, "passage": passage, "pieces": len(pair.ids),
                     "logit": round(float(logits[0, 0]), 6)})
    return rows


def main():
    from transformers import BertConfig, FlaxBertForSequenceClassification

    positions, folder = 64, HERE / "cross"
    pieces = vocabulary()
    shape = config(model_type="bert", architectures=["BertForSequenceClassification"],
                   vocab_size=len(pieces), max_position_embeddings=positions, type_vocab_size=2,
                   layer_norm_eps=1e-12, pad_token_id=0)
    shapes = encoder_shapes("bert", len(pieces), positions, 2)
    shapes |= {"bert.pooler.dense.weight": (WIDTH, WIDTH), "bert.pooler.dense.bias": (WIDTH,),
               "classifier.weight": (1, WIDTH), "classifier.bias": (1,)}
    tensors = random_tensors(shapes, seed=4)
    write(folder, {"config.json": shape, "tokenizer.json": tokenizer(pieces)}, tensors)

    model = FlaxBertForSequenceClassification(BertConfig(**shape), _do_init=False)
    tree = flax_tree(tensors)
    call = lambda *args, **named: model(*args, params=tree, **named)
    write_reference("cross_reference.json", pair_rows(folder, call, positions, True))


if __name__ == "__main__":
    main()
