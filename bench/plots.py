#!/usr/bin/env python3
"""Draws result files: times of peers over ours, what is reached of the gather ceiling, and memory. Needs matplotlib.

  python3 bench/plots.py --out docs/plots                       the kept results of one H200 (KEPT below)
  python3 bench/plots.py --out DIR RESULT.json... [--recorded PEERS.json...]

speedup.svg    fastest peer's time over the library's, one line per family of cells from the worst to the best
ceiling.svg    time of the gathered bytes at the ceiling over the measured time; where a file has no ceilings, at its copy
               bandwidth (marked)
memory.svg     bytes that training steps take at most besides operands, outputs and their gradients, by implementation
The same files give the same pictures, byte for byte, with one version of matplotlib. Cells that nobody measured are left out.
"""
import argparse
import pathlib
import sys

import scorecard
import tables
from compact import files_of

try:
    import matplotlib
except ImportError:
    print("plots: matplotlib is not installed, nothing is drawn")
    sys.exit(0)

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)

HERE = pathlib.Path(__file__).parent
KEPT = [HERE / "results" / f"{name}.json" for name in
        (*scorecard.SPMM, *scorecard.SDDMM, *scorecard.ATTENTION, *scorecard.EXTREMUM, *files_of("H200", "recomputation"))]
RECORDED = [HERE / "baselines" / "recorded" / f"{name}.json" for name in scorecard.RECORDED]
OURS = "edgewise"
GRAPHS = scorecard.GRAPHS
BLUE, GREY, RED = "#2a6f97", "#9aa0a6", "#b5403a"

plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "edgewise", "font.size": 8, "axes.spines.top": False,
                     "axes.spines.right": False, "font.family": "sans-serif"})


