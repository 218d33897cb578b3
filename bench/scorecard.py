#!/usr/bin/env python3
"""What the library set out to reach on an H200 and what it reached, cell by cell, from the kept result files alone.

  python3 bench/scorecard.py --out bench/results/tables.md     writes the page
  python3 bench/scorecard.py --check bench/results/tables.md   fails where the page is not what the files say

A cell is a graph, a width, an operation and a pass. Its peer is the fastest of those in the same run (cuSPARSE's
algorithms), of torch in another run, and of the recorded ones. Every cell under 70 % of the gather ceiling needs a reason
(REASONS): the page is not written without. Which files count is what bench/results/index.json says of machine and topic.
"""
import argparse
import difflib
import json
import math
import pathlib
import statistics
import sys
from dataclasses import dataclass, field

import tables
from compact import files_of, read_index

HERE = pathlib.Path(__file__).parent
GRAPHS = ["cora", "arxiv", "products", "reddit", "roads", "dense"]
SPMM = files_of("H200", "weighted sum")
ATTENTION = files_of("H200", "attention")
EXTREMUM = files_of("H200", "maximum")
SDDMM = files_of("H200", "values of edges")
FLOAT16 = files_of("H200", "weighted sum, 16 bits")
ATTENTION_FLOAT16 = files_of("H200", "attention, 16 bits")
CONVERSION = files_of("H200", "conversion")
TORCH = files_of("H200", "torch")
ODD_WIDTHS = files_of("H200", "weighted sum, odd widths")
FILLED_ROWS = files_of("H200", "weighted sum, rows with gaps")
H100_ODD = files_of("H100", "weighted sum, odd widths")
H100_PADDED = H100_ODD + files_of("H100", "weighted sum, padded rows")
FUNCTORS = {machine: files_of(machine, "functors") for machine in ("H200", "H100")}
LEVEL = 0.005  # what a cell differs by from run to run: a time within it of another is that time
# Judged by their low cells alone.
OTHERS = [FLOAT16, ATTENTION_FLOAT16, ODD_WIDTHS, FILLED_ROWS, FUNCTORS["H200"]] + [files_of("H200", topic) for topic in (
    "weighted sum, odd widths, backward", "weighted sum, real graphs", "attention, real graphs", "weighted sum, other shapes",
    "attention, other shapes")]
RUNS = SPMM + SDDMM + ATTENTION + EXTREMUM
RECORDED = ["spmm-h200-2026-11", "attention-h200-2026-11", "extremum-h200-2026-11"]
NAMES = {"transformer": "graph transformer", "gat": "GAT", "gatv2": "GATv2", "max": "maximum", "weighted_sum": "weighted sum",
         "edge_dot": "inner products of edges", "edge_add": "sums of edges"}


@dataclass
class Family:
    """Cells that share a target: the peer's time over ours, as a geometric mean and in the worst cell."""
    title: str
    op: str
    run: str  # the pass
    files: list[str]
    mean: float | None
    worst: float | None
    impl: str = "edgewise"
    note: str = ""
    cells: list = field(default_factory=list)


