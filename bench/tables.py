#!/usr/bin/env python3
"""Prints the tables of result files; needs nothing but Python.

  python3 bench/tables.py RESULT.json                       plain table, one column per implementation
  python3 bench/tables.py RESULT.json --markdown            the same for a document
  python3 bench/tables.py RESULT.json --recorded PEERS.json  beside times of other programs (bench/baselines/recorded)
  python3 bench/tables.py RESULT.json --beside PEERS.json    beside other result files, such as of bench/peers: cell by cell
  python3 bench/tables.py OLD.json NEW.json --impl edgewise  two measurements of one implementation
  python3 bench/tables.py RESULT.json --model               the library's cells beside what the ceilings allow them
  python3 bench/tables.py RESULT.json --memory              peak bytes of each cell, bytes of each graph's representations

Times are milliseconds of one launch. `floor` is the time the compulsory bytes need at copy bandwidth over the measured
time, `gather` that of each gathered row once per edge at its ceiling, random reads of rows of that width from a table of that
size in the same run (above 100 %, rows are reused on chip); `GB/s` are the gathered bytes over the time; 'A / B' above 1
means that B is faster. A spread above 5 % is printed behind its time. Below the table: the library's cells under 70 % of
the gather ceiling, the lowest first. `--model` prints what these are made of: compulsory bytes and
those with each gathered row once per edge, flops, their milliseconds, and the roofline, the larger of floor and flops. The
ceilings of the run stand above each table.
"""
import argparse
import json
import math
import pathlib
import sys

CASE = ("graph", "op", "pass", "dtype", "heads", "channels")
NOTABLE_SPREAD = 0.05
LOW_FRACTION = 0.7
RECORDED = "recorded peer (not the same run)"


def load(path: pathlib.Path) -> dict:
    try:
        document = json.loads(path.read_text())
        document["environment"], document["results"]
    except (OSError, ValueError, KeyError, TypeError) as failure:
        sys.exit(f"{path}: not a result file: {failure!r}")
    return document


def columns_by_impl(document: dict) -> dict[str, dict]:
    """{implementation: {case: row}} in order of appearance."""
    columns: dict[str, dict] = {}
    for row in document["results"]:
        columns.setdefault(row["impl"], {})[tuple(row[key] for key in CASE)] = row
    return columns


def format_time(row: dict | None) -> str:
    if row is None:
        return "-"
    variant = f" {row['variant']}" if row["variant"] else ""
    spread = f" ±{row['spread']:.0%}" if row["spread"] > NOTABLE_SPREAD else ""
    return f"{row['ms']:.4f}{variant}{spread}"


def ratio(first: dict | None, second: dict | None) -> float | None:
    return first["ms"] / second["ms"] if first and second else None


def floor_and_bandwidth(row: dict | None) -> list[str]:
    if row is None or "bytes_gathered" not in row:  # a recorded time has no more than itself
        return ["-", "-", "-"]
    gather = row.get("fraction_of_gather")  # files from before 2026-11-22 have none, and 0 is not measured
    return [f"{row['fraction_of_floor']:.0%}", f"{gather:.0%}" if gather else "-",
            f"{row['bytes_gathered'] / row['ms'] * 1e-6:.0f}"]


def low_cells(columns: dict[str, dict]) -> list[str]:
    """The library's cells under LOW_FRACTION of the gather ceiling, one line each: each wants a sentence."""
    low = [(row["fraction_of_gather"], name, case, row) for name, column in columns.items() for case, row in column.items()
           if 0 < row.get("fraction_of_gather", 0) < LOW_FRACTION and name.startswith("edgewise")]
    lines = []
    for fraction, name, case, row in sorted(low, key=lambda cell: cell[0]):
        launches = ", ".join(f"{t['name']} {(t['streamed_bytes'] + t['gathered_bytes']) / 1e6:.1f} MB" for t in row["traversals"])
        bound = "flops" if row["roofline_ms"] > row["floor_ms"] * 1.001 else "bytes"
        lines.append(f"{' '.join(map(str, case))} {name}: {fraction:.0%} of the gather ceiling, {row['ms']:.4f} ms "
                     f"({launches}; roofline {row['roofline_ms']:.4f} ms by {bound})")
    return lines


def recorded_column(path: pathlib.Path, columns: dict[str, dict]) -> dict[str, dict]:
    """The recorded times of the cases in `columns`, as a column ahead of them: ratios are the peer's time over ours."""
    try:
        rows = json.loads(path.read_text())["results"]
    except (OSError, ValueError, KeyError, TypeError) as failure:
        sys.exit(f"{path}: not a file of recorded times: {failure!r}")
    measured = {case for column in columns.values() for case in column}
    peers = {tuple(row[key] for key in CASE): {"ms": row["ms"], "variant": row["impl"], "spread": 0} for row in rows}
    return {RECORDED: {case: row for case, row in peers.items() if case in measured}}


