#!/usr/bin/env python3
"""Trains the models of examples/models in torch_geometric, and measures an epoch's time and the peak memory.

  python3 bench/peers/pyg_models.py --data DIR/cora DIR/pubmed --out pyg.json
  python3 bench/peers/pyg_models.py --data DIR/cora --modes compiled --out pyg.json --resume --seconds 500

An epoch is zero_grad, forward, loss, backward and step, synchronised, as the trainer times it: the median of --epochs after
--warm-up ones. `eager` is torch_geometric as it is, `compiled` is torch.compile(model with loss, mode="reduce-overhead"): the
optimiser stays eager. Adam runs fused and foreach, and the faster counts. float32 without TF32. A model has several
arrangements of layers (pyg_networks.py); each is a record. Features are dense, or sparse CSR; vertices without features
have learned rows ("learned").

Peak bytes are those of data, parameters, gradients, moments and intermediates, by torch's allocator; `reserved_bytes` is what the
allocator holds, which counts the pools of CUDA graphs too. Graphs are prepared on the host, which is not counted.

The file is written after each cell. A cell that fails is a record with `error`; one that ends the process is found by the
next run with --resume, which leaves out all cells that the file has. A broken CUDA context starts the program anew that way.
"""
import argparse
import concurrent.futures
import functools
import gc
import itertools
import json
import multiprocessing
import os
import pathlib
import statistics
import sys
import time
from collections import Counter

try:
    import torch
    import torch_geometric
except ImportError as missing:
    print(f"pyg_models: {missing.name} is not installed, nothing is measured")
    sys.exit(0)

import torch.nn.functional as F

import pyg_data
import pyg_recipes
import torch_harness as harness
from pyg_networks import NETWORKS, is_possible

CASE = ("model", "data", "mode", "features", "variant")
UNFINISHED = "the process ended in this cell"