FAMILIES = [
    Family("weighted sum, forward", "weighted_sum", "forward", SPMM, 1.2, 0.9),
    Family("weighted sum, gradient of the features, weights by edge id", "weighted_sum", "grad_source", SPMM, 1.3, 0.95),
    Family("weighted sum, gradient of the features, weights in place", "weighted_sum", "grad_source", SPMM, 1.3, 0.95,
           impl="edgewise_transposed", note="as the peer is given them"),
    Family("weighted sum, gradient of the weights", "weighted_sum", "grad_edge", SPMM, 1.3, 0.95),
    Family("inner products of edges", "edge_dot", "forward", SDDMM, 1.3, 0.95, note="SDDMM"),
    Family("inner products of edges, gradient of destinations", "edge_dot", "grad_left", SDDMM, 1.3, 0.95),
    Family("inner products of edges, gradient of sources, adjoints by edge id", "edge_dot", "grad_right", SDDMM, 1.3, 0.95,
           note="the peer's are permuted beforehand"),
    Family("maximum with argument, forward", "max", "forward", EXTREMUM, 1.6, 1.1),
    Family("maximum, backward by atomics", "max", "backward", EXTREMUM, 1.2, None, impl="edgewise_atomic",
           note="`nondeterministic`, as the peer's"),
    Family("maximum, backward, the same bits every time", "max", "backward", EXTREMUM, None, None,
           note="the peer's uses atomics; its target is the row *the same bits* below"),
    Family("graph transformer, forward", "transformer", "forward", ATTENTION, 2.2, 1.1),
    Family("graph transformer, backward", "transformer", "backward", ATTENTION, 1.7, 1.0),
    Family("GAT, forward", "gat", "forward", ATTENTION, 2.5, 1.3),
    Family("GAT, backward", "gat", "backward", ATTENTION, 3.0, 1.5),
    Family("GATv2, forward", "gatv2", "forward", ATTENTION, 3.0, 1.3),
    Family("GATv2, backward", "gatv2", "backward", ATTENTION, 3.0, 1.5),
]

# The first that fits a cell under 70 % of the gather ceiling says why.
REASONS = [
    (lambda r: r["graph"] == "cora",
     "cora: its data lie in the caches, and a launch with the chain of loads of one row (offset, index, features) takes "
     "longer than its bytes."),
    (lambda r: r["op"] == "max" and r["pass"] == "backward",
     "maximum, backward: each channel has an argument of its own, so that 4 bytes are read or added at a place of their own, "
     "a sector of 32 bytes each, which the ceiling counts as parts of whole rows."),
    (lambda r: r["graph"] == "roads",
     "roads: rows of 2 edges end before their loads overlap; a row costs its chain of loads, not its bytes."),
    (lambda r: r["graph"] == "arxiv" and r["heads"] * r["channels"] <= 64,
     "arxiv with up to 64 channels: the table lies in L2, whose ceiling a warp reaches only where rows are as wide as what it "
     "asks for at a time."),
    (lambda r: r["graph"] == "reddit" and r["pass"] in ("grad_source", "grad_right"),
     "reddit's gradients by edge id: each weight, 4 bytes anywhere in 458 MB, moves a sector of 32 bytes."),
]


# Likewise in runs beyond the families.
OTHER_REASONS = [
    *REASONS[:1],
    (lambda r: r["graph"] in ("roads", "luxembourg_osm"),
     "rows of 2 edges: they end before their loads overlap; a row costs its chain of loads, not its bytes."),
    (lambda r: r["graph"] in ("tolokers", "ppi_graphsaint") and r["op"] == "gatv2",
     "GATv2 on graphs in the cache: instructions and latency, of 128 registers per thread backward, not bytes."),
    (lambda r: r["graph"] in ("citeseer", "pubmed", "amazon_photo", "coauthor_cs", "minesweeper", "github_social"),
     "real graphs of up to 40,000 vertices: their data lie in the caches, and a launch or two with the chain of loads of a "
     "row takes longer than their bytes."),
    (lambda r: r["dtype"] != "f32" and r["op"] in ("gatv2", "transformer"),
     "attention in 16 bits: numbers are widened and scores computed in float, as many instructions per edge for half the bytes."),
    (lambda r: r["dtype"] != "f32" and r["pass"] == "grad_source",
     "16 bits by edge id: ids and weights, 4 bytes anywhere, are as large as ever beside rows of half the bytes."),
    (lambda r: r["dtype"] != "f32" and r["graph"] == "arxiv",
     "16 bits, arxiv: a table in L2 and rows of at most 256 bytes, of which a warp cannot ask for more at a time."),
    (lambda r: r["pass"] == "grad_edge",
     "gradients of the weights: one number is stored per edge; rows that do not move as words take a warp or a block per edge."),
    (lambda r: r["heads"] * r["channels"] <= 8 or (r["graph"] == "arxiv" and r["channels"] % 4 != 0),
     "rows of up to 8 channels, or not aligned: ids and weights are as many bytes as rows, or sectors of 32 bytes are read for fewer."),
    (lambda r: r["pass"] in ("grad_source", "backward") and r["op"] in ("weighted_sum", "product"),
     "gradients by edge id: each weight, 4 bytes anywhere, moves a sector of 32 bytes."),
    (lambda r: r["op"] == "gatv2" and r["pass"] == "backward",
     "GATv2 backward: bound by latency, with too few warps to hide it."),
    (lambda r: r["op"] == "gat" and r["channels"] == 24,
     "heads of 24 channels lie apart: a quarter of the group's threads are idle."),
    (lambda r: r["graph"] == "arxiv" and r["heads"] * r["channels"] <= 104,
     "arxiv with up to 104 channels: the table lies in L2, whose ceiling a warp reaches only where rows are as wide as what it asks "
     "for at a time."),
]


