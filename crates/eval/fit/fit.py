"""Fits the coefficients of the scorer `grounded`.

    python fit.py examples > examples.jsonl
    fiel judge bench examples.jsonl --scorer grounded --features features.jsonl
    python fit.py fit examples.jsonl features.jsonl > ../src/judge/grounded.toml

FIEL_DATA names the folder with wice/dev.jsonl; needs numpy. The features are Fiel's own: this
script only makes the examples and weighs what Fiel saw of them.

The examples are the claims of WiCE and sentences made from the same pages: a sentence and the
passages it stands in (supported), and the same with a number, a name or a "not" changed, or with
the passages of another page (not supported). WiCE alone has next to no "not", and no claim that
stands in its page word for word. Nothing but the coefficients is chosen by the data.
"""
import hashlib
import json
import os
import re
import sys
from pathlib import Path

import numpy as np

FEATURES = ["coverage", "names_missing", "numbers_found", "number_conflict", "polarity_conflict",
            "maxsim", "maxsim_weakest"]
PENALTY = 3.0     # L2, on standardised features
MADE_SHARE = 1.0  # total weight of the made sentences, against that of the claims of WiCE
FOLDS = 5


def digest(string):
    return int.from_bytes(hashlib.sha256(string.encode()).digest()[:8], "big")


# --- examples

AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|must)\b(?! not|n't)")
NEGATIVE = re.compile(r"\b(?:not|no|never|without|nor|neither)\b|n['’]t", re.I)
INTEGER = re.compile(r"(?<![\w.,])[0-9]+(?![\w,]|\.[0-9])")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")
NO_NAME = {"The", "This", "That", "These", "Those", "They", "There", "She", "His", "Her", "Its",
           "And", "But", "For", "From", "With", "When", "While", "Who", "What", "How", "You", "Our",
           "All", "After", "Before", "During", "Until", "Not", "Now", "Then", "Some", "Most", "More"}


def replaced(string, match, by):
    return string[:match.start()] + by + string[match.end():]


def pick(items, string):
    return items[digest(string) % len(items)] if items else None


def other_number(string):
    match = pick(list(INTEGER.finditer(string)), string)
    if match:
        n = int(match.group())
        return replaced(string, match, str(n + 1 + digest(string) % (7 if n < 100 else 40)))


def moved_number(string, passages):
    """With a number that stands elsewhere in the passages."""
    own = set(re.findall(r"[0-9]+", string))
    others = [m.group() for p in passages for m in INTEGER.finditer(p) if m.group() not in own]
    match = pick(list(INTEGER.finditer(string)), string)
    return replaced(string, match, pick(others, string)) if match and others else None


def named(string):
    return [m for m in NAME.finditer(string) if not NO_NAME & set(m.group().split())]


def other_name(string, foreign):
    """With a name of as many words from a foreign page."""
    match = pick(named(string), string)
    if match:
        length = len(match.group().split())
        others = [m.group() for s in foreign for m in named(s)
                  if len(m.group().split()) == length and m.group() not in string]
        return replaced(string, match, pick(others, string)) if others else None


def negated(string):
    match = AUXILIARY.search(string)
    return string[:match.end()] + " not" + string[match.end():] if match else None


def passages_around(sentences, at, width=40):
    """Up to three passages of about 40 words: the one with the sentence, the one before it and the
    one after."""
    chunks = [[]]
    for i, s in enumerate(sentences):
        if chunks[-1] and sum(len(sentences[j].split()) for j in chunks[-1]) + len(s.split()) > width:
            chunks.append([])
        chunks[-1].append(i)
    own = next(k for k, chunk in enumerate(chunks) if at in chunk)
    return [" ".join(sentences[j] for j in chunks[k])
            for k in (own, own - 1, own + 1) if 0 <= k < len(chunks)]


def made(pages):
    """(page, kind, claim, passages, supported); sentences are taken in the order of their hashes."""
    for page, sentences in enumerate(pages):
        foreign = pages[(page + 7) % len(pages)]
        usable = [i for i, s in enumerate(sentences)
                  if 6 <= len(s.split()) <= 35 and s.endswith(".") and s[0].isupper()
                  and not NEGATIVE.search(s)]
        usable.sort(key=lambda i: digest(sentences[i]))
        if not usable:
            continue

        def first(change):
            return next((i for i in usable if change(sentences[i])), None)

        found = []
        s = sentences[usable[0]]
        found.append(("same", s, passages_around(sentences, usable[0])))
        found.append(("unrelated", s, passages_around(foreign, digest(s) % len(foreign))))
        if (i := first(other_number)) is not None:
            s, around = sentences[i], passages_around(sentences, i)
            found.append(("same", s, around))
            found.append(("number", other_number(s), around))
            found.append(("number moved", moved_number(s, around), around))
        if (i := first(lambda s: other_name(s, foreign))) is not None:
            s, around = sentences[i], passages_around(sentences, i)
            found.append(("same", s, around))
            found.append(("name", other_name(s, foreign), around))
        if (i := first(negated)) is not None:
            s, changed = sentences[i], list(sentences)
            changed[i] = negated(s)
            found.append(("not added", changed[i], passages_around(sentences, i)))
            found.append(("not dropped", s, passages_around(changed, i)))
            found.append(("same", changed[i], passages_around(changed, i)))
        yield from ((page, kind, claim, passages, kind == "same")
                    for kind, claim, passages in found if claim)


def examples():
    path = Path(os.environ["FIEL_DATA"]) / "wice" / "dev.jsonl"
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    pages = [[s for e in r["evidence"] if (s := " ".join(e.split()))] for r in rows]
    found = [(i, "wice", r["claim"], r["evidence"], r["label"] == "supported")
             for i, r in enumerate(rows)]
    for page, kind, claim, passages, label in found + list(made(pages)):
        # A made sentence is in the fold of the claim whose page it is from.
        fold = digest(rows[page]["claim"]) % FOLDS
        print(json.dumps({"claim": claim, "context": passages, "label": label, "kind": kind,
                          "fold": fold}, ensure_ascii=False))


# --- fitting

def logistic(x, y, weight):
    """Intercept and coefficients for raw features; L2 on the standardised ones, Newton's method."""
    mean = np.average(x, axis=0, weights=weight)
    scale = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weight))
    scale[scale == 0] = 1
    z = np.column_stack([(x - mean) / scale, np.ones(len(x))])
    penalty = np.full(z.shape[1], PENALTY)
    penalty[-1] = 0
    b = np.zeros(z.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ b))
        gradient = z.T @ (weight * (p - y)) + penalty * b
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        b -= step
        if np.abs(step).max() < 1e-10:
            break
    coefficients = b[:-1] / scale
    return b[-1] - coefficients @ mean, coefficients


