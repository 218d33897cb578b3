#!/usr/bin/env python3
"""Prints the tables of result files; needs nothing but Python.

  python3 bench/tables.py RESULT.json                       plain table, a column per implementation
  python3 bench/tables.py RESULT.json --markdown            the same for a document
  python3 bench/tables.py RESULT.json --recorded PEERS.json  beside times of other programs (bench/baselines/recorded)
  python3 bench/tables.py RESULT.json --beside PEERS.json    beside other result files, such as of bench/peers: cell by cell
  python3 bench/tables.py OLD.json NEW.json --impl edgewise  two measurements of one implementation

Times are milliseconds of one launch. `floor` is the time the compulsory bytes need at copy bandwidth over the measured
time, `gather` that of each gathered row once an edge at its ceiling, random reads of rows of that width from a table of that
size in the same run (above 100 %, rows are reused on chip); `GB/s` are the gathered bytes over the time; 'A / B' above 1
means that B is faster. A spread above 5 % is printed behind its time. Below the table: the library's cells under 70 % of
the gather ceiling, the lowest first.
"""
import argparse
import json
import math
import pathlib
import sys

CASE = ("graph", "op", "pass", "dtype", "heads", "lanes")
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
    """The library's cells under LOW_FRACTION of the gather ceiling, a line each: each wants a sentence."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="one result file, or several with --impl")
    parser.add_argument("--impl", help="compare this implementation over the files")
    parser.add_argument("--recorded", type=pathlib.Path, help="file of peers' times to compare with")
    parser.add_argument("--beside", nargs="+", type=pathlib.Path, default=[], help="result files of peers to compare with")
    parser.add_argument("--markdown", action="store_true")
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
    for path in arguments.beside:
        print("beside " + describe(path, load(path)["environment"]))
    print()
    (print_markdown if arguments.markdown else print_plain)(*table_of(columns))
    if low := low_cells(columns):
        print(f"\nUnder {LOW_FRACTION:.0%} of the gather ceiling, {len(low)} cells:")
        for line in low:
            print(("- " if arguments.markdown else "  ") + line)


if __name__ == "__main__":
    main()