def rows_of(folder: str, names: list[str]) -> list[dict]:
    """The rows of result files, each with its file's name; of cells in several files the last one's count."""
    rows = {}
    for name in names:
        for row in json.loads((HERE / folder / f"{name}.json").read_text())["results"]:
            rows[row["impl"], *case_of(row)] = {**row, "file": name}
    return list(rows.values())


def case_of(row: dict) -> tuple:
    return tuple(row[key] for key in tables.CASE)


def width(row: dict) -> str:
    return f"{row['heads']}x{row['channels']}" if row["heads"] > 1 else str(row["channels"])


def by_graph(row: dict) -> tuple:
    known = GRAPHS.index(row["graph"]) if row["graph"] in GRAPHS else len(GRAPHS)
    return known, row["graph"], row["channels"] * row["heads"], -row["heads"]


def peers_by_case() -> dict[tuple, dict]:
    """The fastest peer of each case, with where it was measured. Cases that torch alone has would flatter: left out."""
    peers: dict[tuple, dict] = {}
    for where, rows in (("", rows_of("results", RUNS)), ("recorded", rows_of("baselines/recorded", RECORDED)),
                        ("another run", rows_of("results", TORCH))):
        for row in rows:
            known = peers.get(case_of(row))
            faster = row["ms"] < known["ms"] if known else where != "another run"
            if faster and not row["impl"].startswith("edgewise"):
                peers[case_of(row)] = {**row, "where": where}
    return peers


def fill(families: list[Family]) -> None:
    """Gives each family its cells: (ours, fastest peer, ratio)."""
    peers = peers_by_case()
    for family in families:
        for row in rows_of("results", family.files):
            if (row["op"], row["pass"], row["impl"]) == (family.op, family.run, family.impl) and case_of(row) in peers:
                peer = peers[case_of(row)]
                family.cells.append((row, peer, peer["ms"] / row["ms"]))
        family.cells.sort(key=lambda cell: by_graph(cell[0]))


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def verdict(value: float, target: float | None, at_least: bool = True) -> str:
    if target is None:
        return "-"
    return "met" if (value >= target if at_least else value <= target) else "**missed**"


def verdict_of_all(values: list[float], target: float) -> str:
    """Of a target that each cell is to reach: whether the mean does, and how many do not."""
    missed = sum(value < target for value in values)
    if missed == 0:
        return "met"
    return f"mean {verdict(mean(values), target)}, {missed} cells **missed**"


def shown(value: float, target: float | None) -> str:
    """Two decimals, or as many as show on which side of the target the value is: what is judged is not rounded."""
    for digits in range(2, 6):
        rounded = round(value, digits)
        if target is None or (rounded >= target) == (value >= target) and (rounded <= target) == (value <= target):
            break
    return f"{value:.{digits}f}"


def cell_name(row: dict) -> str:
    return f"{row['graph']} {width(row)}"


def table(header: list[str], lines: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(line) + " |" for line in [header, ["---"] * len(header), *lines]]


