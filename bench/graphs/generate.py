#!/usr/bin/env python3
"""Writes the benchmark graphs: stand-ins that match the size and the degree statistics of known data sets.

  python3 bench/graphs/generate.py --out DIR [--names cora arxiv ...]

Needs numpy alone. Each graph is one grouping by destination: NAME.indptr.npy [V+1] and NAME.indices.npy [E], both
int32. Row v lists the sources u of the edges u -> v, ascending, without duplicates or self loops. The arrays are the
same, bit for bit, on every machine; `sha256sum -c bench/graphs/sha256sums.txt` inside DIR confirms it.

By default the first six. The others have the papers' missing shapes: web (directed, in-degrees of skewness 829),
products_full (OGB's products at full size: vertices x 1024 channels exceed 2^31), proteins (OGB's size) and rand100k
(FeatGraph's random graph of two degrees); they take 6, 52, 25 and 12 s, products_full 4.4 GB of memory. Of what choices
are tried on besides: short rows (molecules: a batch of small graphs; mesh: a triangulated grid), neighbors anywhere
(uniform8, uniform16, uniform32, of so many edges a row) and graphs in the caches whose degrees differ (friends, genes,
crowd: 10,000 to 32,000 vertices of 18 to 90 edges). Weather models have three more, of points on a sphere: sphere (each
vertex and its seven nearest), grid_to_mesh and mesh_to_grid, whose sources are other vertices than their destinations:
NAME.num_sources.npy holds their number.

They are not the real data sets: vertex and edge counts are exact, degree distribution and locality are modelled.
"""
import argparse
import pathlib
import time
from typing import Callable, NamedTuple

import numpy as np

# Proposes edges: a count in, (destinations, sources) out. Self loops and repeats are allowed, they are dropped later.
Proposal = Callable[[int], tuple[np.ndarray, np.ndarray]]


def power_law(num_vertices: int, exponent: float, shift: float) -> np.ndarray:
    """Weights (i + shift)^-exponent: the larger the shift, the flatter the head."""
    return (np.arange(num_vertices, dtype=np.float64) + shift) ** (-exponent)


def shift_for_top_share(num_vertices: int, exponent: float, share: float) -> float:
    """The shift at which the heaviest power-law vertex holds `share` of all weight (bisection in the logarithm)."""
    low, high = 1e-3, float(num_vertices)
    for _ in range(80):
        middle = (low * high) ** 0.5
        weights = power_law(num_vertices, exponent, middle)
        if weights[0] / weights.sum() > share:
            low = middle
        else:
            high = middle
    return low


def sampling_table(weights: np.ndarray, bits: int) -> np.ndarray:
    """Vertex ids repeated in proportion to their weights, about 2^bits slots and at least one each.

    A uniform slot is then a weighted vertex: one array read instead of a binary search per draw.
    """
    borders = np.floor(np.cumsum(weights / weights.sum()) * (1 << bits)).astype(np.int64)
    slots = np.maximum(np.diff(np.concatenate([[0], borders])), 1)
    return np.repeat(np.arange(len(weights), dtype=np.int32), slots)


