#!/usr/bin/env python3
"""The papers' end-to-end tables: training epochs and peak memory of the trainer and of torch_geometric, cell by cell in one run.

  python3 bench/papers/end_to_end.py --table seastar-10 --train build/release/examples/train/train --data DIR --out FILE

DIR has a folder for each data set; those that are not there are written as stand-ins of the stated size (stand_ins.py). An
epoch is the median, torch_geometric's after a warm-up, synchronised; training alone, without what the trainer evaluates. Both train the same
layers with the same options. Of torch_geometric all arrangements of layers that bench/peers/pyg_networks.py has are tried,
with dense and with sparse features, and the fastest counts; a cell that does not fit into the device's memory says so. Without
torch_geometric ours alone are measured. The file is written after each cell; cells that it has are not measured again.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import types
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent), str(HERE.parent / "peers")]  # behind: bench/profile.py is not the library's
import compact
from collect_training import checkout_revision, row_of
from train_models import FLAGS
from training_results import NOT_COMPARED

LARGE = 10_000_000  # edges, from which on fewer epochs are timed


class Cell(NamedTuple):
    model: str
    data: str
    options: dict


class Table(NamedTuple):
    title: str
    cells: list[Cell]


def cells_of(models: dict[str, list[dict]], data: list[str]) -> list[Cell]:
    return [Cell(model, name, options) for name, (model, settings) in itertools.product(data, models.items()) for options in settings]


NINE = ["cora", "citeseer", "pubmed", "corafull", "coauthor_cs", "ca_physics", "amazon_photo", "amz_comp", "reddit"]
TABLES = {
    "fusegnn-3": Table("fuseGNN, table 3: hidden channels; two layers where the paper has one", cells_of(
        {"gcn": [{"hidden": width} for width in (16, 64, 512)], "gat": [{"heads": 1, "hidden": width} for width in (16, 64, 512)]},
        ["cora", "pubmed", "reddit"])),
    "fusegnn-12": Table("fuseGNN, figure 12: 128 hidden channels", cells_of(
        {"gcn": [{"hidden": 128}], "gat": [{"heads": 1, "hidden": 128}]}, ["cora", "pubmed", "reddit"])),
    "mlsys-7": Table("Zhang et al., figure 7: without EdgeConv; MoNet of two pseudo-coordinates everywhere", cells_of(
        {"gat": [{"heads": 1, "hidden": 128}], "monet": [{"heads": 3, "hidden": 16}]}, ["cora", "citeseer", "pubmed"]) + cells_of(
        {"gat": [{"heads": 1, "hidden": 128}], "monet": [{"heads": 2, "hidden": 16}]}, ["reddit"])),
    "seastar-10": Table("Seastar, figures 10 and 11", cells_of({"gcn": [{}], "gat": [{}], "appnp": [{}]}, NINE)),
    "seastar-3": Table("Seastar, tables 3 and 4", [
        Cell("rgcn", "aifb", {"bases": 0}), Cell("rgcn", "mutag", {"bases": 30}), Cell("rgcn", "bgs", {"bases": 40})]),
    "featgraph-6": Table("FeatGraph, table VI: training; graph transformer for attention by dot products", cells_of(
        {"gcn": [{"hidden": 512}], "sage": [{"hidden": 256}], "gt": [{"heads": 1, "hidden": 256}]}, ["reddit"])),
}


def write_stand_in(folder: pathlib.Path, name: str) -> None:
    import stand_ins  # needs numpy
    if name not in stand_ins.STAND_INS:
        sys.exit(f"{folder}: is not there, and bench/papers/stand_ins.py has none of that name")
    stand_ins.write(folder, name)


def num_edges(folder: pathlib.Path) -> int:
    import numpy as np
    return np.load(folder / "edge_index.npy", mmap_mode="r").shape[1]


def epochs_of(folder: pathlib.Path) -> int:
    return 8 if num_edges(folder) >= LARGE else 60


def measure_ours(cell: Cell, folder: pathlib.Path, train: pathlib.Path) -> dict:
    with tempfile.TemporaryDirectory() as place:
        log = pathlib.Path(place) / "log.json"
        flags = [text for key, value in cell.options.items() for text in ("--" + FLAGS.get(key, key).replace("_", "-"), value)]
        command = [train, "--model", cell.model, "--data", folder, "--device", "cuda", "--epochs", epochs_of(folder) + 3,
                   "--print-every", 0, "--log", log, *flags]
        run = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if run.returncode != 0:
            return {"error": (run.stderr.strip().splitlines() or [f"status {run.returncode}"])[-1][:200]}
        row = row_of(json.loads(log.read_text()), has_curve=False)
    return {"options": row["options"], "size": row["size"], "milliseconds": row["epoch_milliseconds"][0], "peak_bytes": row["peak_bytes"]}


class Peer:
    """torch_geometric's training of a cell, eager: the rows of all arrangements of layers, the fastest first."""

    def __init__(self):
        import pyg_data
        import pyg_models
        import pyg_recipes
        self.data, self.models, self.recipes = pyg_data, pyg_models, pyg_recipes
        self.folder, self.task = None, None
        torch = pyg_models.torch
        torch.set_float32_matmul_precision("highest")
        self.version = f"torch {torch.__version__}, torch_geometric {pyg_models.torch_geometric.__version__}"

    def environment(self, revision: str) -> dict:
        return self.models.apart(self.models.harness.environment, revision, "cuda", self.version)

    def measure(self, cell: Cell, folder: pathlib.Path, options: dict) -> list[dict]:
        if folder != self.folder:
            self.folder, self.task = folder, self.data.read_task(folder)
        chosen = self.recipes.recipe_of(cell.model, cell.data, {}, {**options, **cell.options})
        arguments = types.SimpleNamespace(device="cuda", adam=["fused"], warm_up=3, epochs=epochs_of(folder), seed=0)
        kinds = ["dense", "sparse"] if (folder / "features_indptr.npy").exists() else ["dense"]
        if self.task.features is None:
            kinds = ["learned"]
        rows = []
        for variant, kind in itertools.product(self.models.NETWORKS[cell.model], kinds):
            if not self.models.is_possible(cell.model, variant, kind, self.task) or variant in NOT_COMPARED:
                continue
            case = {"model": cell.model, "mode": "eager", "features": kind, "variant": variant}
            try:
                measured = self.models.measure(case, self.task, chosen, arguments)
                rows.append({"variant": variant, "features": kind, "milliseconds": measured["milliseconds"],
                             "peak_bytes": measured["peak_bytes"]})
            except self.models.torch.OutOfMemoryError:
                rows.append({"variant": variant, "features": kind, "error": "out of memory"})
            except Exception as failure:  # the reason is the result
                rows.append({"variant": variant, "features": kind, "error": f"{type(failure).__name__}: {self.models.first_line(failure)}"})
            self.models.clear("cuda")
        return sorted(rows, key=lambda row: row.get("milliseconds", float("inf")))