def section_targets(families: list[Family]) -> list[str]:
    lines = []
    for family in families:
        ratios = [ratio for _, _, ratio in family.cells]
        low = min(family.cells, key=lambda cell: cell[2])
        target = f"{family.mean or '-'}, {family.worst or '-'}"
        lines.append([family.title + (f" ({family.note})" if family.note else ""), str(len(ratios)), target,
                      shown(mean(ratios), family.mean), verdict(mean(ratios), family.mean),
                      f"{shown(low[2], family.worst)} ({cell_name(low[0])})", verdict(low[2], family.worst)])
    return table(["family", "cells", "target: mean, worst", "geometric mean", "", "worst cell", ""], lines)


def same_bits_line() -> list[str]:
    rows = {(row["impl"], *case_of(row)): row for row in rows_of("results", EXTREMUM) if row["pass"] == "backward"}
    ratios = [row["ms"] / rows["edgewise_atomic", *key[1:]]["ms"] for key, row in rows.items() if key[0] == "edgewise"]
    return ["maximum, backward: the same bits every time over atomics", f"{len(ratios)} cells", "at most 2",
            f"{mean(ratios):.2f}, at most {max(ratios):.2f}", verdict(max(ratios), 2, at_least=False)]


def narrow_heads_line() -> list[str]:
    rows = {case_of(row): row for row in rows_of("results", ATTENTION)}
    ratios = []
    for case, row in rows.items():
        wide = (*case[:4], 2, 128)
        if case[4:] == (8, 32) and wide in rows:
            ratios.append(row["ms"] / rows[wide]["ms"])
    return ["attention, 8 heads of 32 channels over 2 of 128", f"{len(ratios)} pairs", "at most 1.1",
            f"{min(ratios):.2f} to {max(ratios):.2f}", verdict(max(ratios), 1.1, at_least=False)]


def kept(name: str) -> tuple[list[dict], str]:
    document = json.loads((HERE / "results" / f"{name}.json").read_text())
    return document["results"], document["environment"]["revision"][:7]


def kept_together(names: list[str]) -> tuple[list, str]:
    """Rows of several files, the later ones last, and their revisions."""
    documents = [kept(name) for name in names]
    return sum((rows for rows, _ in documents), []), ", ".join(dict.fromkeys(revision for _, revision in documents))


def functor_line(machine: str, where: str = "") -> list[str]:
    rows, revision = kept_together(FUNCTORS[machine])
    times = {(row["impl"], *case_of(row)): row["ms"] for row in rows}
    ratios = [ms / times["built_in", *key[1:]] for key, ms in times.items() if key[0] == "functor" and ms > 0.05]
    return ["a user's functor over the same formula built in, cells over 50 us" + where, f"{len(ratios)} cells, {revision}", "at most 1.03",
            f"{min(ratios):.3f} to {max(ratios):.3f}", verdict(max(ratios), 1.03, at_least=False)]


def features_exceed_cache(names: list[str], case: tuple) -> bool:
    """Do the features of a case, in float, take more than the level-2 cache of the machine that ran it?"""
    documents = [json.loads((HERE / "results" / f"{name}.json").read_text()) for name in names]
    vertices = {graph["graph"]: graph["vertices"] for document in documents for graph in document["graphs"]}
    at = dict(zip(tables.CASE, case))
    return 4 * vertices[at["graph"]] * at["heads"] * at["channels"] > documents[0]["environment"]["l2_bytes"]


