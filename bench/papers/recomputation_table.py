#!/usr/bin/env python3
"""Prints the table of bench_recomputation (MLSys'22, figures 9 and 10) as Markdown: python3 recomputation_table.py RESULT.json

Times are milliseconds of a training step. Memory is what plans, saved states and tensors of edges take at most; operands,
outputs and their gradients, which are the same in all forms, come on top. Bytes are there after bench/profile.py.
"""
import json
import pathlib
import sys

FORMS = ("unfused", "stash", "recompute")


def cell(row: dict) -> str:
    text = f"{row['ms']:.3f} ms, {row['peak_bytes'] / 1e6:.1f} MB"
    if "dram_bytes" in row:
        text += f", {row['l2_bytes'] / 1e9:.2f} GB of L2, {row['dram_bytes'] / 1e9:.2f} of DRAM"
    return text


def main() -> None:
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())["results"]
    found = {(r["graph"], r["op"], *r["impl"].split(", ")): r for r in rows}
    cases = list(dict.fromkeys((graph, op, mapping) for graph, op, _, mapping in found))
    print("| graph, model, mapping | " + " | ".join(FORMS) + " | recompute over stash |")
    print("| --- " * (len(FORMS) + 2) + "|")
    for graph, op, mapping in cases:
        row = [found[graph, op, form, mapping] for form in FORMS]
        print(f"| {graph}, {op}, {mapping} | " + " | ".join(cell(r) for r in row) + f" | {row[2]['ms'] / row[1]['ms']:.2f} |")


if __name__ == "__main__":
    main()
