"""Data sets of the papers that are not at hand, as folders that the trainer reads: random graphs, features and labels of the
sizes that the papers state. They are for time and memory; nothing can be learned from them.

  python3 bench/papers/stand_ins.py --out DIR [--names reddit amz_comp ...]
"""
import argparse
import json
import pathlib
import sys
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "graphs"))
import generate


class StandIn(NamedTuple):
    """`words` features of a vertex are not zero, of bags of words; 0: all are."""
    num_vertices: int
    num_edges: int
    num_features: int
    words: int
    num_classes: int
    num_types: int = 1
    num_trained: int = 0  # 0: twenty a class


# Seastar (EuroSys 2021), table 2; edges are both directions of a pair. Reddit is that of graphs/generate.py.
STAND_INS = {
    "corafull": StandIn(19_794, 130_622, 8_710, 57, 70),
    "ca_physics": StandIn(34_494, 991_848, 8_415, 33, 5),
    "amz_comp": StandIn(13_753, 574_418, 767, 267, 10),
    "reddit": StandIn(232_965, 114_615_892, 602, 0, 41, num_trained=153_431),
    "bgs": StandIn(333_845, 1_832_398, 0, 0, 2, num_types=206, num_trained=117),
}


def edges_of(name: str, size: StandIn, random: np.random.Generator) -> np.ndarray:
    """[2, E] int32, sorted by source and destination: symmetric, of power-law degrees."""
    if name in generate.RECIPES:
        indptr, indices = generate.make(name)
    else:
        keys = generate.cora_keys(size.num_vertices, size.num_edges // 2, random)
        indptr, indices = generate.to_csr(keys, size.num_vertices, size.num_vertices, True)
    rows = np.repeat(np.arange(size.num_vertices, dtype=np.int32), np.diff(indptr))
    return np.stack([rows, indices])


def write_features(folder: pathlib.Path, size: StandIn, random: np.random.Generator) -> None:
    if size.num_features == 0:
        return
    if size.words == 0:
        np.save(folder / "features.npy", random.random((size.num_vertices, size.num_features), dtype=np.float32))
        return
    # One word from each of `words` equal parts of the vocabulary: ascending and distinct without sorting.
    borders = np.linspace(0, size.num_features, size.words + 1).astype(np.int64)
    words = random.integers(borders[:-1], borders[1:], (size.num_vertices, size.words))
    words[-1, -1] = size.num_features - 1  # readers take the number of features from the largest
    np.save(folder / "features_indptr.npy", np.arange(size.num_vertices + 1, dtype=np.int64) * size.words)
    np.save(folder / "features_indices.npy", words.astype(np.int32).ravel())
    np.save(folder / "features_values.npy", np.ones(words.size, dtype=np.float32))


def write(folder: pathlib.Path, name: str) -> None:
    size = STAND_INS[name]
    random = np.random.Generator(np.random.PCG64(7))
    folder.mkdir(parents=True, exist_ok=True)
    edges = edges_of(name, size, random)
    if size.num_types > 1:
        # A few types have most edges. Edges are sorted by type, as in the real sets.
        types = random.choice(size.num_types, edges.shape[1], p=power_of(size.num_types))
        order = np.argsort(types, kind="stable")
        edges, types = edges[:, order], types[order]
        types[-1] = size.num_types - 1
        np.save(folder / "edge_type.npy", types.astype(np.int32))
    np.save(folder / "edge_index.npy", edges)
    write_features(folder, size, random)
    labels = random.integers(0, size.num_classes, size.num_vertices).astype(np.int32)
    labels[:size.num_classes] = np.arange(size.num_classes)
    np.save(folder / "labels.npy", labels)
    rows = random.permutation(size.num_vertices).astype(np.int32)
    num_trained = size.num_trained or 20 * size.num_classes
    np.save(folder / "train_idx.npy", np.sort(rows[:num_trained]))
    np.save(folder / "test_idx.npy", np.sort(rows[num_trained:num_trained + 1000]))
    (folder / "meta.json").write_text(json.dumps({"num_nodes": size.num_vertices, "stand_in": True}) + "\n")


def power_of(num_types: int) -> np.ndarray:
    weights = 1 / np.arange(1, num_types + 1)
    return weights / weights.sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--names", nargs="+", choices=list(STAND_INS), default=list(STAND_INS), metavar="NAME")
    arguments = parser.parse_args()
    for name in arguments.names:
        write(arguments.out / name, name)
        print(f"{name}: {STAND_INS[name].num_vertices} vertices, {STAND_INS[name].num_edges} edges", flush=True)


if __name__ == "__main__":
    main()