def float16_lines() -> list[list[str]]:
    lines = []
    for names, title, wide in ((FLOAT16, "weighted sum", SPMM), (ATTENTION_FLOAT16, "attention 4x64", ATTENTION)):
        rows, revision = kept_together(names)
        ours = {case_of(row): row["ms"] for row in rows_of("results", wide) + rows if row["impl"] == "edgewise"}
        ratios = {case: ours[(*case[:3], "f32", *case[4:])] / ms for case, ms in ours.items() if case[3] != "f32"}
        beyond = [ratio for case, ratio in ratios.items() if features_exceed_cache(names, case)]
        revision += f" (in float {kept_together(wide)[1]})"
        of = f"of {len(ratios)} cells, {revision}"
        lines.append([f"{title}: time in float over time in 16 bits, features larger than the level-2 cache", f"{len(beyond)} {of}",
                      "at least 1.6", f"{shown(mean(beyond), 1.6)}; {sum(ratio >= 1.6 for ratio in beyond)} cells",
                      verdict_of_all(beyond, 1.6)])
        lines.append([f"{title}: time in float over time in 16 bits", f"all {of}", "never below 1",
                      f"{mean(list(ratios.values())):.2f}, at least {min(ratios.values()):.2f}; "
                      f"{sum(ratio >= 1 for ratio in ratios.values())} cells", verdict(min(ratios.values()), 1)])
    rows, revision = kept_together(FLOAT16)
    times = {(row["impl"], *case_of(row)): row["ms"] for row in rows if row["dtype"] == "bf16" and row["channels"] == 128}
    ratios = [times["cusparse", *key[1:]] / ms for key, ms in times.items() if key[0] == "edgewise"]
    lines.append(["weighted sum in bfloat16, 128 channels: cuSPARSE over ours", f"{len(ratios)} cells, {revision}", "at least 1.8",
                  f"{shown(mean(ratios), 1.8)}, median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}",
                  verdict(mean(ratios), 1.8)])
    return lines


def float16_misses() -> list[str]:
    """Cells below 1.6 times the speed in float whose features are larger than the cache, and those slower than in float."""
    lines = []
    for names, wide in ((FLOAT16, SPMM), (ATTENTION_FLOAT16, ATTENTION)):
        ours = {case_of(row): row["ms"] for row in rows_of("results", wide) + rows_of("results", names) if row["impl"] == "edgewise"}
        low: dict[str, list[str]] = {}
        for case, ms in ours.items():
            ratio = ours[(*case[:3], "f32", *case[4:])] / ms
            if case[3] != "f32" and ratio < (1.6 if features_exceed_cache(names, case) else 1):
                at = dict(zip(tables.CASE, case))
                low.setdefault(f"{NAMES[at['op']]} {at['pass']} {at['graph']} {at['dtype']}", []).append(f"{width(at)} {shown(ratio, 1.6)}")
        lines += [f"{kind} {', '.join(of)}" for kind, of in low.items()]
    return ["- time in float over time in 16 bits, below 1.6 where features are larger than the level-2 cache, below 1 where not: " + "; ".join(lines)] if lines else []


def odd_width_lines() -> list[list[str]]:
    lines = []
    for names, note in ((ODD_WIDTHS, ""), (FILLED_ROWS, ", rows at multiples of 16 bytes, gaps not written"), (H100_ODD, ", on an H100"),
                        (H100_PADDED, ", padded rows, on an H100")):
        rows = rows_of("results", names)
        times = {(row["graph"], row["channels"], row["impl"]): row["ms"] for row in rows}
        for odd, even, limit in ((1, 8, 1.0), (3, 8, 1.0), (7, 8, 1.0), (33, 40, 1.3), (100, 104, 1.3), (602, 608, 1.3), (1433, 1440, 1.3)):
            ratios = {graph: ms / times[graph, even, impl] for (graph, channels, impl), ms in times.items() if channels == odd and impl == "edgewise"}
            if not ratios or (note and odd == 100):  # whose rows are at multiples of 16 bytes as they are
                continue
            peers = [times[graph, odd, "cusparse"] / times[graph, odd, "edgewise"] for graph in ratios]
            revision = kept(next(row["file"] for row in rows if row["channels"] == odd))[1]
            of = f"{', '.join(ratios)}, {revision}"
            lines.append([f"weighted sum of {odd} channels over {even}{note}", of, f"at most {limit:g}" + (f", within {LEVEL}" if limit == 1 else ""), " ".join(shown(x, limit) for x in ratios.values()),
                          verdict(max(ratios.values()), limit + (LEVEL if limit == 1 else 0), at_least=False)])
            lines.append([f"cuSPARSE over ours, {odd} channels{note}", of, "at least 1", " ".join(shown(x, 1) for x in peers), verdict(min(peers), 1)])
    return lines