def save(figure, path: pathlib.Path) -> None:
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)
    text = path.read_text()
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
    print(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


def order_of(graph: str) -> tuple[int, str]:
    return (GRAPHS.index(graph), graph) if graph in GRAPHS else (len(GRAPHS), graph)


def is_another_of_ours(row: dict) -> bool:
    """Another way than the library's own choice: no peer."""
    return row["impl"] != OURS and row["impl"].startswith(OURS)


def cells_of(paths: list[pathlib.Path]) -> tuple[dict, dict, list[dict]]:
    """(ours, fastest peer) by case, and all rows; a case in several files is the last file's."""
    ours, peers, rows = {}, {}, []
    for path in paths:
        document = tables.load(path)
        for row in document["results"]:
            row["copy_bandwidth"] = document["environment"]["copy_bandwidth"]
            rows.append(row)
            case = tuple(row[key] for key in tables.CASE)
            if row["impl"] == OURS:
                ours[case] = row
            elif is_another_of_ours(row):
                continue
            elif case not in peers or row["ms"] < peers[case]["ms"]:
                peers[case] = row
    return ours, peers, rows


def with_recorded(peers: dict, paths: list[pathlib.Path]) -> dict:
    """Recorded times of peers that were not in the same run, where they are the fastest."""
    for path in paths:
        for row in tables.json.loads(path.read_text())["results"]:
            case = tuple(row[key] for key in tables.CASE)
            if case not in peers or row["ms"] < peers[case]["ms"]:
                peers[case] = row
    return peers


def strips(values: dict[tuple, list[tuple[str, float, bool]]], label: str, path: pathlib.Path, limit: float) -> None:
    """A panel for each key: dots (graph, value, is_marked) on a logarithmic axis, a line at `limit`."""
    if not values:
        print(f"{path}: nothing to draw")
        return
    columns = 3
    lines = -(-len(values) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(9, 1.75 * lines), squeeze=False)
    low = min(x for dots in values.values() for _, x, _ in dots)
    high = max(x for dots in values.values() for _, x, _ in dots)
    for axis, (key, dots) in zip(axes.flat, sorted(values.items())):
        graphs = sorted({graph for graph, _, _ in dots}, key=order_of, reverse=True)
        for is_marked, face in ((False, BLUE), (True, "none")):
            chosen = [(x, graphs.index(graph)) for graph, x, marked in dots if marked == is_marked]
            axis.scatter([x for x, _ in chosen], [y for _, y in chosen], s=14, facecolors=face, edgecolors=BLUE, linewidths=0.8)
        axis.axvline(limit, color=RED, linewidth=0.8)
        axis.set_xscale("log")
        axis.set_xlim(low / 1.15, high * 1.15)
        ticks = [t for t in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if low / 1.15 <= t <= high * 1.15]
        axis.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axis.minorticks_off()
        axis.set_yticks(range(len(graphs)), graphs)
        axis.set_ylim(-0.6, len(graphs) - 0.4)
        axis.set_title(" ".join(key), fontsize=8, loc="left")
    for axis in list(axes.flat)[len(values):]:
        axis.set_visible(False)
    figure.supxlabel(label, fontsize=8)
    figure.tight_layout()
    save(figure, path)


def ratios_of(ours: dict, peers: dict) -> dict[str, list[float]]:
    """The fastest peer's time over ours, by operation and pass."""
    ratios: dict[str, list[float]] = {}
    for case, row in ours.items():
        if case in peers:
            ratios.setdefault(f"{scorecard.NAMES.get(row['op'], row['op'])}, {row['pass']}", []).append(peers[case]["ms"] / row["ms"])
    return ratios


def kept_ratios() -> dict[str, list[float]]:
    """The same by the families of the scorecard, beside all peers that it knows."""
    scorecard.fill(scorecard.FAMILIES)
    return {family.title: [ratio for _, _, ratio in family.cells] for family in scorecard.FAMILIES}


def draw_speedup(ratios: dict[str, list[float]], path: pathlib.Path) -> None:
    """One line per family from its worst to its best cell, with a dot at the geometric mean."""
    if not ratios:
        print(f"{path}: nothing to draw")
        return
    figure, axis = plt.subplots(figsize=(8, 0.22 * len(ratios) + 0.8))
    for y, of in enumerate(reversed(ratios.values())):
        mean = scorecard.mean(of)
        axis.plot([min(of), max(of)], [y, y], color=BLUE, linewidth=1.2, alpha=0.5)
        axis.scatter([mean], [y], s=26, color=BLUE, zorder=3)
        axis.text(max(of) * 1.05, y, f"{mean:.2f}", va="center", fontsize=7)
    axis.axvline(1, color=RED, linewidth=0.8)
    axis.set_xscale("log")
    ticks = [0.5, 1, 2, 5, 10, 20]
    axis.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axis.minorticks_off()
    axis.set_yticks(range(len(ratios)), list(reversed(ratios)))
    axis.set_xlabel("fastest peer's time over ours: worst to best cell, dot and number: geometric mean", fontsize=8)
    save(figure, path)


def draw_ceiling(ours: dict, path: pathlib.Path) -> None:
    values: dict[tuple, list] = {}
    for row in ours.values():
        measured = row.get("fraction_of_gather")
        fraction = measured or row["bytes_gathered"] / row["copy_bandwidth"] * 1e3 / row["ms"]
        values.setdefault((row["op"], row["pass"]), []).append((row["graph"], fraction, not measured))
    strips(values, "time at the gather ceiling over the measured time, one dot per width; open: at copy bandwidth, above 1 rows are reused",
           path, 0.7)


def draw_memory(rows: list[dict], path: pathlib.Path) -> None:
    bars: dict[tuple, dict[str, float]] = {}
    for row in rows:
        if row.get("peak_bytes") and row["pass"] == "step":
            shape = f"{row['heads']}x{row['channels']}"
            bars.setdefault((row["op"], row["pass"], row["graph"], shape), {})[row["impl"]] = row["peak_bytes"] / 1e6
    bars = {key: of for key, of in bars.items() if len(of) > 1}
    if not bars:
        print(f"{path}: nothing to draw")
        return
    columns = 2
    lines = -(-len(bars) // columns)
    tallest = max(len(of) for of in bars.values())
    figure, axes = plt.subplots(lines, columns, figsize=(9, (0.18 * tallest + 0.5) * lines), squeeze=False)
    for axis, (key, of) in zip(axes.flat, sorted(bars.items())):
        names = sorted(of, key=of.get)
        axis.barh(names, [of[name] for name in names], color=[GREY if name.startswith("unfused") else BLUE for name in names])
        for y, name in enumerate(names):
            axis.text(of[name], y, f" {of[name]:.1f}", va="center", fontsize=7)
        axis.set_title(" ".join(key), fontsize=8, loc="left")
        axis.set_xlim(0, 1.15 * max(of.values()))
    for axis in list(axes.flat)[len(bars):]:
        axis.set_visible(False)
    figure.supxlabel("megabytes at most, besides operands, outputs and their gradients", fontsize=8)
    figure.tight_layout()
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="result files (default: the kept ones)")
    parser.add_argument("--recorded", nargs="*", type=pathlib.Path, help="files of recorded times of peers")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder to write to, made if missing")
    arguments = parser.parse_args()
    recorded = arguments.recorded if arguments.recorded is not None else ([] if arguments.files else RECORDED)
    ours, peers, rows = cells_of(arguments.files or KEPT)
    arguments.out.mkdir(parents=True, exist_ok=True)
    draw_speedup(ratios_of(ours, with_recorded(peers, recorded)) if arguments.files else kept_ratios(), arguments.out / "speedup.svg")
    draw_ceiling(ours, arguments.out / "ceiling.svg")
    draw_memory(rows, arguments.out / "memory.svg")


if __name__ == "__main__":
    main()