class WithLoss(torch.nn.Module):
    """The loss of the training rows: what is compiled."""

    def __init__(self, network: torch.nn.Module, labels: torch.Tensor, rows: torch.Tensor):
        super().__init__()
        self.network = network
        self.register_buffer("rows", rows, persistent=False)
        self.register_buffer("targets", labels[rows], persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(self.network(x).index_select(0, self.rows), self.targets)


def make_optimizer(network: torch.nn.Module, options: dict, adam: str) -> torch.optim.Optimizer:
    decayed = network.decayed()
    others = [p for p in network.parameters() if p.requires_grad and all(p is not q for q in decayed)]
    groups = [{"params": decayed, "weight_decay": options["weight_decay"]}] + ([{"params": others, "weight_decay": 0.0}] if others else [])
    return torch.optim.Adam(groups, lr=options["learning_rate"], **{adam: True})


def synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def time_epochs(loss_of, network, x, options: dict, adam: str, arguments) -> tuple[list[float], float]:
    """Milliseconds of each epoch after the warm-up, and the seconds of the first one, which compiles."""
    optimizer = make_optimizer(network, options, adam)
    samples, first_seconds = [], 0.0
    for epoch in range(arguments.warm_up + arguments.epochs):
        synchronize(arguments.device)
        begin = time.perf_counter()
        torch.compiler.cudagraph_mark_step_begin()
        optimizer.zero_grad()
        loss_of(x).backward()
        optimizer.step()
        synchronize(arguments.device)
        elapsed = time.perf_counter() - begin
        if epoch == 0:
            first_seconds = elapsed
        if epoch >= arguments.warm_up:
            samples.append(elapsed * 1e3)
    return samples, first_seconds


@torch.no_grad()
def accuracy(network: torch.nn.Module, x: torch.Tensor, task: pyg_data.Task) -> float:
    network.eval()
    predicted = network(x).argmax(dim=1).cpu()
    return float((predicted == task.labels)[task.test_rows].float().mean())


def features_on_device(task: pyg_data.Task, kind: str, device: str) -> torch.Tensor:
    if kind == "learned":
        return torch.zeros(task.num_vertices, 1, device=device)
    return (task.features.to_sparse_csr() if kind == "sparse" else task.features).to(device)


def clear(device: str) -> None:
    """Nothing of the last cell stays on the device: compiled graphs, tensors, workspaces of cuBLAS."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    gc.collect()
    if device == "cuda":
        getattr(torch._C, "_cuda_clearCublasWorkspaces", lambda: None)()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def measure(case: dict, task: pyg_data.Task, options: dict, arguments) -> dict:
    """What is measured of a cell."""
    device = arguments.device
    clear(device)
    before = torch.cuda.memory_allocated() if device == "cuda" else 0
    torch.manual_seed(arguments.seed)
    network = NETWORKS[case["model"]][case["variant"]](task, options)
    with_loss = WithLoss(network, task.labels, task.train_rows).to(device)
    x = features_on_device(task, case["features"], device)
    loss_of = torch.compile(with_loss, mode="reduce-overhead") if case["mode"] == "compiled" else with_loss
    times, spreads, peaks, compile_seconds = {}, {}, {}, 0.0
    for adam in arguments.adam:
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()  # of each by itself: that of the faster one counts
        samples, first_seconds = time_epochs(loss_of, network, x, options, adam, arguments)
        compile_seconds = max(compile_seconds, first_seconds)
        times[adam] = statistics.median(samples)
        peaks[adam] = torch.cuda.max_memory_allocated() - before if device == "cuda" else 0
        spreads[adam] = (max(samples) - min(samples)) / times[adam] if len(samples) < 4 else quartile_spread(samples)
    adam = min(times, key=times.get)
    measured = {"milliseconds": times[adam], "spread": spreads[adam], "adam": adam, "adam_milliseconds": times,
                "peak_bytes": peaks[adam]}
    if device == "cuda":
        measured["reserved_bytes"] = torch.cuda.max_memory_reserved()
    if case["mode"] == "compiled":
        counters = torch._dynamo.utils.counters
        measured["compile_seconds"] = compile_seconds
        measured["graph_breaks"] = sum(counters["graph_break"].values())
        measured["graph_break_reasons"] = [first_line(reason) for reason in Counter(counters["graph_break"])][:3]
        measured["cudagraph_skips"] = counters["inductor"]["cudagraph_skips"]
    measured["test_accuracy"] = accuracy(network, x, task)
    measured["trained_epochs"] = len(arguments.adam) * (arguments.warm_up + arguments.epochs)
    return measured


def quartile_spread(samples: list[float]) -> float:
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return (high - low) / median


def first_line(text: object) -> str:
    """The first line with words of an exception or a reason, cut short."""
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(text).__name__


def is_broken(failure: BaseException) -> bool:
    """The CUDA context is of no further use."""
    return not isinstance(failure, torch.cuda.OutOfMemoryError) and "CUDA error" in str(failure)


def cells_of(tasks: dict[str, pyg_data.Task], arguments) -> list[dict]:
    """All cells that are possible, the quick ones first."""
    cells = []
    for mode, (name, task), model in itertools.product(arguments.modes, tasks.items(), arguments.models):
        kinds = ["learned"] if task.features is None else arguments.features
        for variant, kind in itertools.product(NETWORKS[model], kinds):
            if is_possible(model, variant, kind, task) and (not arguments.variants or variant in arguments.variants):
                cells.append(dict(zip(CASE, (model, name, mode, kind, variant))))
    return cells


def apart(function, *arguments) -> object:
    """What a function returns in a process of its own: after the CUDA graphs of harness.environment, dropout fails in
    torch 2.11 ("Offset increment outside graph capture")."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


class ResultFile:
    """The records, written whole after each change."""

    def __init__(self, path: pathlib.Path, environment, resume: bool, retry: bool):
        self.path = path
        if (resume or retry) and path.exists():
            self.document = json.loads(path.read_text())
            self.document["results"] = [row for row in self.document["results"] if not (retry and "error" in row)]
        else:
            command = " ".join(pathlib.Path(word).name for word in sys.argv)  # without the folders of this machine
            self.document = {"environment": environment(), "command": command, "results": []}

    def has(self, case: dict) -> bool:
        return any(all(row[key] == case[key] for key in CASE) for row in self.document["results"])

    def put(self, row: dict) -> None:
        rows = self.document["results"]
        if rows and rows[-1].get("error") == UNFINISHED and all(rows[-1][key] == row[key] for key in CASE):
            rows.pop()
        rows.append(row)
        beside = self.path.with_suffix(".part")
        beside.write_text(json.dumps(self.document, indent=1) + "\n")
        beside.replace(self.path)


def run_cell(file: ResultFile, case: dict, task: pyg_data.Task, options: dict, arguments) -> None:
    label = " ".join(case.values())
    file.put({**case, "options": options, "error": UNFINISHED})
    try:
        row = measure(case, task, options, arguments)
    except Exception as failure:  # whatever a layer or the compiler does not take: the reason is the result
        file.put({**case, "options": options, "error": f"{type(failure).__name__}: {first_line(failure)}"})
        print(f"{label}: {type(failure).__name__}: {first_line(failure)}", flush=True)
        if is_broken(failure):
            again = [word for word in sys.argv if word not in ("--resume", "--retry")]
            os.execv(sys.executable, [sys.executable, *again, "--resume"])
        return
    file.put({**case, **row, "options": options})
    print(f"{label}: {row['milliseconds']:.4f} ms, Adam {row['adam']}, {row['peak_bytes'] / 2**20:.0f} MiB, "
          f"accuracy {row['test_accuracy']:.3f}", flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", type=pathlib.Path, required=True, help="folders of .npy files, as the trainer reads")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="JSON file, written after each cell")
    parser.add_argument("--models", nargs="+", choices=list(NETWORKS), default=list(NETWORKS))
    parser.add_argument("--variants", nargs="+", help="arrangements of layers by name (default: all of each model)")
    parser.add_argument("--modes", nargs="+", choices=["eager", "compiled"], default=["eager", "compiled"])
    parser.add_argument("--features", nargs="+", choices=["dense", "sparse"], default=["dense", "sparse"], help="of data that have any")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--threads", type=int, default=0, help="of the host, 0 for all")
    parser.add_argument("--epochs", type=int, default=100, help="timed epochs")
    parser.add_argument("--warm-up", type=int, default=20, help="epochs before them")
    parser.add_argument("--adam", nargs="+", choices=["fused", "foreach"], default=["fused", "foreach"], help="the faster counts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--like", nargs="+", type=pathlib.Path, default=[], help="files of our own training, whose options to take")
    parser.add_argument("--resume", action="store_true", help="keep what the file has, and measure the rest")
    parser.add_argument("--retry", action="store_true", help="as --resume, but measure anew what failed")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no cell after so long")
    parser.add_argument("--revision", default=harness.checkout_revision(), help="git revision to record; that of this checkout")
    for key, type_ in pyg_recipes.KEYS.items():
        parser.add_argument("--" + key.replace("_", "-"), type=type_, help="in place of the recipe's, for models that have it")
    return parser.parse_args()


def main() -> None:
    begin = time.monotonic()
    arguments = parse_arguments()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        print("pyg_models: torch has no CUDA device, nothing is measured (--device cpu times the host)")
        return
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_float32_matmul_precision("highest")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    peer = f"torch {torch.__version__}, torch_geometric {torch_geometric.__version__}"
    environment = functools.partial(apart, harness.environment, arguments.revision, arguments.device, peer)
    file = ResultFile(arguments.out, environment, arguments.resume, arguments.retry)
    tasks = {task.name: task for task in map(pyg_data.read_task, arguments.data)}
    like = pyg_recipes.options_of_files(arguments.like)
    given = {key: getattr(arguments, key) for key in pyg_recipes.KEYS if getattr(arguments, key) is not None}
    cells = [cell for cell in cells_of(tasks, arguments) if not file.has(cell)]
    for number, cell in enumerate(cells):
        if time.monotonic() - begin > arguments.seconds:
            print(f"pyg_models: {len(cells) - number} cells are left, run again with --resume", flush=True)
            return
        run_cell(file, cell, tasks[cell["data"]], pyg_recipes.recipe_of(cell["model"], cell["data"], like, given), arguments)
    print(f"pyg_models: all cells are in {arguments.out}", flush=True)


if __name__ == "__main__":
    main()