def plan_lines() -> list[list[str]]:
    """The host's time to make a plan on a device, of one grouping (forward) and of both (step)."""
    times = {(row["graph"], row["pass"], row["impl"]): row["ms"] for row in rows_of("results", CONVERSION)}
    lines = []
    for run, title in (("forward", "a plan for the forward pass"), ("step", "a plan for both passes")):
        graphs = sorted((graph for graph, of, impl in times if of == run and impl == "csr"), key=GRAPHS.index)
        ratios = [times[graph, run, "plan, host time"] / max(3 * times[graph, "forward", "csr"], 0.1) for graph in graphs]
        lines.append([f"{title}, over the larger of 3 forward passes of 64 channels and 100 us", f"{', '.join(graphs)}, {kept(CONVERSION[0])[1]}",
                      "at most 1", " ".join(shown(x, 1) for x in ratios), verdict(max(ratios), 1, at_least=False)])
    return lines


def section_other() -> list[str]:
    lines = [same_bits_line(), narrow_heads_line(), functor_line("H200"), functor_line("H100", ", on an H100"), *float16_lines(), *odd_width_lines(), *plan_lines()]
    return table(["what", "of", "target", "measured", ""], lines)


def section_misses(families: list[Family]) -> list[str]:
    lines = []
    for family in families:
        low = sorted((cell for cell in family.cells if family.worst and cell[2] < family.worst), key=lambda cell: cell[2])
        if low:
            lines.append(f"- {family.title}, below {family.worst}: " +
                         ", ".join(f"{cell_name(row)} {shown(ratio, family.worst)} ({peer['impl']})" for row, peer, ratio in low))
    return lines


def fraction(row: dict) -> str:
    return f"{row['fraction_of_gather']:.0%}" if row.get("fraction_of_gather") else "-"


def other_rows(impls: set[str]) -> list[dict]:
    """Of the runs beyond the families; rows filled up that need no filling are those of the other file."""
    return [row for names in OTHERS for row in rows_of("results", names)
            if row["impl"] in impls and not (names is FILLED_ROWS and "row_stride" not in row and row["channels"] != 36)]


def reason_of(row: dict, reasons: list) -> str:
    for fits, reason in reasons:
        if fits(row):
            return reason
    sys.exit(f"scorecard: no reason in REASONS for {cell_name(row)} {row['op']} {row['pass']} {row['impl']} {row['dtype']}: "
             f"{fraction(row)} of the gather ceiling")


def section_low(rows: list[dict], reasons: list) -> list[str]:
    by_reason: dict[str, list[dict]] = {}
    for row in sorted(rows, key=lambda row: (row["op"], row["pass"], row["impl"], *by_graph(row))):
        if 0 < row["fraction_of_gather"] < tables.LOW_FRACTION:
            by_reason.setdefault(reason_of(row, reasons), []).append(row)
    lines = []
    for reason, low in by_reason.items():
        kinds: dict[str, list[str]] = {}
        for row in low:
            of = "" if row["impl"] == "edgewise" else f" ({row['impl'].removeprefix('edgewise_')})"
            graph = f" {row['graph']}" if len({r["graph"] for r in low}) > 1 else ""
            dtype = ("" if row["dtype"] == "f32" else f" {row['dtype']}") + (", filled up" if row.get("row_stride") else "")
            kinds.setdefault(f"{NAMES.get(row['op'], row['op'])} {row['pass']}{of}{graph}{dtype}", []).append(f"{width(row)} {fraction(row)}")
        lines += [f"- {reason} {len(low)} cell{'s' if len(low) > 1 else ''}: " + "; ".join(f"{kind} {', '.join(of)}" for kind, of in kinds.items())]
    return lines


def section_spread(rows: list[dict]) -> list[str]:
    wide = [f"{row['graph']} {NAMES[row['op']]} {row['pass']} {width(row)} {row['impl']} {row['spread']:.0%}"
            for row in sorted(rows, key=lambda row: (by_graph(row), row["op"], row["pass"], row["impl"]))
            if row["spread"] > tables.NOTABLE_SPREAD]
    return ["- " + line for line in wide]


