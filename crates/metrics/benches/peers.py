"""Times fiel-metrics, ranx and ir_measures on the same 100,000 questions of 100 hits.

    pip install ranx ir_measures
    python peers.py [questions]

Runs `cargo bench` for fiel-metrics (always 100,000 questions; reads the mean from criterion's
files) and prints a table with two times per program: from lists of ids and judgements, and of
the measures alone on prepared input.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import ir_measures
import ranx

QUESTIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
HITS, JUDGED, DOCUMENTS = 100, 12, 1_009
RANX = [
    "hit_rate@1", "hit_rate@5", "hit_rate@10", "mrr", "mrr@10", "recall@5", "recall@10",
    "recall@100", "precision@5", "precision@10", "ndcg@5", "ndcg@10", "ndcg@100",
    "ndcg_burges@10", "map", "r-precision",
]
IR_MEASURES = [
    ir_measures.parse_measure(name)
    for name in """Success@1 Success@5 Success@10 RR RR@10 R@5 R@10 R@100 P@5 P@10 nDCG@5 nDCG@10
        nDCG@100 nDCG(gains={1:1,2:3,3:7})@10 AP Rprec""".split()
]


def document(question, position):
    """The same formula as in measures.rs."""
    return (question * 31 + position * (1 + question % 1_008)) % DOCUMENTS


def data():
    names = [f"d{n}" for n in range(DOCUMENTS)]
    run, qrels = {}, {}
    for q in range(QUESTIONS):
        run[f"q{q}"] = {names[document(q, r)]: float(HITS - r) for r in range(HITS)}
        qrels[f"q{q}"] = {
            names[document(q, (q * 17 + j * j * 29) % 300)]: (q + j) % 4 for j in range(JUDGED)
        }
    return run, qrels


def timed(work, times=3):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def ours():
    root = pathlib.Path(__file__).resolve().parents[3]
    subprocess.run(["cargo", "bench", "-p", "fiel-metrics", "--bench", "measures"], cwd=root, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))

    def mean(name):
        path = target / "criterion" / name / "new" / "estimates.json"
        return json.loads(path.read_text())["mean"]["point_estimate"] / 1e9

    return mean("ranking/ids_and_measures"), mean("ranking/measures")


def main():
    rows = [("fiel-metrics", *ours())]
    run, qrels = data()

    def build(questions=QUESTIONS):
        take = lambda lists: {q: lists[q] for q in list(lists)[:questions]}
        return ranx.Qrels(take(qrels)), ranx.Run(take(run))

    def evaluate(pair):
        return ranx.evaluate(*pair, RANX, save_results_in_run=False)

    evaluate(build(100))  # numba compiles
    building, pair = timed(build, 1)
    measuring, means = timed(lambda: evaluate(pair))
    rows.append(("ranx", building + measuring, measuring))
    total, _ = timed(lambda: ir_measures.calc_aggregate(IR_MEASURES, qrels, run), 1)
    rows.append(("ir_measures", total, total))

    if QUESTIONS == 1_000:  # the means that the Rust benchmark prints, too
        print("\n".join(f"ranx {name} {value:.6f}" for name, value in means.items()))
    print(f"{QUESTIONS:,} questions of {HITS} hits, {len(RANX)} measures, {os.cpu_count()} cores")
    print(f"{'':14}{'from ids':>10}{'prepared':>10}  seconds")
    for name, ids, prepared in rows:
        print(f"{name:14}{ids:10.3f}{prepared:10.3f}")
    # ranx matches ids while measuring, fiel-metrics while preparing. The cautious
    # comparison is the whole time of fiel-metrics with a peer's time on prepared input.
    fastest = min(row[2] for row in rows[1:])
    print(f"fastest peer, prepared / ours, from ids: {fastest / rows[0][1]:.1f}")


if __name__ == "__main__":
    main()
