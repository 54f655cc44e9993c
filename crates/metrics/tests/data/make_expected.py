"""Writes the expected values of the tests in `tests/it`.

    pip install pytrec_eval-terrier ir_measures
    python make_expected.py [--check]

trec.json   random runs measured by trec_eval (through pytrec_eval) and ir_measures
squad.json  random answers measured by the SQuAD v1.1 script, reproduced below

With --check, writes nothing and exits with 0 if the files are up to date.
"""

import collections
import json
import pathlib
import random
import re
import string
import struct
import sys

import ir_measures
import pytrec_eval

HERE = pathlib.Path(__file__).parent
# Name here: (trec_eval's family, key of its result).
TREC = {
    "hit@1": ("success.1", "success_1"),
    "hit@5": ("success.5", "success_5"),
    "RR": ("recip_rank", "recip_rank"),
    "R@5": ("recall.5", "recall_5"),
    "R@10": ("recall.10", "recall_10"),
    "P@1": ("P.1", "P_1"),
    "P@5": ("P.5", "P_5"),
    "P@20": ("P.20", "P_20"),
    "nDCG@3": ("ndcg_cut.3", "ndcg_cut_3"),
    "nDCG@10": ("ndcg_cut.10", "ndcg_cut_10"),
    "AP": ("map", "map"),
    "Rprec": ("Rprec", "Rprec"),
}
GRADES = [[0, 1], [0, 0, 0, 1], [0, 1, 2, 3], [-1, 0, 1, 2, 3, 7], [1]]
# nDCG(dcg='exp-log2') runs a script that refuses grades above 4 and rounds to five
# digits; with explicit gains the same measure runs in trec_eval.
GAINS = {grade: 2**grade - 1 for grade in (1, 2, 3, 7)}
IR_MEASURES = {
    "RR@5": ir_measures.RR @ 5,
    "nDCG(exp)@3": ir_measures.nDCG(gains=GAINS) @ 3,
    "nDCG(exp)@10": ir_measures.nDCG(gains=GAINS) @ 10,
    "Judged@5": ir_measures.Judged @ 5,
    "Judged@10": ir_measures.Judged @ 10,
}


def random_topic(rng, number):
    """Judgements and a run of one question, with ids in random order."""
    pool = [f"d{n}" for n in rng.sample(range(1000), 45)]
    judged = rng.sample(pool, rng.randint(1, 20))
    grades = rng.choice(GRADES)
    qrels = {doc: rng.choice(grades) for doc in judged}
    length = 0 if number % 20 == 0 else rng.randint(1, 30)
    # Few distinct scores make ties; the last kind ties as 32-bit floats only.
    score = rng.choice([
        lambda: round(rng.uniform(-3, 3), 6),
        lambda: float(rng.randint(0, 4)),
        lambda: 1.0,
        lambda: 1.0 + rng.randint(0, 9) * 1e-9,
    ])
    run = {doc: score() for doc in rng.sample(pool, length)}
    return qrels, run


def in_order(run):
    """The run with strictly decreasing scores in trec_eval's order, for programs
    that order ties differently."""

    def as_float32(score):
        return struct.unpack("f", struct.pack("f", score))[0]

    order = sorted(run, key=lambda doc: (as_float32(run[doc]), doc), reverse=True)
    return {doc: float(len(order) - rank) for rank, doc in enumerate(order)}


def trec_expected(qrels, run):
    """Values by name, or None if no document is relevant. An empty list scores 0,
    as with trec_eval -c."""
    if not any(grade > 0 for grade in qrels.values()):
        return None
    if not run:
        return {name: 0.0 for name in (*TREC, *IR_MEASURES)}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": qrels}, {family for family, _ in TREC.values()})
    result = evaluator.evaluate({"q": run})["q"]
    expected = {name: result[key] for name, (_, key) in TREC.items()}
    for name, measure in IR_MEASURES.items():
        (metric,) = ir_measures.iter_calc([measure], {"q": qrels}, {"q": in_order(run)})
        expected[name] = metric.value
    return {name: round(value, 7) for name, value in expected.items()}


def squad_normalize(text):
    """Rajpurkar et al., evaluate-v1.1.py: lower, punctuation, articles, white space."""
    text = text.lower()
    text = "".join(c for c in text if c not in set(string.punctuation))
    text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def squad_f1(answer, reference):
    answer, reference = squad_normalize(answer).split(), squad_normalize(reference).split()
    common = sum((collections.Counter(answer) & collections.Counter(reference)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(answer), common / len(reference)
    return 2 * precision * recall / (precision + recall)


WORDS = """the a an The An eaten Paris river teacher's don't past participle is was verbs of in on
    1,000 30 2019 "quoted" U.S. (by hand) capital Seine, irregular; form: why? yes! form's eat eats
    eating it's they're and or not no which who she her @home 50% $5 #1 a's A.""".split()


def random_answer(rng):
    while True:
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 9)))
        text += rng.choice(["", "", ".", "!", "..."])
        if squad_normalize(text):
            return text


def squad_case(rng):
    answer = random_answer(rng)
    references = [random_answer(rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3:
        words = answer.split()
        rng.shuffle(words)
        references.append(" ".join(words[: rng.randint(1, len(words))]))
    if rng.random() < 0.2:
        references.append("The " + answer.upper() + "!")
    references = [reference for reference in references if squad_normalize(reference)]
    return {
        "answer": answer,
        "references": references,
        "normalized": squad_normalize(answer),
        "EM": max(float(squad_normalize(answer) == squad_normalize(r)) for r in references),
        "F1": round(max(squad_f1(answer, r) for r in references), 7),
    }


def lines(cases):
    body = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    return f"[\n{body}\n]\n"


def main():
    rng = random.Random(20)
    trec = []
    for number in range(240):
        qrels, run = random_topic(rng, number)
        trec.append({"qrels": qrels, "run": run, "expected": trec_expected(qrels, run)})
    squad = [squad_case(rng) for _ in range(300)]
    stale = False
    for name, cases in [("trec.json", trec), ("squad.json", squad)]:
        path, text = HERE / name, lines(cases)
        if "--check" in sys.argv:
            stale |= not path.exists() or path.read_text() != text
        else:
            path.write_text(text)
    sys.exit(stale)


if __name__ == "__main__":
    main()
