"""The kept results of training, by model and data set: ours, and those of torch_geometric."""
import json
import pathlib
import statistics

import compact
from collect_training import row_of

Cells = dict[tuple[str, str], dict]
OURS, PEERS = "training", "training, torch_geometric"  # topics in the index
NOT_COMPARED = {"SGConv, cached", "PNAConv, a larger model"}  # these do another amount of work in an epoch


def files_of(machine: str, topic: str, folder: pathlib.Path) -> list[pathlib.Path]:
    """Of machines whose name begins so, the latest last."""
    found = [(entry["date"], name) for name, entry in compact.read_index(folder).items()
             if entry["machine"].startswith(machine) and entry["topic"] == topic]
    return [folder / name for _, name in sorted(found)]


def ours(machine: str, folder: pathlib.Path = compact.RESULTS) -> Cells:
    """Rows of bench/collect_training.py; where a cell is in several files, the latest counts."""
    cells: Cells = {}
    for path in files_of(machine, OURS, folder):
        document = json.loads(path.read_text())
        for row in document.get("results") or [row_of(document, has_curve=True)]:
            cells[row["model"], row["data"]] = row
    return cells


def peers(machine: str, folder: pathlib.Path = compact.RESULTS) -> dict[str, Cells]:
    """By mode: the fastest arrangement of layers and features that does the work of an epoch, else a row with its `error`."""
    by_case = {}
    for path in files_of(machine, PEERS, folder):
        for row in json.loads(path.read_text())["results"]:
            by_case[tuple(row[key] for key in ("model", "data", "mode", "features", "variant"))] = row
    modes: dict[str, Cells] = {}
    for row in by_case.values():
        if row["variant"] in NOT_COMPARED:
            continue
        cells = modes.setdefault(row["mode"], {})
        key = row["model"], row["data"]
        if key not in cells or milliseconds_of_peer(row) < milliseconds_of_peer(cells[key]):
            cells[key] = row
    return modes


def milliseconds_of_peer(row: dict) -> float:
    return row.get("milliseconds", float("inf"))


def accuracies(row: dict) -> list[float]:
    """Percent, of each seed, at the epoch that the options select."""
    selected = row["best_test_accuracy"] if row["options"].get("select") == "best" else row["last_test_accuracy"]
    return [100 * value for value in selected if value is not None]


def milliseconds(row: dict) -> float:
    return statistics.median(row["epoch_milliseconds"])
