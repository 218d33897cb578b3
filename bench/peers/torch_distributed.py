#!/usr/bin/env python3
"""Times the weighted sum and the gradient of its features in PyTorch over several GPUs, beside one: what
bench_distributed calls gcn, on the same graphs and values.

  python3 -m torch.distributed.run --nproc-per-node 2 bench/peers/torch_distributed.py --graph-dir DIR --out FILE

Each rank has a range of vertices with about as many edges as the others, and the rows of torch.sparse's CSR matrix that
belong to them. all-gather: every rank gets all features, the gradient is a product with the transposed matrix and a
reduce-scatter. all-to-all: a rank gets the rows of other ranks that its own read, each once; gradients go back the same
way and are added by index_add_. Matrices, their transposes and the lists of rows are made before anything is timed, and
features lie where messages and products read them, so that no step copies rows but those that it packs. Ranges have
different lengths: what is gathered is padded to the longest, and the columns of the matrix are numbered so.

A sample is the mean of several steps, forward and backward, and the time of the slowest rank. The results of all are
compared. Needs numpy and torch. --device cpu tries all of it on the host, by gloo.
"""
import argparse
import datetime
import json
import os
import pathlib
import sys
import time
import warnings

try:
    import numpy as np
    import torch
    import torch.distributed as dist
except ImportError as missing:
    print(f"torch_distributed: {missing.name} is not installed, nothing is measured")
    sys.exit(0)

import torch_harness as harness

TOLERANCE = 1e-4  # of the row, or of the array's mean magnitude in rows smaller than that
SAMPLE_MS, MOST_STEPS = 25.0, 200


def range_starts(indptr: np.ndarray, num_ranks: int) -> list[int]:
    """The first vertex of each rank's range and the end of the last: those of the library's by_edges."""
    weight_before = indptr.astype(np.int64) + np.arange(len(indptr))
    share = weight_before[-1] // num_ranks
    cuts = [int(np.searchsorted(weight_before, share * rank)) for rank in range(1, num_ranks)]
    return [0, *cuts, len(indptr) - 1]


def csr_and_transpose(offsets, columns, values, num_columns):
    """A CSR matrix and its transpose. Shapes: offsets [rows + 1], columns and values [E], all of one device."""
    num_rows = len(offsets) - 1
    rows = torch.repeat_interleave(torch.arange(num_rows, device=columns.device), offsets.diff())
    order = torch.argsort(columns, stable=True)
    column_offsets = torch.zeros(num_columns + 1, dtype=torch.int64, device=columns.device)
    torch.cumsum(torch.bincount(columns, minlength=num_columns), 0, out=column_offsets[1:])

    def matrix(starts, neighbors, numbers, shape):
        return torch.sparse_csr_tensor(starts.int(), neighbors.int(), numbers, shape, check_invariants=False)

    return (matrix(offsets, columns, values, (num_rows, num_columns)),
            matrix(column_offsets, rows[order], values[order], (num_columns, num_rows)))


class RankedGraph:
    """A graph by destination, and which vertices and edges this rank has of it."""

    def __init__(self, folders, name, device):
        self.name, self.device = name, device
        self.rank, self.num_ranks = dist.get_rank(), dist.get_world_size()
        self.indptr, self.indices = harness.read_graph(folders, name)
        self.num_vertices, self.num_edges = len(self.indptr) - 1, len(self.indices)
        self.first = range_starts(self.indptr, self.num_ranks)
        self.begin, self.end = self.first[self.rank], self.first[self.rank + 1]

    @property
    def num_rows(self):
        return self.end - self.begin

    def rows(self, begin, end):
        """Offsets, sources and weights of the edges into a range of vertices."""
        first, last = int(self.indptr[begin]), int(self.indptr[end])
        offsets = torch.from_numpy(self.indptr[begin:end + 1].astype(np.int64) - first).to(self.device)
        sources = torch.from_numpy(self.indices[first:last].astype(np.int64)).to(self.device)
        weights = harness.random_values(1, (self.num_edges,), torch.float32, self.device)[first:last].clone()
        return offsets, sources, weights

    def own_values(self, seed, channels):
        values = harness.random_values(seed, (self.num_vertices, channels), torch.float32, self.device)
        return values[self.begin:self.end].clone()