def columns_beside(paths: list[pathlib.Path], columns: dict[str, dict]) -> dict[str, dict]:
    """The columns of other files, cut to the cases in `columns`; a name that is taken already gets its file's."""
    measured = {case for column in columns.values() for case in column}
    beside: dict[str, dict] = {}
    for path in paths:
        for name, column in columns_by_impl(load(path)).items():
            label = name if name not in columns and name not in beside else f"{name} ({path.stem})"
            beside[label] = {case: row for case, row in column.items() if case in measured}
    return {name: column for name, column in beside.items() if column}


def table_of(columns: dict[str, dict]) -> tuple[list[str], list[list[str]]]:
    """Header and lines: time, floor and bandwidth per column, then the first column's time over each other's."""
    names = list(columns)
    header = [*CASE]
    for name in names:
        header += [f"{name} ms", "floor", "gather", "GB/s"]
    header += [f"{names[0]} / {name}" for name in names[1:]]
    cases = list(dict.fromkeys(case for column in columns.values() for case in column))
    lines, ratios = [], {name: [] for name in names[1:]}
    for case in cases:
        rows = [columns[name].get(case) for name in names]
        line = [str(part) for part in case]
        for row in rows:
            line += [format_time(row), *floor_and_bandwidth(row)]
        for name, row in zip(names[1:], rows[1:]):
            value = ratio(rows[0], row)
            line.append(f"{value:.2f}" if value else "-")
            if value:
                ratios[name].append(value)
        lines.append(line)
    if any(ratios.values()):
        means = [f"{math.exp(sum(map(math.log, v)) / len(v)):.2f}" if v else "-" for v in ratios.values()]
        lines.append(["geometric mean"] + [""] * (len(CASE) - 1 + 4 * len(names)) + means)
    return header, lines


