#!/usr/bin/env python3
"""Adds what the profiler counted to a result file, per row of the file: bytes that DRAM and L2 moved, sectors of atomics in L2,
and the part of their warps that multiprocessors held.

  ncu --profile-from-start off --metrics METRICS --csv --log-file ncu.csv build/bench/bench_X ... --out result.json
  python3 bench/profile.py result.json ncu.csv --out result.json

METRICS: what `python3 bench/profile.py --metrics` prints. A benchmark launches each row's work once between profiler marks, in the
order of the rows, and the file says how many kernels that takes. Copies and clears are not kernels and are not counted.
"""
import argparse
import csv
import json
import pathlib
import sys

from compact import compact

SUMS = {
    "dram__bytes.sum": "dram_bytes",
    "lts__t_bytes.sum": "l2_bytes",
    "lts__t_sectors_op_atom.sum": "atomic_sectors",
    "lts__t_sectors_op_red.sum": "atomic_sectors",
}
TIME = "gpu__time_duration.sum"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
METRICS = [*SUMS, TIME, WARPS]
SCALES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "sector": 1, "%": 0.01, "ns": 1e-9, "us": 1e-6, "usecond": 1e-6,
          "nsecond": 1e-9, "msecond": 1e-3, "ms": 1e-3, "second": 1, "s": 1}


def read_kernels(path: pathlib.Path) -> list[dict[str, float]]:
    """One entry per kernel launch, in order: metric to its value, in bytes, sectors, seconds or as a part of 1."""
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    kernels: dict[int, dict[str, float]] = {}
    for row in csv.DictReader(lines):
        if row["Metric Name"] in METRICS:
            value = float(row["Metric Value"].replace(",", "")) * SCALES[row["Metric Unit"]]
            kernels.setdefault(int(row["ID"]), {})[row["Metric Name"]] = value
    return [kernels[key] for key in sorted(kernels)]


def counts_of(kernels: list[dict[str, float]]) -> dict[str, float]:
    """Of a row's kernels together: sums, and the mean of the warps over the time. What was not counted is left out."""
    counts: dict[str, float] = {}
    for field in dict.fromkeys(SUMS.values()):
        metrics = [metric for metric, of in SUMS.items() if of == field]
        if all(metric in kernel for metric in metrics for kernel in kernels):
            counts[field] = sum(kernel[metric] for metric in metrics for kernel in kernels)
    if all(TIME in kernel and WARPS in kernel for kernel in kernels):
        time = sum(kernel[TIME] for kernel in kernels)
        counts["occupancy"] = sum(kernel[TIME] * kernel[WARPS] for kernel in kernels) / time if time > 0 else 0
    return counts


def main() -> None:
    if "--metrics" in sys.argv[1:]:
        print(",".join(METRICS))
        return
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
        row.update(counts_of(mine))
    arguments.out.write_text(compact(document))


if __name__ == "__main__":
    main()