class OneGpu:
    """The whole graph on one rank."""
    impl = "torch, 1 GPU"

    def __init__(self, graph, channels):
        offsets, sources, weights = graph.rows(0, graph.num_vertices)
        self.matrix, self.transpose = csr_and_transpose(offsets, sources, weights, graph.num_vertices)
        shape = (graph.num_vertices, channels)
        self.features = harness.random_values(2, shape, torch.float32, graph.device)
        self.out_grad = harness.random_values(3, shape, torch.float32, graph.device)

    def step(self):
        return torch.sparse.mm(self.matrix, self.features), torch.sparse.mm(self.transpose, self.out_grad)


class AllGather:
    """Every rank gets the features of all vertices, in as many rows for each rank as the longest range has."""
    way = "all-gather"

    def __init__(self, graph, channels):
        first = torch.tensor(graph.first, device=graph.device)
        longest = int(first.diff().max())
        offsets, sources, weights = graph.rows(graph.begin, graph.end)
        owners = torch.searchsorted(first, sources, right=True) - 1
        columns = owners * longest + sources - first[owners]
        num_columns = graph.num_ranks * longest
        self.matrix, self.transpose = csr_and_transpose(offsets, columns, weights, num_columns)
        self.num_rows = graph.num_rows
        self.features = torch.zeros((longest, channels), device=graph.device)
        self.features[:graph.num_rows] = graph.own_values(2, channels)
        self.out_grad = graph.own_values(3, channels)
        self.gathered = torch.zeros((num_columns, channels), device=graph.device)
        self.gradient = torch.zeros_like(self.features)
        sent = 4 * channels * longest * (graph.num_ranks - 1)
        self.halo_rows, self.bytes = (graph.num_ranks - 1) * longest, (sent, sent)

    def step(self, exchanges=True):
        if exchanges:
            dist.all_gather_into_tensor(self.gathered, self.features)
        out = torch.sparse.mm(self.matrix, self.gathered)
        gradient = torch.sparse.mm(self.transpose, self.out_grad)
        if exchanges:
            dist.reduce_scatter_tensor(self.gradient, gradient)
        return out, self.gradient[:self.num_rows]


class AllToAll:
    """A rank gets the rows of other ranks that its edges read. In its table they follow its own."""
    way = "all-to-all"

    def __init__(self, graph, channels):
        first = torch.tensor(graph.first, device=graph.device)
        offsets, sources, weights = graph.rows(graph.begin, graph.end)
        is_own = (sources >= graph.begin) & (sources < graph.end)
        halo = torch.unique(sources[~is_own])  # ascending, hence rank by rank
        columns = torch.where(is_own, sources - graph.begin, graph.num_rows + torch.searchsorted(halo, sources))
        self.num_rows, table_rows = graph.num_rows, graph.num_rows + len(halo)
        self.matrix, self.transpose = csr_and_transpose(offsets, columns, weights, table_rows)

        self.read = torch.searchsorted(halo, first).diff()  # rows of each rank
        asked = torch.empty_like(self.read)
        dist.all_to_all_single(asked, self.read)
        self.read, self.sent = self.read.tolist(), asked.tolist()
        self.send_rows = torch.empty(sum(self.sent), dtype=torch.int64, device=graph.device)
        dist.all_to_all_single(self.send_rows, halo, self.sent, self.read)
        self.send_rows -= graph.begin

        self.table = torch.zeros((table_rows, channels), device=graph.device)
        self.table[:graph.num_rows] = graph.own_values(2, channels)
        self.out_grad = graph.own_values(3, channels)
        self.returned = torch.zeros((len(self.send_rows), channels), device=graph.device)
        self.halo_rows = len(halo)
        self.bytes = 4 * channels * len(self.send_rows), 4 * channels * len(halo)

    def step(self, exchanges=True):
        own = self.table[:self.num_rows]
        packed = own.index_select(0, self.send_rows)
        if exchanges:
            dist.all_to_all_single(self.table[self.num_rows:], packed, self.read, self.sent)
        out = torch.sparse.mm(self.matrix, self.table)
        gradients = torch.sparse.mm(self.transpose, self.out_grad)
        if exchanges:
            dist.all_to_all_single(self.returned, gradients[self.num_rows:], self.sent, self.read)
        return out, gradients[:self.num_rows].index_add_(0, self.send_rows, self.returned)