def draw(table: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    return table[rng.integers(0, len(table), count)]


def sorted_unique(keys: np.ndarray) -> np.ndarray:
    """Sorts in place and drops repeats; np.unique would hold a second copy of up to 60 million keys."""
    keys.sort()
    first = np.empty(len(keys), dtype=bool)
    first[0] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def drop_random(keys: np.ndarray, num_wanted: int, rng: np.random.Generator) -> np.ndarray:
    """Drops random keys until exactly `num_wanted` stay, in their order."""
    excess = len(keys) - num_wanted
    if excess < 0:
        raise RuntimeError(f"{-excess} edges short of {num_wanted}")
    if excess == 0:
        return keys
    dropped = np.unique(rng.integers(0, len(keys), size=int(excess * 1.3) + 64))
    while len(dropped) < excess:
        dropped = np.unique(np.concatenate([dropped, rng.integers(0, len(keys), size=excess)]))
    kept = np.ones(len(keys), dtype=bool)
    kept[rng.permutation(dropped)[:excess]] = False
    return keys[kept]


def directed_keys(destinations: np.ndarray, sources: np.ndarray, num_vertices: int) -> np.ndarray:
    """One integer an edge, destination * V + source: sorting keys is sorting edges by row, then by neighbor."""
    proper = destinations != sources
    destinations, sources = destinations[proper].astype(np.int64), sources[proper].astype(np.int64)
    return destinations * num_vertices + sources


def undirected_keys(a: np.ndarray, b: np.ndarray, num_vertices: int) -> np.ndarray:
    """One integer a pair, min * V + max."""
    return directed_keys(np.minimum(a, b), np.maximum(a, b), num_vertices)


def collect_keys(num_vertices: int, num_wanted: int, propose: Proposal, symmetric: bool, rng: np.random.Generator):
    """Distinct keys, exactly `num_wanted`: proposals are repeated until enough are distinct, the excess is dropped."""
    to_keys = undirected_keys if symmetric else directed_keys
    keys = np.empty(0, dtype=np.int64)
    count = int(num_wanted * 1.06) + 1000
    for _ in range(12):
        keys = sorted_unique(np.concatenate([keys, to_keys(*propose(count), num_vertices)]))
        if len(keys) >= num_wanted:
            return drop_random(keys, num_wanted, rng)
        count = int((num_wanted - len(keys)) * 1.5) + 1000
    raise RuntimeError(f"only {len(keys)} of {num_wanted} distinct edges after 12 rounds")


def to_csr(keys: np.ndarray, num_vertices: int, num_sources: int,
           symmetric: bool) -> tuple[np.ndarray, np.ndarray]:
    """(indptr, indices) of sorted keys; undirected pairs become two edges."""
    if symmetric:
        low = keys // num_vertices
        keys = np.concatenate([keys, (keys - low * num_vertices) * num_vertices + low])
        keys.sort()
    rows = keys // num_sources
    indices = (keys - rows * num_sources).astype(np.int32)
    indptr = np.zeros(num_vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=num_vertices), out=indptr[1:])
    return indptr.astype(np.int32), indices


def community_starts(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)


def cora_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Citations: both ends from one power law."""
    table = sampling_table(rng.permutation(power_law(num_vertices, 0.62, 1.0)), 20)
    return collect_keys(num_vertices, num_keys, lambda n: (draw(table, n, rng), draw(table, n, rng)), True, rng)


def arxiv_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Directed citations: in-degree a power law whose top vertex takes about 13 200 edges, out-degree mildly skewed."""
    exponent = 0.88
    shift = shift_for_top_share(num_vertices, exponent, 13_400.0 / num_keys)
    cited = sampling_table(rng.permutation(power_law(num_vertices, exponent, shift)), 26)
    citing = sampling_table(np.exp(rng.normal(0, 0.9, num_vertices)), 22)
    return collect_keys(num_vertices, num_keys, lambda n: (draw(cited, n, rng), draw(citing, n, rng)), False, rng)


def products_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Co-purchases: 60 % of the pairs inside communities of 64 to 8192 neighboring ids, 40 % global power law."""
    sizes, left = [], num_vertices
    while left > 0:
        size = int(min(left, max(64, min(8192, 64 * (1 - rng.random()) ** (-1 / 1.1)))))
        sizes.append(size)
        left -= size
    sizes = np.array(sizes, dtype=np.int64)
    start_of = np.repeat(community_starts(sizes), sizes)  # [V] first vertex of the vertex's community
    size_of = np.repeat(sizes, sizes)                     # [V] size of the vertex's community
    table = sampling_table(rng.permutation(power_law(num_vertices, 0.62, 40.0)), 25)

    def propose(count):
        destinations, sources = draw(table, count, rng), draw(table, count, rng)
        local = rng.random(count, dtype=np.float32) < 0.60
        rows = destinations[local]
        u = rng.random(len(rows), dtype=np.float32)
        # a squared uniform makes some members of a community its hubs
        member = np.minimum((u * u * size_of[rows]).astype(np.int64), size_of[rows] - 1)
        sources[local] = (start_of[rows] + member).astype(np.int32)
        return destinations, sources

    return collect_keys(num_vertices, num_keys, propose, True, rng)


def reddit_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Posts by common commenters: log-normal degrees around 492, no locality in the ids."""
    table = sampling_table(np.exp(rng.normal(0, 0.75, num_vertices)), 24)
    return collect_keys(num_vertices, num_keys, lambda n: (draw(table, n, rng), draw(table, n, rng)), True, rng)


