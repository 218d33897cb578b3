#!/usr/bin/env python3
"""Attention layers on the host beside torch_geometric's, graph by graph in turns, as one result file.

  python3 bench/cpu_attention.py --program build/release/bench/bench_cpu_attention --graphs DIR --names pubmed,amazon_photo \
      --threads 2 --out FILE

A round runs the program and peers/torch_peers.py once each on a graph; of each cell the median over the rounds is kept. The
peer needs numpy, torch and torch_geometric in the Python that runs this; without them it has no rows.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
CELL = ("graph", "op", "heads", "channels", "dtype", "pass", "impl")


def measured(command: list[str], environment: dict[str, str], out: pathlib.Path) -> dict | None:
    """The result file that a command wrote, or none where it wrote none."""
    subprocess.run([*command, "--out", str(out)], env=environment, check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text()) if out.exists() else None


def medians(documents: list[dict]) -> list[dict]:
    """A row for each cell: the one whose time is the median of the rounds."""
    rows: dict[tuple, list[dict]] = {}
    for document in documents:
        for row in document["results"]:
            rows.setdefault(tuple(row[field] for field in CELL), []).append(row)
    return [sorted(rounds, key=lambda row: row["ms"])[(len(rounds) - 1) // 2] for rounds in rows.values()]


def ratios(rows: list[dict]) -> dict[tuple, float]:
    """The peer's time over ours, by graph, op, shape and pass."""
    times = {tuple(row[field] for field in CELL): row["ms"] for row in rows}
    return {cell[:-1]: times[(*cell[:-1], "pyg")] / ms
            for cell, ms in times.items() if cell[-1] == "edgewise" and (*cell[:-1], "pyg") in times}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--graphs", type=pathlib.Path, required=True)
    parser.add_argument("--names", default="pubmed,amazon_photo")
    parser.add_argument("--shapes", default="8x8,4x64")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--revision", default="unknown")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    chosen = parser.parse_args()
    threads = {**os.environ, "OMP_NUM_THREADS": str(chosen.threads), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    ours, peers = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.names.split(","):
            for turn in range(chosen.rounds):
                file = pathlib.Path(folder) / f"{name}{turn}"
                ours.append(measured([str(chosen.program.resolve()), "--graphs", str(chosen.graphs), "--names", name, "--shapes", chosen.shapes,
                                      "--threads", str(chosen.threads), "--revision", chosen.revision], threads, file.with_suffix(".ours")))
                peer = [sys.executable, str(HERE / "peers" / "torch_peers.py"), "--graphs", str(chosen.graphs), "--names", name,
                        "--ops", "transformer", "gat", "gatv2", "--shapes", *chosen.shapes.split(","), "--device", "cpu"]
                peers.append(measured(peer, threads, file.with_suffix(".peer")))
    peers = [document for document in peers if document]
    environment = ours[0]["environment"]
    environment["peer"] = peers[0]["environment"]["peer"] if peers else ""
    rows = medians(ours + peers)
    chosen.out.write_text(json.dumps({"environment": environment, "graphs": [], "results": rows}, indent=1) + "\n")
    for p in ("forward", "backward"):
        of_pass = [ratio for cell, ratio in ratios(rows).items() if cell[-1] == p]
        if of_pass:
            print(f"{p}: {statistics.geometric_mean(of_pass):.2f} times as fast in the mean, {min(of_pass):.2f} at least")


if __name__ == "__main__":
    main()