def print_plain(header: list[str], lines: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in [header, *lines]) for i in range(len(header))]
    for row in [header, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def print_markdown(header: list[str], lines: list[list[str]]) -> None:
    for row in [header, ["---"] * len(header), *lines]:
        print("| " + " | ".join(row) + " |")


def describe(path: pathlib.Path, environment: dict) -> str:
    machine = environment["gpu"] or f"{environment['cpu']}, {environment['cpu_threads']} threads"
    runtime = f", CUDA {environment['cuda_runtime']}" if environment["gpu"] else ""
    return (f"{path.name}: {machine}{runtime}, {environment['peer'] or 'no peer'}, copy {environment['copy_bandwidth'] * 1e-9:.0f} GB/s, "
            f"revision {environment['revision']}, {environment['date']}")


def widths_text(gathers: list[dict]) -> str:
    return ", ".join(f"{g['row_bytes']} bytes {g['bandwidth'] * 1e-9:.0f}" for g in gathers)


def describe_ceilings(environment: dict) -> list[str]:
    """What the run measured of its machine: flops, and gathers from L2 and from memory by the width of rows, one line each.

    Of each width the run gathers from a quarter of L2 and from 4 GB, as bench/harness/device_ceilings.cuh does, besides the
    tables of its cells; here are these two, the table nearest to a quarter of L2 and the largest."""
    lines = []
    if environment.get("flops"):
        lines.append(f"  {environment['flops'] * 1e-12:.1f} Tflop/s")
    by_width: dict[int, list[dict]] = {}
    for gather in environment.get("gathers", []):
        by_width.setdefault(gather["row_bytes"], []).append(gather)
    if not by_width:
        return lines

    def table_bytes(gather: dict) -> int:
        return gather["table_rows"] * gather["row_bytes"]

    l2_bytes = environment["l2_bytes"]
    from_l2 = [min(group, key=lambda g: abs(table_bytes(g) - l2_bytes / 4)) for _, group in sorted(by_width.items())]
    from_memory = [max(group, key=table_bytes) for _, group in sorted(by_width.items())]
    for name, gathers in (("L2", [g for g in from_l2 if table_bytes(g) <= l2_bytes]),
                          ("memory", [g for g in from_memory if table_bytes(g) > l2_bytes])):
        if gathers:
            lines.append(f"  gather from {name}, GB/s by width of rows: {widths_text(gathers)}")
    return lines


def model_table(columns: dict[str, dict]) -> tuple[list[str], list[list[str]]]:
    """The library's cells: flops, what the ceilings allow, the time, and by which of bytes or flops the roofline is."""
    header = [*CASE, "impl", "MB once", "MB gathered", "Mflop", "floor ms", "gather ms", "roofline ms", "by",
              "ms", "of gather", "of roofline"]
    lines = []
    for name, column in columns.items():
        for case, row in column.items():
            if not name.startswith("edgewise") or "roofline_ms" not in row:
                continue
            by_flops = row["roofline_ms"] > row["floor_ms"] * 1.001
            gather = f"{row['gather_ms']:.4f}" if row["gather_ms"] else "-"
            lines.append([*map(str, case), name, f"{row['bytes_floor'] * 1e-6:.2f}", f"{row['bytes_gathered'] * 1e-6:.2f}",
                          f"{row['flops'] * 1e-6:.2f}", f"{row['floor_ms']:.4f}", gather, f"{row['roofline_ms']:.4f}",
                          "flops" if by_flops else "bytes", format_time(row),
                          f"{row['gather_ms'] / row['ms']:.0%}" if row["gather_ms"] else "-",
                          f"{row['roofline_ms'] / row['ms']:.0%}"])
    return header, lines


def memory_table(columns: dict[str, dict]) -> tuple[list[str], list[list[str]]]:
    """Peak bytes of plans, saved states and tensors of edges, a column per implementation; 0 is not counted."""
    names = [name for name, column in columns.items() if any(row.get("peak_bytes") for row in column.values())]
    cases = list(dict.fromkeys(case for name in names for case, row in columns[name].items() if row.get("peak_bytes")))
    lines = []
    for case in cases:
        peaks = [columns[name].get(case, {}).get("peak_bytes") for name in names]
        lines.append([*map(str, case), *(f"{peak:,}" if peak else "-" for peak in peaks)])
    return [*CASE, *(f"{name} bytes" for name in names)], lines


def representation_table(documents: list[dict]) -> tuple[list[str], list[list[str]]]:
    """Bytes of each representation of each graph, in all and per edge; a graph is said once."""
    graphs = {graph["graph"]: graph for document in documents for graph in document.get("graphs", [])}
    kinds = list(dict.fromkeys(kind for graph in graphs.values() for kind in graph["bytes"]))
    lines = []
    for graph in graphs.values():
        sizes = [graph["bytes"].get(kind) for kind in kinds]
        edges = graph["edges"]
        lines.append([graph["graph"], f"{graph['vertices']:,}", f"{edges:,}", *("-" if size is None else f"{size:,}" for size in sizes),
                      *("-" if size is None or not edges else f"{size / edges:.2f}" for size in sizes)])
    return ["graph", "vertices", "edges", *(f"{kind} bytes" for kind in kinds), *(f"{kind} per edge" for kind in kinds)], lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="one result file, or several with --impl")
    parser.add_argument("--impl", help="compare this implementation over the files")
    parser.add_argument("--recorded", type=pathlib.Path, help="file of peers' times to compare with")
    parser.add_argument("--beside", nargs="+", type=pathlib.Path, default=[], help="result files of peers to compare with")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--model", action="store_true", help="the library's cells beside the times that the ceilings allow")
    parser.add_argument("--memory", action="store_true", help="peak bytes of cells and bytes of graphs instead of times")
    arguments = parser.parse_args()
    if len(arguments.files) > 1 and not arguments.impl:
        parser.error("several files are compared for one implementation: give --impl")
    documents = [load(path) for path in arguments.files]
    if arguments.impl:
        columns = {}
        for path, document in zip(arguments.files, documents):
            found = columns_by_impl(document)
            if arguments.impl not in found:
                sys.exit(f"{path}: no rows of '{arguments.impl}', only of {', '.join(found) or 'nothing'}")
            columns[str(path.with_suffix(''))] = found[arguments.impl]
    else:
        columns = columns_by_impl(documents[0])
    columns = {**columns_beside(arguments.beside, columns), **columns}
    if arguments.recorded:
        columns = {**recorded_column(arguments.recorded, columns), **columns}
    if not columns:
        sys.exit(f"{arguments.files[0]}: holds no results")
    for path, document in zip(arguments.files, documents):
        print(describe(path, document["environment"]))
        for line in describe_ceilings(document["environment"]):
            print(line)
    for path in arguments.beside:
        print("beside " + describe(path, load(path)["environment"]))
    print()
    print_table = print_markdown if arguments.markdown else print_plain
    if arguments.model or arguments.memory:
        tables = [model_table(columns)] if arguments.model else []
        if arguments.memory:
            tables += [memory_table(columns), representation_table(documents)]
        filled = [(header, lines) for header, lines in tables if lines]
        if not filled:
            sys.exit(f"{arguments.files[0]}: holds none of these numbers")
        for i, table in enumerate(filled):
            if i:
                print()
            print_table(*table)
        return
    print_table(*table_of(columns))
    if low := low_cells(columns):
        print(f"\nUnder {LOW_FRACTION:.0%} of the gather ceiling, {len(low)} cells:")
        for line in low:
            print(("- " if arguments.markdown else "  ") + line)


if __name__ == "__main__":
    main()
