#!/usr/bin/env python3
"""Makes one result file of the logs of a sweep of training runs (`train --log`); needs nothing but Python.

  python3 bench/collect_training.py LOGS --out bench/results/h100-train-2026-11-28.json --gpu "NVIDIA H100 80GB HBM3"

LOGS are folders, of which every .json is read, or files. A row of the file is a model on a data set: its options, the test
accuracy of each seed at the last epoch and at that of best validation, each seed's median epoch, the most bytes. Of the data
sets in --curves it keeps the training and validation loss of each epoch of the first seed. The file is compact
(bench/compact.py); its topic in the index is "training".
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys

import compact

DEVICE_OF = {"gpu": "cuda", "cpu": "cpu"}
NOT_KEPT = ("data", "device", "runs", "seed")  # the row says them, or the file


def row_of(log: dict, has_curve: bool) -> dict:
    """A row of the result file; also of logs that are kept as they are, with or without their epochs."""
    runs = log["runs"]
    row = {"model": log["options"]["model"], "data": log["data"]["name"], "device": log["options"]["device"],
           "options": {key: value for key, value in log["options"].items() if key not in NOT_KEPT},
           "size": {key: value for key, value in log["data"].items() if key != "name"},
           "seeds": [run["seed"] for run in runs],
           "last_test_accuracy": [run["last_test_accuracy"] for run in runs],
           "best_test_accuracy": [run["best_test_accuracy"] for run in runs],
           "epoch_milliseconds": [run["median_epoch_milliseconds"] for run in runs],
           "peak_bytes": max(run["peak_bytes"] for run in runs),
           "epoch_allocations": max(run["num_epoch_allocations"] for run in runs)}
    if has_curve and runs[0].get("epochs"):
        row["curve"] = {"training": [epoch["loss"] for epoch in runs[0]["epochs"]],
                        "validation": [epoch["validation_loss"] for epoch in runs[0]["epochs"]]}
    return row


def log_files(paths: list[pathlib.Path]) -> list[pathlib.Path]:
    return [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]


def read_rows(paths: list[pathlib.Path], device: str, curves: list[str]) -> list[dict]:
    """Rows of all logs, in the order of their models and data. Ends the program where a file is no log of a run on `device`, or
    where two are of the same model and data."""
    rows: dict[tuple[str, str], tuple[dict, pathlib.Path]] = {}
    for path in log_files(paths):
        try:
            log = json.loads(path.read_text())
            row = row_of(log, log["data"]["name"] in curves)
        except (ValueError, KeyError, TypeError, IndexError) as failure:
            sys.exit(f"{path}: not a log of train --log: {failure!r}")
        if row.pop("device") != device:
            sys.exit(f"{path}: was not trained on {device}")
        key = row["model"], row["data"]
        if key in rows:
            sys.exit(f"{path}: is of {' on '.join(key)}, as {rows[key][1]} is")
        rows[key] = row, path
    if not rows:
        sys.exit("no logs were found")
    return [row for _, (row, _) in sorted(rows.items())]


def checkout_revision() -> str:
    """Of the checkout that this file lies in; "-dirty" behind it marks changes."""
    command = ["git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=7"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", type=pathlib.Path, help="files of train --log, or folders of them")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    machine = parser.add_mutually_exclusive_group(required=True)
    machine.add_argument("--gpu", help="the name of the GPU that all runs were on")
    machine.add_argument("--cpu", help="the name of the processor that all runs were on")
    parser.add_argument("--threads", type=int, default=0, help="of the processor; recorded")
    parser.add_argument("--revision", default=checkout_revision(), help="of the trainer; that of this checkout")
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    parser.add_argument("--curves", nargs="*", default=["cora"], help="data sets whose losses to keep")
    arguments = parser.parse_args()
    kind = "gpu" if arguments.gpu else "cpu"
    rows = read_rows(arguments.logs, DEVICE_OF[kind], arguments.curves)
    environment = {"revision": arguments.revision, "date": arguments.date, kind: getattr(arguments, kind)}
    if kind == "cpu" and arguments.threads:
        environment["cpu_threads"] = arguments.threads
    arguments.out.write_text(compact.compact({"environment": environment, "results": rows}))
    print(f"{arguments.out}: {len(rows)} rows")


if __name__ == "__main__":
    main()
