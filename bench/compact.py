#!/usr/bin/env python3
"""Writes result files compactly, and says whether bench/results/index.json is what they are.

  python3 bench/compact.py FILE.json...   rewrites each file: one row per line, measured numbers to four digits
  python3 bench/compact.py --index        brings machine, date and revision in the index up to the files
  python3 bench/compact.py --check        fails where files and index differ, or a file is not compact

Structure, texts and whole numbers stay as they are; other numbers, which are measured, keep four significant digits, but for
the losses of training, which are compared to the last bit. The index gives for each file of bench/results its machine,
topic, date, revision and command. Topic and command of a new file are written into it by hand; the rest comes from the file.
"""
import argparse
import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).parent / "results"
INDEX = "index.json"
FIELDS = ("machine", "topic", "date", "revision", "command")
MACHINES = {"H100": "H100", "H200": "H200", "EPYC": "CPU EPYC", "Xeon": "CPU Xeon"}  # by what the environment's gpu or cpu contains


def number(value: float, is_exact: bool) -> str:
    if value != int(value) and not is_exact:
        value = float(f"{value:.4g}")
    return str(int(value)) if value == int(value) else repr(value)


def one_line(value, key: str = "") -> str:
    """JSON on one line, numbers rounded; `key` is the name under which `value` stands."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{one_line(v, k)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(one_line(v, key) for v in value) + "]"
    if isinstance(value, float):
        return number(value, is_exact=key.endswith("loss"))
    return json.dumps(value)


def compact(document: dict) -> str:
    """The document with one entry of its lists, such as a row of the results, per line."""
    parts = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(one_line(entry, key) for entry in value) + "\n ]"
        elif isinstance(value, dict) and value:
            text = "{\n  " + ",\n  ".join(f"{json.dumps(k)}: {one_line(v, k)}" for k, v in value.items()) + "\n }"
        else:
            text = one_line(value, key)
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_index(folder: pathlib.Path = RESULTS) -> dict[str, dict]:
    return json.loads((folder / INDEX).read_text())


def files_of(machine: str, topic: str, folder: pathlib.Path = RESULTS) -> list[str]:
    """Names, without their ending, of a machine's files of a topic, the latest last: where cells are in several, it counts."""
    found = [(entry["date"], name) for name, entry in read_index(folder).items() if (entry["machine"], entry["topic"]) == (machine, topic)]
    if not found:
        sys.exit(f"{INDEX}: no file of machine '{machine}' and topic '{topic}'")
    return [name.removesuffix(".json") for _, name in sorted(found)]


def said_by(document: dict) -> dict[str, str]:
    """What a file itself says of its entry: files of training have no environment and say nothing."""
    environment = document.get("environment", {})
    processor = environment.get("gpu") or environment.get("cpu", "")
    said = {"machine": next((name for word, name in MACHINES.items() if word in processor), ""),
            "date": environment.get("date", ""), "revision": environment.get("revision", "")[:7]}
    return {field: value for field, value in said.items() if value}


def result_files(folder: pathlib.Path) -> list[pathlib.Path]:
    return [path for path in sorted(folder.glob("*.json")) if path.name != INDEX]


def write_index(folder: pathlib.Path = RESULTS) -> None:
    old = read_index(folder) if (folder / INDEX).exists() else {}
    index = {}
    for path in result_files(folder):
        entry = {**old.get(path.name, {}), **said_by(json.loads(path.read_text()))}
        index[path.name] = {field: entry.get(field, "") for field in FIELDS}
    lines = [f" {json.dumps(name)}: {json.dumps(entry)}" for name, entry in index.items()]
    (folder / INDEX).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def disagreements(folder: pathlib.Path = RESULTS) -> list[str]:
    """A sentence for each way in which files and index differ."""
    index = read_index(folder)
    paths = {path.name: path for path in result_files(folder)}
    wrong = [f"{INDEX}: has no entry of {name}" for name in paths if name not in index]
    for name, entry in index.items():
        if name not in paths:
            wrong.append(f"{INDEX}: names {name}, which does not exist")
            continue
        text = paths[name].read_text()
        document = json.loads(text)
        wrong += [f"{name}: {field} is '{value}', the index says '{entry.get(field)}'"
                  for field, value in said_by(document).items() if entry.get(field) != value]
        wrong += [f"{INDEX}: {name} has no {field}" for field in FIELDS if not entry.get(field)]
        if text != compact(document):
            wrong.append(f"{name}: is not compact: python3 bench/compact.py bench/results/{name}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="result files to rewrite")
    parser.add_argument("--index", action="store_true", help="write machine, date and revision of each file into the index")
    parser.add_argument("--check", action="store_true", help="fail where files and index differ")
    arguments = parser.parse_args()
    for path in arguments.files:
        path.write_text(compact(json.loads(path.read_text())))
    if arguments.index:
        write_index()
    if arguments.check and (wrong := disagreements()):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