def slowest(samples, device, together):
    """Each sample of the slowest rank; `together`: of all ranks, which all call this."""
    if not together:
        return samples
    of_ranks = torch.tensor(samples, dtype=torch.float64, device=device)
    dist.all_reduce(of_ranks, op=dist.ReduceOp.MAX)
    return of_ranks.tolist()


def time_steps(step, device, num_samples, together):
    """Milliseconds of one step, in the fields of result files."""
    is_gpu = device != "cpu"

    def mean_ms(steps):
        if not is_gpu:
            begin = time.perf_counter()
            for _ in range(steps):
                step()
            return (time.perf_counter() - begin) * 1e3 / steps
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(steps):
            step()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / steps

    def sample(steps):
        if together:
            dist.barrier()
        if is_gpu:
            torch.cuda.synchronize()
        return mean_ms(steps)

    for _ in range(2):
        step()
    shortest = slowest([min(sample(1) for _ in range(3))], device, together)[0]
    steps = int(min(max(SAMPLE_MS / max(shortest, 1e-3), 2), MOST_STEPS))
    sample(steps)
    return harness.summary(slowest([sample(steps) for _ in range(num_samples)], device, together), steps, "")


def difference(actual, expected):
    """The largest difference, relative to the row's largest element or the array's mean magnitude."""
    if expected.numel() == 0:
        return 0.0
    scale = torch.maximum(expected.abs().amax(1), expected.abs().mean())
    error = ((actual - expected).abs().amax(1) / scale).nan_to_num(nan=float("inf")).max()
    return float(error)


def of_all_ranks(numbers, device):
    """What every rank has: name to list."""
    own = torch.tensor(list(numbers.values()), dtype=torch.int64, device=device)
    every = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(every, own)
    return {name: [int(of_rank[i]) for of_rank in every] for i, name in enumerate(numbers)}


def memory(device):
    return 0 if device == "cpu" else torch.cuda.memory_allocated()


def peak_since(device, before, step):
    """Bytes that a step and what it holds take at most, above `before`."""
    if device == "cpu":
        step()
        return 0
    torch.cuda.reset_peak_memory_stats()
    step()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def row_of(graph, channels, impl, timed, **others):
    return {"graph": graph.name, "op": "gcn", "heads": 1, "channels": channels, "dtype": "f32", "pass": "step",
            "impl": impl, **timed, "kernels": [], "variants_ms": {}, **others}


def measure_one(graph, channels, num_samples):
    """The row of one GPU, on rank 0, and its output and gradient on all."""
    device, row = graph.device, None
    results = [torch.empty((graph.num_vertices, channels), device=device) for _ in range(2)]
    if graph.rank == 0:
        before = memory(device)
        one = OneGpu(graph, channels)
        peak = peak_since(device, before, one.step)
        timed = time_steps(one.step, device, num_samples, False)
        row = row_of(graph, channels, one.impl, timed, peak_bytes=peak, error=0.0)
        for to, values in zip(results, one.step()):
            to.copy_(values)
    for values in results:
        dist.broadcast(values, 0)
    return row, [values[graph.begin:graph.end].clone() for values in results]