def probability(x, model):
    return 1 / (1 + np.exp(-(model[0] + x @ model[1])))


def auroc(y, score):
    order = np.unique(score, return_inverse=True)[1]
    count = np.bincount(order)
    rank = (np.cumsum(count) - (count - 1) / 2)[order]
    positive = y.sum()
    return (rank[y == 1].sum() - positive * (positive + 1) / 2) / (positive * (len(y) - positive))


def table(model, head):
    lines = [f"intercept = {model[0]:.6f}", "", f"[{head}]"]
    return "\n".join(lines + [f"{n} = {c:.6f}" for n, c in zip(FEATURES, model[1])])


def fit(examples, features):
    rows = [json.loads(line) for line in open(examples, encoding="utf-8")]
    seen = [json.loads(line)["features"] for line in open(features, encoding="utf-8")]
    assert len(rows) == len(seen), "the files are not of the same examples"
    # Without a sentence in the context the score is 0, whatever the coefficients.
    usable = np.array([f is not None for f in seen])
    x = np.array([[f[n] for n in FEATURES] if f else [0.0] * len(FEATURES) for f in seen])
    y = np.array([float(r["label"]) for r in rows])
    fold = np.array([r["fold"] for r in rows])
    kind = np.array([r["kind"] for r in rows])
    wice = kind == "wice"
    weight = np.where(wice, 1.0, MADE_SHARE * wice.sum() / (~wice).sum())
    score, folds = np.zeros(len(rows)), []
    for k in range(FOLDS):
        train, test = usable & (fold != k), usable & (fold == k)
        folds.append(logistic(x[train], y[train], weight[train]))
        score[test] = probability(x[test], folds[-1])
    whole = logistic(x[usable], y[usable], weight[usable])
    print(f"out of fold, WiCE: AUROC {auroc(y[wice], score[wice]):.4f}", file=sys.stderr)
    for k in dict.fromkeys(kind):
        right = (score >= 0.5) == (y == 1)
        print(f"  {k:12} {right[kind == k].sum():5} of {(kind == k).sum():5} right at 0.5",
              file=sys.stderr)
    print("# Written by crates/eval/fit/fit.py from WiCE dev; do not edit.")
    print(table(whole, "coefficients"))
    for model in folds:
        print("\n[[fold]]\n" + table(model, "fold.coefficients"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["examples"]:
        examples()
    elif sys.argv[1:2] == ["fit"] and len(sys.argv) == 4:
        fit(*sys.argv[2:])
    else:
        sys.exit(__doc__)