def section_drift() -> list[str]:
    """cuSPARSE, run again beside us, and torch, over what was recorded of them."""
    again = {(row["impl"], *case_of(row)): row["ms"] for row in rows_of("results", SPMM + TORCH)}
    drift: dict[tuple, list[float]] = {}
    for row in rows_of("baselines/recorded", RECORDED + ["torch-h200-2026-11"]):
        impl = "cusparse" if row["impl"].startswith("cuSPARSE") else row["impl"]
        if (impl, *case_of(row)) in again:
            drift.setdefault((impl, row["graph"]), []).append(again[impl, *case_of(row)] / row["ms"])
    return table(["peer", "graph", "cells", "time now over time recorded"],
                 [[impl, graph, str(len(of)), f"{min(of):.2f} to {max(of):.2f}"] for (impl, graph), of in drift.items()])


def section_float16() -> list[str]:
    """Our 16-bit cells that a recorded peer has."""
    ours = {case_of(row): row for row in rows_of("results", FLOAT16 + ATTENTION_FLOAT16) if row["impl"] == "edgewise"}
    lines = []
    for row in rows_of("baselines/recorded", ["float16-h200-2026-11"]):
        if case_of(row) in ours:
            own = ours[case_of(row)]
            lines.append([NAMES[row["op"]], row["pass"], row["dtype"], row["graph"], width(row), f"{own['ms']:.4f}",
                          f"{row['ms']:.4f} ({row['impl']})", f"{row['ms'] / own['ms']:.2f}", fraction(own)])
    return table(["operator", "pass", "type", "graph", "width", "ms", "recorded, ms", "ratio", "of the gather ceiling"], lines)


def section_ceilings(names: list[str]) -> list[str]:
    lines = []
    for name in names:
        environment = json.loads((HERE / "results" / f"{name}.json").read_text())["environment"]
        gathers = environment["gathers"]
        cached = [g["bandwidth"] for g in gathers if g["table_rows"] * g["row_bytes"] <= environment["l2_bytes"] / 2]
        far = [g["bandwidth"] for g in gathers if g["table_rows"] * g["row_bytes"] >= 2**31]
        span = lambda of: f"{min(of) * 1e-9:.0f} to {max(of) * 1e-9:.0f}" if of else "-"  # noqa: E731
        lines.append([f"`{name}.json`", environment["revision"][:7], f"{environment['copy_bandwidth'] * 1e-9:.0f}", span(cached),
                      span(far), f"{environment['flops'] * 1e-12:.0f}"])
    return table(["run", "revision", "copy, GB/s", "rows from L2, GB/s", "rows from memory, GB/s", "TFlop/s"], lines)


def kept_graphs(name: str) -> list[dict]:
    return json.loads((HERE / "results" / f"{name}.json").read_text())["graphs"]


def section_graphs() -> list[str]:
    lines = []
    for graph in {graph["graph"]: graph for name in SPMM for graph in kept_graphs(name)}.values():
        lines.append([graph["graph"], f"{graph['vertices']:,}", f"{graph['edges']:,}",
                      *(f"{graph['bytes'][kind] / 1e6:.1f}" for kind in ("coo", "csr", "csc with edge ids"))])
    lines.sort(key=lambda line: GRAPHS.index(line[0]))
    return table(["graph", "vertices", "edges", "`coo`, MB", "`csr`, MB", "`csc` with edge ids, MB"], lines)


def section_cells(family: Family) -> list[str]:
    lines = []
    for row, peer, ratio in family.cells:
        where = f", {peer['where']}" if peer["where"] else ""
        lines.append([row["graph"], width(row), f"{row['ms']:.4f}", f"{peer['ms']:.4f} ({peer['impl']}{where})", f"{ratio:.2f}",
                      fraction(row), f"{row['gather_ms']:.4f}", f"{row['roofline_ms']:.4f}", f"{row['peak_bytes'] / 1e6:.1f}"])
    header = ["graph", "width", "ms", "fastest peer, ms", "ratio", "of the gather ceiling", "gather, ms", "roofline, ms", "MB taken"]
    return [f"### {family.title[0].upper()}{family.title[1:]}", "", *table(header, lines), ""]


