"""Writes a folder of .npy files to train with: write_folder.py FOLDER classes|sets|types

Three communities with directed links, of which some vertices have none, and features in several columns that tell a
community vaguely: other than identities they give every rank a gradient of every row of a matrix.
"""
import pathlib
import random
import struct
import sys

NUM_VERTICES = 90
NUM_CLASSES = 3
NUM_FEATURES = 14


def write(path, kind, letter, numbers, *shape):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(data + struct.pack(f"<{len(numbers)}{letter}", *numbers))


def main():
    folder, labels = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(7)
    community = [draw.randrange(NUM_CLASSES) for _ in range(NUM_VERTICES)]
    pairs = [(u, v) for u in range(NUM_VERTICES) for v in range(NUM_VERTICES - 2) if u != v]
    edges = [(u, v) for u, v in pairs if draw.random() < (0.15 if community[u] == community[v] else 0.02)]
    ends = [u for u, _ in edges] + [v for _, v in edges]
    write(folder / "edge_index.npy", "<i4", "i", ends, 2, len(edges))
    features = [1 + draw.random() if draw.random() < (0.6 if column % NUM_CLASSES == community[v] else 0.2) else 0
                for v in range(NUM_VERTICES) for column in range(NUM_FEATURES)]
    write(folder / "features.npy", "<f4", "f", features, NUM_VERTICES, NUM_FEATURES)
    if labels == "types":  # of edges; what an edge says of its source depends on it
        write(folder / "edge_type.npy", "<i4", "i", [(u + 2 * v) % 3 for u, v in edges], len(edges))
    if labels == "sets":
        sets = [int(community[v] == c or draw.random() < 0.1) for v in range(NUM_VERTICES) for c in range(NUM_CLASSES)]
        write(folder / "labels_multi.npy", "|u1", "B", sets, NUM_VERTICES, NUM_CLASSES)
    else:
        write(folder / "labels.npy", "<i4", "i", community, NUM_VERTICES)
    # The first vertices alone are for training: where ranks have ranges, some have none of them.
    for name, first, end in (("train", 0, 20), ("val", 20, 45), ("test", 45, NUM_VERTICES)):
        write(folder / f"{name}_idx.npy", "<i4", "i", range(first, end), end - first)


if __name__ == "__main__":
    main()