def make_peer():
    try:
        import torch
        import torch_geometric  # noqa: F401
        return Peer() if torch.cuda.is_available() else None
    except ImportError:
        return None


def text_of(measured: dict) -> tuple[str, str]:
    """Milliseconds and MiB."""
    if "milliseconds" not in measured:
        return measured.get("error", "-"), "-"
    return f"{measured['milliseconds']:.3f}", f"{measured['peak_bytes'] / 2**20:.0f}"


def table_text(rows: list[dict]) -> str:
    """Markdown of the rows of a table."""
    lines = ["| data | model | options | epoch, ms | torch_geometric | over ours | peak, MiB | torch_geometric | over ours |",
             "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for row in rows:
        ours, peer = row["edgewise"], (row["peers"] or [{}])[0]
        quotients = [f"{peer[key] / ours[key]:.2f}" if key in ours and key in peer else "-" for key in ("milliseconds", "peak_bytes")]
        (time, memory), (peer_time, peer_memory) = text_of(ours), text_of(peer)
        options = ", ".join(f"{key} {value}" for key, value in row["options"].items()) or "-"
        lines.append(f"| {row['data']} | {row['model']} | {options} | {time} | {peer_time} | {quotients[0]} | {memory} | {peer_memory} | "
                     f"{quotients[1]} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="+", choices=list(TABLES), required=True)
    parser.add_argument("--train", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of the data sets' folders")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--names", nargs="+", help="data sets, of those of the tables")
    parser.add_argument("--revision", default=checkout_revision())
    arguments = parser.parse_args()
    peer = make_peer()
    if arguments.out.exists():
        document = json.loads(arguments.out.read_text())
    else:
        environment = peer.environment(arguments.revision) if peer else {"revision": arguments.revision}
        document = {"environment": environment, "results": []}
    rows = document["results"]
    wanted = [(name, cell) for name in arguments.table for cell in TABLES[name].cells if not arguments.names or cell.data in arguments.names]
    for name, cell in sorted(wanted, key=lambda entry: NINE.index(entry[1].data) if entry[1].data in NINE else len(NINE)):
        key = {"table": name, "data": cell.data, "model": cell.model, "options": cell.options}
        if any(all(row[field] == value for field, value in key.items()) for row in rows):
            continue
        folder = arguments.data / cell.data
        if not (folder / "edge_index.npy").exists():
            write_stand_in(folder, cell.data)
        ours = measure_ours(cell, folder, arguments.train)
        row = {**key, "edgewise": ours, "peers": peer.measure(cell, folder, ours.get("options", {})) if peer else []}
        rows.append(row)
        arguments.out.write_text(compact.compact(document))
        print(table_text([row]).splitlines()[-1], flush=True)
    for name in arguments.table:
        print(f"\n{TABLES[name].title}\n\n{table_text([row for row in rows if row['table'] == name])}")


if __name__ == "__main__":
    main()
