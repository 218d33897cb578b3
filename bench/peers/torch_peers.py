#!/usr/bin/env python3
"""Times torch.sparse and torch_geometric on the benchmark's graphs and values, cell by cell of bench_spmm and bench_attention.

  python3 bench/peers/torch_peers.py --graphs DIR --out peers.json [--names arxiv] [--ops weighted_sum gat] ...
  python3 bench/tables.py RESULT.json --beside peers.json

weighted_sum: torch.sparse's product of a CSR matrix, and EdgeIndex.matmul of torch_geometric; grad_source is what autograd runs for
the features. transformer, gat, gatv2: TransformerConv, GATConv and GATv2Conv without their dense layers. Results are checked
against float64 on a sample of rows before they are timed. A cell that cannot run is printed with the reason and left out.
Needs numpy and torch; torch_geometric's cells are left out where it is missing. --device cpu times the host.
"""
import argparse
import json
import pathlib
import sys

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"torch_peers: {missing.name} is not installed, nothing is measured")
    sys.exit(0)

import torch_attention
import torch_harness as harness

try:
    import torch_geometric
except ImportError:
    torch_geometric = None

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
EPSILON = {"f32": 2e-6, "f16": 4e-3, "bf16": 3e-2}  # of the sum of magnitudes, after sums in float or in the type
ATTENTION = ["transformer", "gat", "gatv2"]
NUM_SAMPLES = 40


class Graph:
    """By destination as tensors, and samples to check."""

    def __init__(self, folders, name, device):
        self.name, self.device = name, device
        indptr, indices = harness.read_graph(folders, name)
        self.num_vertices, self.num_edges = len(indptr) - 1, len(indices)
        self.indptr = torch.from_numpy(indptr.astype(np.int64)).to(device)
        self.sources = torch.from_numpy(indices.astype(np.int64)).to(device)
        degrees = self.indptr.diff()
        self.destinations = torch.repeat_interleave(torch.arange(self.num_vertices, device=device), degrees)
        picked = torch.from_numpy(np.random.default_rng(7).integers(0, self.num_vertices, NUM_SAMPLES)).to(device)
        self.rows = torch.unique(torch.cat([picked, degrees.argmax()[None], torch.tensor([0, self.num_vertices - 1], device=device)]))
        out_degrees = torch.bincount(self.sources, minlength=self.num_vertices)
        few = torch.nonzero((out_degrees[picked] > 0) & (out_degrees[picked] <= 64)).flatten()[:8]
        self.picked_sources = torch.unique(picked[few])

    def edges_into(self, rows):
        """Positions of the edges of these rows, and the row of each among `rows`, which ascend."""
        chosen = torch.zeros(self.num_vertices, dtype=torch.bool, device=self.device)
        chosen[rows] = True
        positions = torch.nonzero(chosen[self.destinations]).flatten()
        return positions, torch.searchsorted(rows, self.destinations[positions])


class Cell:
    """One case of one implementation: `launch`, what it must have computed, and its name."""

    def __init__(self, impl, launch, check):
        self.impl, self.launch, self.check = impl, launch, check


def check_sum(graph, positions, segments, num_rows, weights, features, actual):
    """The error of rows of a weighted sum."""
    expected = torch.zeros((num_rows, features.shape[1]), dtype=torch.float64, device=graph.device)
    terms = weights[positions].double()[:, None] * features.double()
    return harness.largest_error(actual, expected.index_add(0, segments, terms), expected.index_add(0, segments, terms.abs()))


def weighted_sums(graph, channels, dtype, pass_name):
    """Cells of the weighted sum."""
    V, device = graph.num_vertices, graph.device
    weights = harness.random_values(1, (graph.num_edges,), dtype, device)
    features = harness.random_values(2, (V, channels), dtype, device)
    out_grad = harness.random_values(3, (V, channels), dtype, device)

    def forward_error(out):
        positions, segments = graph.edges_into(graph.rows)
        return check_sum(graph, positions, segments, len(graph.rows), weights, features[graph.sources[positions]], out[graph.rows])

    def source_error(gradient):
        rows = graph.picked_sources
        chosen = torch.isin(graph.sources, rows)
        positions = torch.nonzero(chosen).flatten()
        segments = torch.searchsorted(rows, graph.sources[positions])
        return check_sum(graph, positions, segments, len(rows), weights, out_grad[graph.destinations[positions]], gradient[rows])

    def cells(impl, product):
        if pass_name == "forward":
            with torch.no_grad():
                return Cell(impl, lambda: product(features), forward_error)
        x = features.clone().requires_grad_()
        out = product(x)
        return Cell(impl, lambda: torch.autograd.grad(out, x, out_grad, retain_graph=True)[0], source_error)

    def sparse():
        matrix = torch.sparse_csr_tensor(graph.indptr, graph.sources, weights, (V, V), check_invariants=False)
        return cells("torch_sparse", lambda x: torch.sparse.mm(matrix, x))

    def edge_index():
        index = torch_geometric.EdgeIndex(torch.stack([graph.sources, graph.destinations]), sparse_size=(V, V), sort_order="col")
        index.fill_cache_()
        return cells("pyg", lambda x: index.matmul(x, input_value=weights, transpose=True))

    return [("torch_sparse", sparse), ("pyg", edge_index)]


