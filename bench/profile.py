#!/usr/bin/env python3
"""Adds what the profiler counted to a result file: bytes that DRAM and L2 moved, per row of the file.

  ncu --profile-from-start off --metrics dram__bytes.sum,lts__t_bytes.sum --csv --log-file ncu.csv \\
      build/bench/bench_X ... --out result.json
  python3 bench/profile.py result.json ncu.csv --out result.json

A benchmark launches each row's work once between profiler marks, in the order of the rows, and the file says how many
kernels that takes. Copies and clears are not kernels and are not counted.
"""
import argparse
import csv
import json
import pathlib
import sys

METRICS = {"dram__bytes.sum": "dram_bytes", "lts__t_bytes.sum": "l2_bytes"}
SCALES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def read_kernels(path: pathlib.Path) -> list[dict[str, float]]:
    """One entry per kernel launch, in order: metric to bytes."""
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    kernels: dict[int, dict[str, float]] = {}
    for row in csv.DictReader(lines):
        if row["Metric Name"] in METRICS:
            value = float(row["Metric Value"].replace(",", "")) * SCALES[row["Metric Unit"]]
            kernels.setdefault(int(row["ID"]), {})[METRICS[row["Metric Name"]]] = value
    return [kernels[key] for key in sorted(kernels)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("profile", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    document = json.loads(arguments.results.read_text())
    kernels = read_kernels(arguments.profile)
    expected = sum(len(row["kernels"]) for row in document["results"])
    if len(kernels) != expected:
        sys.exit(f"{arguments.profile}: has {len(kernels)} kernels, {arguments.results} launched {expected}")
    for row in document["results"]:
        mine, kernels = kernels[: len(row["kernels"])], kernels[len(row["kernels"]) :]
        for name in METRICS.values():
            row[name] = sum(kernel[name] for kernel in mine)
    arguments.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