def roads_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Directed roads: about two edges a vertex, most of them to ids nearby."""

    def propose(count):
        destinations = rng.integers(0, num_vertices, count)
        reach = rng.random(count)
        near, middle, far = (rng.integers(low, high, count) for low, high in ((1, 4), (1, 64), (64, 1200)))
        offsets = np.where(reach < 0.55, near, np.where(reach < 0.9, middle, far))
        sources = destinations + np.where(rng.random(count) < 0.5, offsets, -offsets)
        inside = (sources >= 0) & (sources < num_vertices)
        return destinations[inside], sources[inside]

    return collect_keys(num_vertices, num_keys, propose, False, rng)


def dense_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Dense blocks on the diagonal: 78 % of the pairs inside communities of 400 to 600 ids, about 70 % full."""
    sizes, left = [], num_vertices
    while left > 0:
        size = int(min(left, rng.integers(400, 601)))
        if left - size < 100:
            size = left
        sizes.append(size)
        left -= size
    sizes = np.array(sizes, dtype=np.int64)
    density = 0.78 * num_keys / (sizes * (sizes - 1) // 2).sum()
    blocks = []
    for start, size in zip(community_starts(sizes), sizes):
        low, high = np.triu_indices(int(size), 1)
        chosen = rng.random(len(low)) < density
        blocks.append((low[chosen] + start) * num_vertices + (high[chosen] + start))
    keys = np.concatenate(blocks)
    table = sampling_table(rng.permutation(power_law(num_vertices, 0.4, 10.0)), 22)
    while (missing := num_keys - len(keys)) > 0:
        count = int(missing * 1.1) + 1000
        pairs = undirected_keys(draw(table, count, rng), draw(table, count, rng), num_vertices)
        keys = sorted_unique(np.concatenate([keys, pairs]))
    return drop_random(keys, num_keys, rng)


def web_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Directed links: half of them to pages nearby (the same site), half to a power law of pages that all cite."""
    cited = sampling_table(rng.permutation(power_law(num_vertices, 0.95, 1.0)), 25)
    citing = sampling_table(np.exp(rng.normal(0, 1.2, num_vertices)), 25)

    def propose(count):
        sources = draw(citing, count, rng)
        destinations = draw(cited, count, rng)
        local = rng.random(count, dtype=np.float32) < 0.5
        near = sources[local] + rng.integers(-40, 41, int(local.sum()), dtype=np.int32)
        destinations[local] = np.clip(near, 0, num_vertices - 1)
        return destinations, sources

    return collect_keys(num_vertices, num_keys, propose, False, rng)


def proteins_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Associations of proteins: eight species of neighboring ids, links inside a species, log-normal degrees."""
    borders = np.sort(rng.choice(np.arange(1, 32), 7, replace=False)) * num_vertices // 32
    starts = np.concatenate([[0], borders])
    ends = np.concatenate([borders, [num_vertices]])
    weights = np.exp(rng.normal(0, 0.8, num_vertices))
    tables = [sampling_table(weights[start:end], 20) + np.int32(start) for start, end in zip(starts, ends)]
    shares = np.array([weights[start:end].sum() for start, end in zip(starts, ends)]) / weights.sum()

    def propose(count):
        counts = [int(count * share) + 1 for share in shares]
        return (np.concatenate([draw(t, n, rng) for t, n in zip(tables, counts)]),
                np.concatenate([draw(t, n, rng) for t, n in zip(tables, counts)]))

    return collect_keys(num_vertices, num_keys, propose, True, rng)


def rand100k_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Random edges, a fifth of the vertices with 2000 in-edges each and the others with 100; out-degrees the same on
    average. FeatGraph's rand-100K (Hu et al., SC 2020, section V)."""
    degrees = rng.permutation(np.where(np.arange(num_vertices) < num_vertices // 5, 2000, 100)).astype(np.int64)
    if degrees.sum() != num_keys:
        raise RuntimeError(f"degrees sum to {degrees.sum()}, not to {num_keys}")
    table = np.repeat(np.arange(num_vertices, dtype=np.int32), degrees)
    keys = np.empty(0, dtype=np.int64)
    missing = degrees
    while missing.max() > 0:  # rows that repeats left short get more
        rows = np.repeat(np.arange(num_vertices, dtype=np.int32), np.where(missing > 0, missing + missing // 20 + 8, 0))
        keys = sorted_unique(np.concatenate([keys, directed_keys(rows, draw(table, len(rows), rng), num_vertices)]))
        missing = degrees - np.bincount(keys // num_vertices, minlength=num_vertices)
    while (missing := degrees - np.bincount(keys // num_vertices, minlength=num_vertices)).min() < 0:
        counts = degrees - missing
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        excess = np.maximum(-missing, 0)
        positions = np.repeat(starts, excess) + (rng.random(excess.sum()) * np.repeat(counts, excess)).astype(np.int64)
        kept = np.ones(len(keys), dtype=bool)
        kept[positions] = False
        keys = keys[kept]
    return keys


def molecules_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """A batch of molecules of 12 to 34 atoms: chains with branches, closed to rings of five and six."""
    sizes = rng.integers(12, 35, num_vertices // 12)
    starts = community_starts(sizes)
    starts = starts[starts < num_vertices - 12]
    first = np.repeat(starts, np.diff(np.append(starts, num_vertices)))  # of each atom's molecule
    atoms = np.arange(num_vertices, dtype=np.int64)
    bonded = np.maximum(atoms - rng.choice([1, 1, 1, 2, 3], num_vertices), first)
    chains = undirected_keys(bonded, atoms, num_vertices)

    def propose(count):
        ends = rng.integers(0, num_vertices, count)
        others = ends - rng.integers(4, 6, count)
        inside = others >= first[ends]
        return others[inside], ends[inside]

    rings = collect_keys(num_vertices, num_keys - len(chains), propose, True, rng)  # no chain bond spans four atoms
    return sorted_unique(np.concatenate([chains, rings]))


def mesh_keys(num_vertices: int, num_keys: int, _: np.random.Generator) -> np.ndarray:
    """A grid of 400 columns whose cells are cut in triangles, row by row."""
    columns = 400
    ids = np.arange(num_vertices, dtype=np.int64).reshape(-1, columns)
    sides = [(ids[:, :-1], ids[:, 1:]), (ids[:-1], ids[1:]), (ids[:-1, :-1], ids[1:, 1:])]
    keys = np.sort(np.concatenate([undirected_keys(a.ravel(), b.ravel(), num_vertices) for a, b in sides]))
    if len(keys) != num_keys:
        raise RuntimeError(f"the mesh has {len(keys)} sides, not {num_keys}")
    return keys


def uniform_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Both ends anywhere."""
    propose = lambda count: (rng.integers(0, num_vertices, count), rng.integers(0, num_vertices, count))
    return collect_keys(num_vertices, num_keys, propose, False, rng)


def friends_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """A social network: both ends from one power law whose top vertex takes a hundredth of all ends."""
    exponent = 0.78
    shift = shift_for_top_share(num_vertices, exponent, 0.01)
    table = sampling_table(rng.permutation(power_law(num_vertices, exponent, shift)), 22)
    return collect_keys(num_vertices, num_keys, lambda n: (draw(table, n, rng), draw(table, n, rng)), True, rng)


def genes_keys(num_vertices: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Interactions: log-normal degrees far from their mean."""
    table = sampling_table(np.exp(rng.normal(0, 1.3, num_vertices)), 22)
    return collect_keys(num_vertices, num_keys, lambda n: (draw(table, n, rng), draw(table, n, rng)), True, rng)


# ---- points on a sphere, in whole numbers: distances are then the same on every machine
NUM_MESH, NUM_RINGS, NUM_GRID = 40_962, 640, 542_080


def whole_points(z: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Points [N, 3] of a sphere whose radius is 2^20, from heights in [-1, 1] and angles."""
    radius = np.sqrt(1 - z * z)
    return np.rint(np.stack([radius * np.cos(angle), radius * np.sin(angle), z], 1) * (1 << 20))


def mesh_points() -> np.ndarray:
    """A Fibonacci sphere: as even as an icosphere of that many vertices, from the top down."""
    i = np.arange(NUM_MESH)
    return whole_points(1 - (2 * i + 1) / NUM_MESH, i * (np.pi * (3 - 5**0.5)))


def grid_rings() -> list[np.ndarray]:
    """Rings of equal latitude, from the top down, their points as far apart as the rings are."""
    latitudes = (np.arange(NUM_RINGS) + 0.5) / NUM_RINGS * np.pi
    borders = np.rint(np.cumsum(np.sin(latitudes)) / np.sin(latitudes).sum() * NUM_GRID).astype(np.int64)
    counts = np.diff(np.concatenate([[0], borders]))
    return [whole_points(np.full(n, np.cos(a)), np.arange(n) * (2 * np.pi / n)) for n, a in zip(counts, latitudes)]


def near_mesh_vertices(points: np.ndarray, mesh: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """(first, squared distances [len(points), N]) of the mesh vertices first, ..., first + N - 1: all whose height
    differs from that of a point by at most `reach`, which is in units of the sphere's radius."""
    margin = reach * (1 << 20)
    first = int(np.searchsorted(-mesh[:, 2], -(points[:, 2].max() + margin)))
    last = int(np.searchsorted(-mesh[:, 2], -(points[:, 2].min() - margin)))
    near = mesh[first:last]
    # Whole numbers below 2^53: exact, in whatever order they are added.
    squares = (points**2).sum(1)[:, None] + (near**2).sum(1)[None, :] - 2 * (points @ near.T)
    return first, squares


def nearest_mesh_vertices(points: np.ndarray, mesh: np.ndarray, count: int) -> np.ndarray:
    """[len(points), count], nearest first; of equally near ones the first."""
    first, squares = near_mesh_vertices(points, mesh, 0.06)
    keys = squares * 4096 + np.arange(squares.shape[1])[None, :] % 4096
    keys = keys.astype(np.int64)
    nearest = np.argpartition(keys, count - 1, 1)[:, :count]
    order = np.take_along_axis(keys, nearest, 1).argsort(1)
    return first + np.take_along_axis(nearest, order, 1)


def sphere_keys(num_vertices: int, num_keys: int, _: np.random.Generator) -> np.ndarray:
    """Each vertex of the mesh hears its seven nearest ones."""
    mesh = mesh_points()
    nearest = np.concatenate([nearest_mesh_vertices(mesh[k : k + 256], mesh, 8) for k in range(0, num_vertices, 256)])
    keys = directed_keys(np.repeat(np.arange(num_vertices), 8), nearest.ravel(), num_vertices)
    if len(keys) != num_keys:
        raise RuntimeError(f"the sphere has {len(keys)} edges, not {num_keys}")
    return np.sort(keys)


def mesh_to_grid_keys(_: int, num_keys: int, __: np.random.Generator) -> np.ndarray:
    """Each point of the grid hears the three nearest vertices of the mesh."""
    mesh = mesh_points()
    nearest = np.concatenate([nearest_mesh_vertices(ring, mesh, 3) for ring in grid_rings()]).ravel()
    return np.sort(np.repeat(np.arange(num_keys // 3), 3) * NUM_MESH + nearest)


def grid_to_mesh_keys(_: int, num_keys: int, rng: np.random.Generator) -> np.ndarray:
    """Each vertex of the mesh hears the grid within a radius of its own, and each point of the grid is heard by the
    vertex nearest to it; a few of these edges are dropped."""
    mesh = mesh_points()
    # of a spacing of the mesh; the larger one leaves edges to drop
    reach = np.sqrt(4 * np.pi / NUM_MESH) * rng.uniform(0.62, 0.95, NUM_MESH)
    keys, at = [], 0
    for ring in grid_rings():
        first, squares = near_mesh_vertices(ring, mesh, 0.03)
        points, vertices = np.nonzero(squares <= (reach[first : first + squares.shape[1]] * (1 << 20)) ** 2)
        vertices = np.concatenate([vertices, squares.argmin(1)])
        points = np.concatenate([points, np.arange(len(ring))])
        keys.append((vertices + first) * NUM_GRID + points + at)
        at += len(ring)
    return drop_random(sorted_unique(np.concatenate(keys)), num_keys, rng)


class Recipe(NamedTuple):
    num_vertices: int
    num_edges: int
    symmetric: bool
    seed: int
    make_keys: Callable[[int, int, np.random.Generator], np.ndarray]
    num_sources: int = 0  # 0: the vertices themselves


RECIPES = {
    "cora": Recipe(2_708, 10_556, True, 101, cora_keys),
    "arxiv": Recipe(169_343, 1_166_243, False, 102, arxiv_keys),
    "products": Recipe(600_000, 30_000_000, True, 103, products_keys),
    "reddit": Recipe(232_965, 114_615_892, True, 104, reddit_keys),
    "roads": Recipe(142_257, 279_061, False, 105, roads_keys),
    "dense": Recipe(46_563, 21_461_990, True, 106, dense_keys),
    "web": Recipe(2_900_000, 12_900_000, False, 107, web_keys),
    "products_full": Recipe(2_449_029, 123_718_280, True, 108, products_keys),
    "proteins": Recipe(132_534, 79_122_504, True, 109, proteins_keys),
    "rand100k": Recipe(100_000, 48_000_000, False, 110, rand100k_keys),
    "molecules": Recipe(250_000, 540_000, True, 111, molecules_keys),
    "mesh": Recipe(200_000, 1_196_402, True, 112, mesh_keys),
    "uniform8": Recipe(200_000, 1_600_000, False, 113, uniform_keys),
    "uniform16": Recipe(200_000, 3_200_000, False, 114, uniform_keys),
    "uniform32": Recipe(200_000, 6_400_000, False, 115, uniform_keys),
    "friends": Recipe(32_000, 576_000, True, 116, friends_keys),
    "genes": Recipe(16_000, 480_000, True, 117, genes_keys),
    "crowd": Recipe(10_000, 900_000, True, 118, friends_keys),
    "sphere": Recipe(NUM_MESH, 7 * NUM_MESH, False, 119, sphere_keys),
    "grid_to_mesh": Recipe(NUM_MESH, 771_668, False, 120, grid_to_mesh_keys, NUM_GRID),
    "mesh_to_grid": Recipe(NUM_GRID, 3 * NUM_GRID, False, 121, mesh_to_grid_keys, NUM_MESH),
}
DEFAULT = ["cora", "arxiv", "products", "reddit", "roads", "dense"]


def make(name: str) -> tuple[np.ndarray, np.ndarray]:
    """(indptr [V+1], indices [E]), both int32, of the graph of that name."""
    recipe = RECIPES[name]
    rng = np.random.Generator(np.random.PCG64(recipe.seed))
    num_keys = recipe.num_edges // 2 if recipe.symmetric else recipe.num_edges
    keys = recipe.make_keys(recipe.num_vertices, num_keys, rng)
    return to_csr(keys, recipe.num_vertices, recipe.num_sources or recipe.num_vertices, recipe.symmetric)


def describe(name: str, indptr: np.ndarray, indices: np.ndarray) -> str:
    in_degrees, out_degrees = np.diff(indptr), np.bincount(indices, minlength=len(indptr) - 1)
    deviations = in_degrees - in_degrees.mean()
    skewness = np.mean(deviations**3) / max(np.mean(deviations**2), 1e-200) ** 1.5
    return (f"{name:9s} {len(in_degrees)} vertices, {len(indices)} edges, in-degree mean {in_degrees.mean():.1f} "
            f"median {np.median(in_degrees):.0f} max {in_degrees.max()} skewness {skewness:.1f}, empty rows {np.mean(in_degrees == 0):.1%}, "
            f"out-degree max {out_degrees.max()}")


def save(path: pathlib.Path, array: np.ndarray) -> None:
    """Writes beside the target and renames, so that an interrupted run leaves no half file under the final name."""
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.save(file, array)
    partial.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder to write to, made if missing")
    parser.add_argument("--names", nargs="+", choices=RECIPES, default=DEFAULT, metavar="NAME",
                        help="which graphs (default: the first six): " + " ".join(RECIPES))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names:
        begin = time.perf_counter()
        indptr, indices = make(name)
        save(arguments.out / f"{name}.indptr.npy", indptr)
        save(arguments.out / f"{name}.indices.npy", indices)
        if RECIPES[name].num_sources:
            save(arguments.out / f"{name}.num_sources.npy", np.array([RECIPES[name].num_sources], dtype=np.int32))
        print(f"{describe(name, indptr, indices)} ({time.perf_counter() - begin:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