def attentions(graph, op, heads, channels, dtype, pass_name):
    """Cells of an attention layer: forward, or all gradients."""
    V, device = graph.num_vertices, graph.device
    shapes = torch_attention.operands_of(op, V, heads, channels)
    of = {name: harness.random_values(torch_attention.SEEDS[name], shape, dtype, device) for name, shape in shapes.items()}
    out_grad = harness.random_values(torch_attention.SEEDS["out_grad"], (V, heads, channels), dtype, device)

    def part(rows, with_gradients):
        positions, segments = graph.edges_into(rows)
        sources, sources_of = torch.unique(graph.sources[positions], return_inverse=True)
        exact = {name: (x if name == "parameter" else x[rows if name == "destination" else sources]).double().requires_grad_(with_gradients)
                 for name, x in of.items()}
        return torch_attention.reference(op, exact, segments, sources_of, len(rows)), exact, sources

    def forward_error(out):
        return harness.largest_error(out.view(V, heads, channels)[graph.rows], part(graph.rows, False)[0])

    def backward_error(gradients):
        """Of the rows that some sources reach: all that those sources' gradients come from."""
        named = dict(zip(of, gradients))
        reached = torch.unique(graph.destinations[torch.isin(graph.sources, graph.picked_sources)])
        out, exact, sources = part(reached, True)
        expected = dict(zip(exact, torch.autograd.grad(out, list(exact.values()), out_grad[reached].double())))
        among = torch.searchsorted(sources, graph.picked_sources)
        errors = [harness.largest_error(named["destination"][reached], expected["destination"])]
        errors += [harness.largest_error(named[name][graph.picked_sources], expected[name][among]) for name in ("key", "value") if name in of]
        return max(errors)

    def pyg():
        run = torch_attention.pyg_layer(op, heads, channels, device, dtype)
        index = torch.stack([graph.sources, graph.destinations])
        if pass_name == "forward":
            def launch():
                with torch.no_grad():
                    return run(of, index, V)
            return Cell("pyg", launch, forward_error)
        asked = {name: x.clone().requires_grad_() for name, x in of.items()}
        out = run(asked, index, V).view(V, heads, channels)
        return Cell("pyg", lambda: torch.autograd.grad(out, list(asked.values()), out_grad, retain_graph=True), backward_error)

    return [("pyg", pyg)]


def measure(graph, case, make, device):
    """The row of a cell, or why it has none."""
    try:
        if device != "cpu":
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
        cell = make()
        error = cell.check(cell.launch())
        attention = case["op"] in ATTENTION
        if not error < EPSILON[case["dtype"]] * (20 if attention else 1):
            return f"wrong result, error {error:.2g}"
        row = {**case, "impl": cell.impl, **harness.time_launches(cell.launch, device), "variants_ms": {}, "kernels": [], "error": error}
        row["peak_bytes"] = 0 if device == "cpu" else torch.cuda.max_memory_allocated() - before
        return row
    except torch.cuda.OutOfMemoryError as failure:
        return "out of memory: " + str(failure).split(". ")[0]
    except (RuntimeError, TypeError, NotImplementedError, AttributeError, ValueError) as failure:
        return f"{type(failure).__name__}: {str(failure).splitlines()[0] if str(failure) else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--names", nargs="+", default=["cora", "arxiv", "products", "reddit", "roads", "dense"])
    parser.add_argument("--ops", nargs="+", choices=["weighted_sum", *ATTENTION], default=["weighted_sum", *ATTENTION])
    parser.add_argument("--channels", nargs="+", type=int, default=[32, 64, 128, 256, 512])
    parser.add_argument("--shapes", nargs="+", default=["4x64", "8x32", "2x128", "4x128"], help="heads x channels of attention")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=["f32"])
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--revision", default=harness.checkout_revision(), help="git revision to record; that of this checkout")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        print("torch_peers: torch has no CUDA device, nothing is measured (--device cpu times the host)")
        return
    peer = f"torch {torch.__version__}" + (f", torch_geometric {torch_geometric.__version__}" if torch_geometric else "")
    if not torch_geometric:
        print("torch_peers: torch_geometric is not installed, its cells are left out")
    if arguments.device == "cuda":
        torch.cuda.set_stream(torch.cuda.Stream())  # the default stream cannot be captured
    rows = []
    for name in arguments.names:
        graph = Graph(arguments.graphs, name, arguments.device)
        for dtype in arguments.dtypes:
            jobs = []
            if "weighted_sum" in arguments.ops:
                jobs += [("weighted_sum", 1, channels, p) for channels in arguments.channels for p in ("forward", "grad_source")]
            for op in [op for op in arguments.ops if op in ATTENTION]:
                jobs += [(op, *map(int, shape.split("x")), p) for shape in arguments.shapes for p in ("forward", "backward")]
            for op, heads, channels, p in jobs:
                case = {"graph": name, "op": op, "heads": heads, "channels": channels, "dtype": dtype, "pass": p}
                label = " ".join(map(str, case.values()))
                try:
                    makers = (weighted_sums(graph, channels, DTYPES[dtype], p) if op == "weighted_sum"
                              else attentions(graph, op, heads, channels, DTYPES[dtype], p))
                except torch.cuda.OutOfMemoryError:
                    print(f"{label}: skipped, out of memory for its operands", flush=True)
                    continue
                for impl, make in makers:
                    if impl == "pyg" and not torch_geometric:
                        continue
                    row = measure(graph, case, make, arguments.device)
                    if isinstance(row, str):
                        print(f"{label} {impl}: skipped, {row}", flush=True)
                        continue
                    rows.append(row)
                    print(f"{label} {impl}: {row['ms']:.4f} ms, {row['variant']}, {row['peak_bytes'] / 1e6:.0f} MB", flush=True)
    if arguments.out:
        document = {"environment": harness.environment(arguments.revision, arguments.device, peer), "graphs": [], "results": rows}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