def section_files() -> list[str]:
    entries = sorted(read_index().items(), key=lambda item: (item[1]["machine"], item[1]["topic"], item[1]["date"]))
    return table(["machine", "topic", "file", "date", "revision", "command"],
                 [[entry["machine"], entry["topic"], f"[{name.removesuffix('.json')}]({name})", entry["date"][:10], entry["revision"],
                   f"`{entry['command'].replace('|', chr(92) + '|')}`"] for name, entry in entries])


def page() -> str:
    fill(FAMILIES)
    everyone = rows_of("results", RUNS)
    judged = {family.impl for family in FAMILIES}
    ours = [row for row in everyone if row["impl"] in judged]
    out = [
        "# Targets and results, cell by cell",
        "",
        "Written by `python3 bench/scorecard.py --out bench/results/tables.md` from the files of this folder and of",
        "[bench/baselines/recorded](../baselines/recorded); a test compares it with them.",
        "[Performance](../../docs/performance.md) says what the numbers mean. One H200, fp32 unless named, medians, warm L2.",
        "",
        "## Targets",
        "",
        "The fastest peer's time over ours. Peers are cuSPARSE's algorithms in the same run, torch.sparse and torch_geometric in",
        "another run (attention on cora, arxiv and roads, two days before), and recorded times of other libraries on the same",
        "card and graphs (not the same run). Cells that torch alone can run, GAT on cora, are left out.",
        "",
        *section_targets(FAMILIES), "", *section_other(), "",
        "Sums of edges have no peer here. The [notes on the H200](h200-summary-2026-11.md) say how the backward pass of odd",
        "widths does, and after how many passes grouping has paid.",
        "",
        "## Cells below their family's worst target",
        "",
        *section_misses(FAMILIES), *float16_misses(), "",
        "## Cells under 70 % of the gather ceiling, and why",
        "",
        *section_low(ours, REASONS), "",
        "Of the other kept runs (16 bits, odd widths, filled rows, functors, real graphs, other shapes):",
        "",
        *section_low(other_rows(judged | {"functor"}), OTHER_REASONS), "",
        "## Spreads above 5 %",
        "",
        *section_spread(everyone), "",
        "## Drift of recorded peers",
        "",
        "cuSPARSE, rerun beside us, and torch, rerun, over their recorded times: below 1, recorded peers look slower than",
        "they are.",
        "",
        *section_drift(), "",
        "## 16 bits beside recorded peers",
        "",
        "Not the same run. Tiles on tensor cores read a neighbor's row once for the rows of a tile that share it.",
        "",
        *section_float16(), "",
        "## Ceilings",
        "",
        *section_ceilings(RUNS), "",
        "## Bytes of graphs",
        "",
        *section_graphs(), "",
        "## All cells",
        "",
        "`gather`: the time of the bytes, each gathered row once per edge, at the ceilings of the run. `roofline`: the larger of",
        "the compulsory bytes at copy bandwidth and the operations at their rate. `MB taken`: plan and saved state.",
        "",
    ]
    for family in FAMILIES:
        out += section_cells(family)
    out += ["## Files", "", "What [index.json](index.json) says. Commands of device programs take `--graphs DIR` and `--out FILE` besides.", "",
            *section_files()]
    return "\n".join(out).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=pathlib.Path, help="page to write")
    what.add_argument("--check", type=pathlib.Path, help="page to compare with the result files")
    arguments = parser.parse_args()
    text = page()
    if arguments.out:
        arguments.out.write_text(text)
        return
    found = arguments.check.read_text()
    if found != text:
        difference = difflib.unified_diff(found.splitlines(), text.splitlines(), str(arguments.check), "what the files say", lineterm="")
        sys.exit("\n".join(difference))


if __name__ == "__main__":
    main()
