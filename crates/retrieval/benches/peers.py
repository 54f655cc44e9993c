"""Compares the speed of Fiel's BM25 and HNSW with bm25s and hnswlib, on one thread, in one run.

    python3 -m venv venv && venv/bin/pip install bm25s PyStemmer hnswlib numpy
    FIEL_DATA=DIR venv/bin/python crates/retrieval/benches/peers.py

Fiel's benchmark runs first and writes its vectors, so that both graphs contain the same vectors.
Only searching is timed; for bm25s and for Fiel this includes the analysis of the question. hnswlib
uses the same M and ef_construction, and the smallest ef (in steps of 8) with at least the recall of
Fiel among the 10 nearest.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

os.environ.update(dict.fromkeys(
    ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"], "1"))

import bm25s  # noqa: E402
import hnswlib  # noqa: E402
import numpy as np  # noqa: E402
import Stemmer  # noqa: E402

DIM, K = 384, 100


def fiel(folder):
    command = ["cargo", "bench", "--workspace", "--bench", "scifact", "--", "--dump", folder]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    return {row["what"]: row for row in rows}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def mean_ms(run, items):
    run(items[0])
    times = []
    for item in items:
        start = time.perf_counter()
        run(item)
        times.append((time.perf_counter() - start) * 1e3)
    return sum(times) / len(times)


def main():
    data = Path(os.environ["FIEL_DATA"]) / "scifact"
    with tempfile.TemporaryDirectory() as folder:
        ours = fiel(folder)
        documents = np.fromfile(f"{folder}/documents.f32", "<f4").reshape(-1, DIM)
        questions = np.fromfile(f"{folder}/questions.f32", "<f4").reshape(-1, DIM)

    corpus = [f"{d.get('title', '')} {d['text']}" for d in lines(data / "corpus.jsonl")]
    with open(data / "qrels/test.tsv", encoding="utf-8") as file:
        judged = {line.split("\t")[0] for line in file}
    asked = [q["text"] for q in lines(data / "queries.jsonl") if q["_id"] in judged]

    stemmer = Stemmer.Stemmer("english")
    words = dict(stemmer=stemmer, stopwords=None, show_progress=False)
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(bm25s.tokenize(corpus, **words), show_progress=False)
    peer_bm25 = mean_ms(
        lambda q: index.retrieve(bm25s.tokenize([q], **words), k=K, show_progress=False), asked)

    graph = hnswlib.Index(space="ip", dim=DIM)
    graph.init_index(len(documents), ef_construction=100, M=16, random_seed=1)
    graph.set_num_threads(1)
    start = time.perf_counter()
    graph.add_items(documents)
    build = (time.perf_counter() - start) * 1e3
    nearest = np.argsort(-(questions @ documents.T), axis=1, kind="stable")[:, :10]
    wanted = ours["hnsw, 10 nearest"]["recall@10"]
    for ef in range(16, 1025, 8):
        graph.set_ef(ef)
        found, _ = graph.knn_query(questions, k=10)
        recall = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found, nearest)])
        if recall >= wanted:
            break
    peer_hnsw = mean_ms(lambda q: graph.knn_query(q, k=10), list(questions))

    for row in ours.values():
        print(json.dumps(row))
    print(f"\n{'':24} {'Fiel':>9} {'peer':>9}  ratio peer / Fiel")
    rows = [
        ("bm25, bm25s", ours["bm25"]["mean_ms"], peer_bm25),
        (f"hnsw, hnswlib ef={ef}", ours["hnsw, 10 nearest"]["mean_ms"], peer_hnsw),
        ("hnsw build, hnswlib", ours["hnsw: build and check"]["mean_ms"], build),
    ]
    for name, own, peer in rows:
        print(f"{name:24} {own:9.3f} {peer:9.3f}  {peer / own:.2f}   (ms)")
    print(f"recall@10: Fiel {wanted:.4f}, hnswlib {recall:.4f}")


if __name__ == "__main__":
    main()