def measure(graph, channels, make, expected, num_samples):
    """The row of a way to exchange rows, and its output and gradient."""
    device, before = graph.device, memory(graph.device)
    spread = make(graph, channels)
    peak = peak_since(device, before, spread.step)
    results = [values.clone() for values in spread.step()]
    error = max((difference(*pair) for pair in zip(results, expected)), default=0.0)
    error = slowest([error], device, True)[0]
    timed = time_steps(spread.step, device, num_samples, True)
    products = time_steps(lambda: spread.step(exchanges=False), device, num_samples, True)
    edges = int(graph.indptr[graph.end]) - int(graph.indptr[graph.begin])
    forward_bytes, backward_bytes = spread.bytes
    ranks = of_all_ranks({"rows": graph.num_rows, "edges": edges, "halo_rows": spread.halo_rows,
                          "forward_bytes": forward_bytes, "backward_bytes": backward_bytes, "peak_bytes": peak}, device)
    row = row_of(graph, channels, f"torch, {graph.num_ranks} GPUs, {spread.way}", timed, ranks=ranks,
                 peak_bytes=max(ranks["peak_bytes"]), error=error)
    row["variants_ms"] = {"total": timed["ms"], "without_messages": products["ms"]}
    return row, results


def print_table(rows):
    print(f"\n{'graph':14s} {'channels':>8s} {'impl':28s} {'ms':>9s} {'without':>9s} {'speedup':>8s} "
          f"{'MB forward':>20s} {'MB backward':>20s} {'peak GB':>12s} {'error':>9s}")
    for row in rows:
        def of_ranks(name, unit):
            return "/".join(f"{x / unit:.2f}" for x in row.get("ranks", {}).get(name, [])) or "-"

        times = row["variants_ms"]
        without = f"{times['without_messages']:.3f}" if times else "-"
        peaks = of_ranks("peak_bytes", 1e9) if "ranks" in row else f"{row['peak_bytes'] / 1e9:.2f}"
        speedup = f"{row['speedup']:.2f}x" if "speedup" in row else "-"
        print(f"{row['graph']:14s} {row['channels']:8d} {row['impl']:28s} {row['ms']:9.3f} {without:>9s} {speedup:>8s} "
              f"{of_ranks('forward_bytes', 1e6):>20s} {of_ranks('backward_bytes', 1e6):>20s} {peaks:>12s} "
              f"{row['error']:9.1e}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph-dir", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--graphs", nargs="+", default=["reddit", "products"])
    parser.add_argument("--channels", nargs="+", type=int, default=[128, 256])
    parser.add_argument("--samples", type=int, default=11)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--skip-one-gpu", action="store_true", help="for graphs that do not fit")
    parser.add_argument("--revision", default=harness.checkout_revision(), help="git revision to record")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*[Ss]parse CSR.*")
    device, is_first = arguments.device, os.environ.get("RANK", "0") == "0"
    if device == "cuda" and not torch.cuda.is_available():
        print("torch_distributed: torch has no CUDA device, nothing is measured (--device cpu times the host)")
        return 0
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_stream(torch.cuda.Stream())
    where = harness.environment(arguments.revision, device, f"torch {torch.__version__}") if is_first else None
    dist.init_process_group("nccl" if device == "cuda" else "gloo", timeout=datetime.timedelta(minutes=10))
    rows, failed = [], False
    for name in arguments.graphs:
        graph = RankedGraph(arguments.graph_dir, name, device)
        for channels in arguments.channels:
            one, expected = (None, []) if arguments.skip_one_gpu else measure_one(graph, channels, arguments.samples)
            made = [one] if one else []
            for make in (AllGather, AllToAll):
                row, results = measure(graph, channels, make, expected, arguments.samples)
                expected = expected or results  # where there is nothing else the first way judges the second
                if one:
                    row["speedup"] = one["ms"] / row["ms"]
                if not row["error"] <= TOLERANCE:
                    failed = True
                    if is_first:
                        print(f"WRONG: {name} {channels} {row['impl']}: off by {row['error']:.2g}", file=sys.stderr)
                else:
                    made.append(row)
            rows += made
            if is_first:
                for row in made:
                    print(f"{name} {channels} {row['impl']}: {row['ms']:.4f} ms", flush=True)
            if is_first and arguments.out:
                document = {"environment": where, "graphs": [], "results": rows}
                arguments.out.write_text(json.dumps(document, indent=1) + "\n")
    if is_first:
        print_table(rows)
    dist.barrier()
    dist.destroy_process_group()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
