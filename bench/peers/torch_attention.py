"""Attention layers of torch_geometric without their dense layers, as the benchmark's programs compute them, and float64
references of the same on part of a graph."""
import math

import torch

SLOPE = 0.2


def operands_of(op: str, num_vertices: int, heads: int, channels: int) -> dict[str, tuple[int, ...]]:
    """Name to shape, in the order of the seeds: destination, key, value, parameter."""
    wide = (num_vertices, heads, channels)
    if op == "transformer":
        return {"destination": wide, "key": wide, "value": wide}
    if op == "gat":
        return {"destination": (num_vertices, heads), "key": (num_vertices, heads), "value": wide}
    return {"destination": wide, "key": wide, "parameter": (1, heads, channels)}


SEEDS = {"destination": 1, "key": 2, "value": 3, "parameter": 4, "out_grad": 5}


def scores(op: str, of: dict[str, torch.Tensor], destinations: torch.Tensor, sources: torch.Tensor) -> torch.Tensor:
    """[E, heads]"""
    left, right = of["destination"][destinations], of["key"][sources]
    if op == "transformer":
        return (left * right).sum(-1) / math.sqrt(left.shape[-1])
    if op == "gat":
        return torch.nn.functional.leaky_relu(left + right, SLOPE)
    return (torch.nn.functional.leaky_relu(left + right, SLOPE) * of["parameter"]).sum(-1)


def reference(op: str, of: dict[str, torch.Tensor], destinations: torch.Tensor, sources: torch.Tensor,
              num_rows: int) -> torch.Tensor:
    """out [num_rows, heads, channels] of the given edges, in the type of the operands."""
    score = scores(op, of, destinations, sources)
    index = destinations[:, None].expand_as(score)
    largest = torch.full((num_rows, score.shape[1]), -math.inf, dtype=score.dtype, device=score.device)
    largest = largest.scatter_reduce(0, index, score.detach(), "amax")
    weight = (score - largest[destinations]).exp()
    total = torch.zeros_like(largest).index_add(0, destinations, weight)
    value = of["value" if "value" in of else "key"][sources]
    message = (weight / total[destinations])[..., None] * value
    return torch.zeros((num_rows, *value.shape[1:]), dtype=value.dtype, device=value.device).index_add(0, destinations, message)


def pyg_layer(op: str, heads: int, channels: int, device: str, dtype: torch.dtype):
    """f(operands, edge_index, num_vertices) = out, by torch_geometric's own message passing."""
    import torch_geometric.nn as nn

    if op == "transformer":
        conv = nn.TransformerConv(1, channels, heads=heads, root_weight=False).to(device, dtype)

        def run(of, edge_index, num_vertices):
            return conv.propagate(edge_index, query=of["destination"], key=of["key"], value=of["value"], edge_attr=None,
                                  size=(num_vertices, num_vertices))
    elif op == "gat":
        conv = nn.GATConv(1, channels, heads=heads, add_self_loops=False, negative_slope=SLOPE).to(device, dtype)

        def run(of, edge_index, num_vertices):
            size = (num_vertices, num_vertices)
            alpha = conv.edge_updater(edge_index, alpha=(of["key"], of["destination"]), edge_attr=None, size=size)
            return conv.propagate(edge_index, x=(of["value"], of["value"]), alpha=alpha, size=size)
    else:
        conv = nn.GATv2Conv(1, channels, heads=heads, add_self_loops=False, negative_slope=SLOPE).to(device, dtype)

        def run(of, edge_index, num_vertices):
            size = (num_vertices, num_vertices)
            del conv.att  # the layer's own parameter, in whose place an operand stands
            conv.att = of["parameter"]
            alpha = conv.edge_updater(edge_index, x=(of["key"], of["destination"]), edge_attr=None, size=size)
            return conv.propagate(edge_index, x=(of["key"], of["destination"]), alpha=alpha, size=size)

    conv.eval()
    return run
