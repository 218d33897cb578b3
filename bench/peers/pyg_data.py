"""A folder of .npy files as tensors, and the forms of a graph that the layers of torch_geometric read. All of it is made on
the host, so that what a device holds is what training needs."""
import functools
import json
import pathlib
from dataclasses import dataclass

import numpy as np
import torch
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import add_self_loops, to_torch_csr_tensor


@dataclass(eq=False)  # one task is itself alone, so that what is made of it can be kept
class Task:
    """Vertices with labels to learn. `features` is dense [V, F] or None, `edge_type` [E] or None; the rows are indices."""
    name: str
    num_vertices: int
    num_classes: int
    edge_index: torch.Tensor  # [2, E], sources and destinations
    edge_type: torch.Tensor | None
    features: torch.Tensor | None
    labels: torch.Tensor
    train_rows: torch.Tensor
    test_rows: torch.Tensor

    @property
    def num_relations(self) -> int:
        return 0 if self.edge_type is None else int(self.edge_type.max()) + 1


def read_task(folder: pathlib.Path) -> Task:
    """Features are divided by the sum of their row, as the trainer does."""
    def array(name: str) -> np.ndarray | None:
        path = folder / f"{name}.npy"
        return np.load(path) if path.exists() else None

    def indices(name: str) -> torch.Tensor | None:
        values = array(name)
        return None if values is None else torch.from_numpy(values.astype(np.int64))

    meta = json.loads((folder / "meta.json").read_text()) if (folder / "meta.json").exists() else {}
    edge_index, labels = indices("edge_index"), indices("labels")
    if edge_index is None or labels is None:
        raise FileNotFoundError(f"{folder}: has no edge_index.npy or no labels.npy")
    features = read_features(array)
    num_vertices = meta.get("num_nodes") or max(len(labels), int(edge_index.max()) + 1)
    return Task(name=folder.name, num_vertices=num_vertices, num_classes=int(labels.max()) + 1, edge_index=edge_index,
                edge_type=indices("edge_type"), features=features, labels=labels, train_rows=indices("train_idx"),
                test_rows=indices("test_idx"))


def read_features(array) -> torch.Tensor | None:
    """Dense features of rows that sum to 1; a row of zeros stays."""
    dense, indptr = array("features"), array("features_indptr")
    if dense is None and indptr is None:
        return None
    if dense is None:
        columns, values = array("features_indices"), array("features_values")
        dense = np.zeros((len(indptr) - 1, int(columns.max()) + 1), dtype=np.float32)
        dense[np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), columns] = values
    sums = dense.sum(axis=1, keepdims=True)
    return torch.from_numpy((dense / np.where(sums == 0, 1, sums)).astype(np.float32))


@functools.lru_cache(1)
def with_loops(task: Task) -> torch.Tensor:
    """[2, E + V]: every vertex has an edge to itself."""
    return add_self_loops(task.edge_index, num_nodes=task.num_vertices)[0]


@functools.lru_cache(1)
def normalized(task: Task) -> tuple[torch.Tensor, torch.Tensor]:
    """Edges with loops, and the entries of GCN's adjacency."""
    return gcn_norm(task.edge_index, None, task.num_vertices)


@functools.lru_cache(1)
def as_matrix(task: Task, edge_index: torch.Tensor, weight: torch.Tensor | None = None) -> torch.Tensor:
    """The transposed adjacency in CSR, by which layers of torch_geometric multiply; entries are 1 without weights."""
    return to_torch_csr_tensor(edge_index.flip(0), weight, size=(task.num_vertices, task.num_vertices))


def degree_coordinates(task: Task, edge_index: torch.Tensor) -> torch.Tensor:
    """MoNet's pseudo-coordinates [E, 2] of citation graphs: 1 / sqrt(degree) of both ends, edges without an end 0."""
    degree = torch.bincount(edge_index[1], minlength=task.num_vertices).float()
    scale = torch.where(degree > 0, degree, torch.inf).rsqrt()
    return torch.stack([scale[edge_index[0]], scale[edge_index[1]]], dim=1)


def degree_histogram(task: Task) -> torch.Tensor:
    """How many vertices have 0, 1, ... edges into them: PNAConv scales by its mean."""
    return torch.bincount(torch.bincount(task.edge_index[1], minlength=task.num_vertices))
