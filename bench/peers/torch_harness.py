"""What the peers in Python share: the benchmark's graphs and values as tensors, timing, and result rows."""
import datetime
import pathlib
import platform
import statistics
import subprocess
import time

import numpy as np
import torch

WARM_REPLAYS, REPLAYS, REPLAY_MS, MOST_LAUNCHES = 3, 20, 10.0, 2000


def read_graph(folders: list[pathlib.Path], name: str) -> tuple[np.ndarray, np.ndarray]:
    """(indptr [V+1], indices [E]) by destination, as the benchmark programs read them."""
    for folder in folders:
        if (folder / f"{name}.indptr.npy").exists():
            return np.load(folder / f"{name}.indptr.npy"), np.load(folder / f"{name}.indices.npy")
        if (folder / name / "edge_index.npy").exists():
            sources, destinations = np.load(folder / name / "edge_index.npy")
            num_vertices = int(max(sources.max(), destinations.max())) + 1
            order = np.argsort(destinations, kind="stable")
            indptr = np.zeros(num_vertices + 1, dtype=np.int64)
            np.cumsum(np.bincount(destinations, minlength=num_vertices), out=indptr[1:])
            return indptr.astype(np.int32), sources[order].astype(np.int32)
    raise FileNotFoundError(f"{name}: in none of {', '.join(map(str, folders))}")


def random_values(seed: int, shape: tuple[int, ...], dtype: torch.dtype, device: str) -> torch.Tensor:
    """The values of harness/random_value.hpp, bit for bit: splitmix64 in wrapping 64-bit integers."""
    def wrapped(x: int) -> int:
        return x - (1 << 64) if x >= 1 << 63 else x

    def shifted(bits: torch.Tensor, by: int) -> torch.Tensor:
        return (bits >> by) & ((1 << (64 - by)) - 1)  # logical

    size = int(np.prod(shape, dtype=np.int64))
    result = torch.empty(size, dtype=dtype, device=device)
    for begin in range(0, size, 1 << 24):
        end = min(size, begin + (1 << 24))
        bits = (torch.arange(begin, end, device=device) + (wrapped(seed << 40) + 1)) * wrapped(0x9E3779B97F4A7C15)
        bits = (bits ^ shifted(bits, 30)) * wrapped(0xBF58476D1CE4E5B9)
        bits = (bits ^ shifted(bits, 27)) * wrapped(0x94D049BB133111EB)
        bits = bits ^ shifted(bits, 31)
        result[begin:end] = ((shifted(bits, 40).float() - 8388608.0) / 8388608.0).to(dtype)
    return result.view(shape)


def time_launches(launch, device: str) -> dict:
    """Milliseconds of one launch: many launches in one CUDA graph, median of its replays; where the work cannot be
    captured, launched one by one (`variant` says so). On the host wall-clock time."""
    if device == "cpu":
        samples = []
        for turn in range(9):
            begin = time.perf_counter()
            launch()
            if turn >= 2:
                samples.append((time.perf_counter() - begin) * 1e3)
        return summary(samples, 1, "")
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def elapsed(work) -> float:
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    launch()
    torch.cuda.synchronize()
    shortest = min(elapsed(launch) for _ in range(3))
    launches = int(min(max(REPLAY_MS / max(shortest, 1e-3), 1), MOST_LAUNCHES))
    variant = "captured"
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):  # where autograd recorded what it runs now
            for _ in range(launches):
                launch()
        replay = graph.replay
    except torch.cuda.OutOfMemoryError:
        raise
    except RuntimeError:
        torch.cuda.synchronize()
        variant = "launched one by one"

        def replay():
            for _ in range(launches):
                launch()

    for _ in range(WARM_REPLAYS):
        elapsed(replay)
    return summary([elapsed(replay) / launches for _ in range(REPLAYS)], launches, variant)


def summary(samples: list[float], launches: int, variant: str) -> dict:
    median = statistics.median(samples)
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return {"ms": median, "spread": (high - low) / median, "launches": launches, "replays": len(samples), "variant": variant}


def largest_error(actual: torch.Tensor, expected: torch.Tensor, magnitude: torch.Tensor | None = None) -> float:
    """The largest difference over the sum of magnitudes of the element's terms, or over the largest element."""
    if expected.numel() == 0:
        return 0.0
    difference = (actual.double().cpu() - expected.cpu()).abs()
    scale = magnitude.cpu() if magnitude is not None else expected.cpu().abs().max().expand_as(difference)
    error = torch.where(difference == 0, torch.zeros_like(difference), difference / scale)
    return float("inf") if torch.isnan(error).any() else float(error.max())


def environment(revision: str, device: str, peer: str) -> dict:
    gpu = torch.cuda.get_device_properties(0) if device != "cpu" else None
    return {
        "revision": revision,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "compiler": f"Python {platform.python_version()}",
        "cpu": platform.processor() or "unknown",
        "cpu_threads": torch.get_num_threads() if gpu is None else 0,
        "gpu": gpu.name if gpu else "",
        "compute_capability": f"{gpu.major}.{gpu.minor}" if gpu else "",
        "multiprocessors": gpu.multi_processor_count if gpu else 0,
        "gpu_memory_bytes": gpu.total_memory if gpu else 0,
        "l2_bytes": getattr(gpu, "L2_cache_size", 0) if gpu else 0,
        "cuda_runtime": torch.version.cuda or "",
        "driver": driver_version() if gpu else "",
        "peer": peer,
        "copy_bandwidth": copy_bandwidth(device),
    }


def driver_version() -> str:
    """The first line of the kernel driver's own file, as the benchmark programs record it; empty in containers without it."""
    file = pathlib.Path("/proc/driver/nvidia/version")
    return file.read_text().splitlines()[0] if file.exists() else ""


def checkout_revision() -> str:
    """Of the checkout that these files lie in; "unknown" outside of one."""
    command = ["git", "-C", str(pathlib.Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def copy_bandwidth(device: str) -> float:
    size = (1 << 28) if device != "cpu" else (1 << 25)
    source = torch.zeros(size, dtype=torch.float32, device=device)
    target = torch.empty_like(source)
    return 2 * 4 * size / (time_launches(lambda: target.copy_(source), device)["ms"] * 1e-3)
