#!/usr/bin/env python3
"""Prints the table of bench_fusion after bench/profile.py as Markdown: python3 bench/fusion_table.py RESULT.json

Each pair is unfused, fused. Memory is what plans, saved states and tensors of edges take at most. `floor` counts each byte of
operands and results once; atomics are sectors of 32 bytes in L2; warps are those that a multiprocessor held of the 64 it can.
"""
import json
import pathlib
import sys


def pair(unfused: dict, fused: dict, field: str, scale: float, digits: int) -> str:
    return ", ".join(f"{row[field] * scale:.{digits}f}" if field in row else "-" for row in (unfused, fused))


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())["results"]
    found = {(r["graph"], r["op"], r["pass"], r["heads"], r["channels"], r["impl"]): r for r in rows}
    cases = list(dict.fromkeys(key[:-1] for key in found))
    head = ["case", "ms", "ratio", "MB taken", "GB floor", "GB gathered", "GB of DRAM", "GB of L2", "M atomics", "% of warps"]
    print("| " + " | ".join(head) + " |")
    print("| --- " * len(head) + "|")
    for case in cases:
        both = found[*case, "unfused"], found[*case, "fused"]
        graph, op, which, heads, channels = case
        cells = [
            f"{graph}, {op}{'' if which == 'forward' else ', ' + which}, {heads}x{channels}",
            pair(*both, "ms", 1, 3),
            f"{both[0]['ms'] / both[1]['ms']:.2f}",
            pair(*both, "peak_bytes", 1e-6, 0),
            f"{both[1]['bytes_floor'] * 1e-9:.2f}",
            f"{both[1]['bytes_gathered'] * 1e-9:.2f}",
            pair(*both, "dram_bytes", 1e-9, 2),
            pair(*both, "l2_bytes", 1e-9, 2),
            pair(*both, "atomic_sectors", 1e-6, 2),
            pair(*both, "occupancy", 100, 0),
        ]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
