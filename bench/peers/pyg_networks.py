"""The models of examples/models made of torch_geometric's layers, in their eager form.

What a user who cares for time prepares once is prepared once: self loops, the entries of GCN's adjacency, degrees. Where a
layer multiplies its features after it has summed them, a second arrangement multiplies first, by layers of
torch_geometric as well; where a layer can read the adjacency as a sparse matrix, a third does. `NETWORKS` names them all.
Vertices without features have a learned row each, in the place of the product of features with the first matrix.
"""
import torch
import torch.nn.functional as F
import torch_geometric.nn as pyg
from torch_geometric.utils.sparse import set_sparse_value

import pyg_data
from pyg_data import Task


class Rows(torch.nn.Embedding):
    """A learned row of each vertex: what a linear layer makes of an identity matrix."""

    def __init__(self, num_vertices: int, channels: int):
        super().__init__(num_vertices, channels)
        torch.nn.init.xavier_uniform_(self.weight)

    def forward(self, _) -> torch.Tensor:
        return self.weight


def drop(x: torch.Tensor, probability: float, training: bool) -> torch.Tensor:
    """Dropout, of a sparse matrix on its values, since F.dropout takes none."""
    if x.layout != torch.sparse_csr:
        return F.dropout(x, probability, training)
    return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), F.dropout(x.values(), probability, training), x.shape)


class Network(torch.nn.Module):
    """logits [V, classes] = network(x). `x` is [V, F], or [V, 1] whose values nobody reads where vertices have no features."""

    def __init__(self, task: Task, options: dict):
        super().__init__()
        self.options, self.is_learned, self.num_vertices = options, task.features is None, task.num_vertices
        self.num_features = 1 if self.is_learned else task.features.shape[1]
        self.num_classes = task.num_classes

    def keep(self, **tensors: torch.Tensor) -> None:
        """Of the graph; they move with the module."""
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor, persistent=False)

    def linear(self, channels: int, bias: bool = True) -> torch.nn.Module:
        """For the features."""
        return Rows(self.num_vertices, channels) if self.is_learned else pyg.Linear(self.num_features, channels, bias, "glorot")

    def first(self, layer: torch.nn.Module, *names: str) -> torch.nn.Module:
        """A layer that reads the features: where they are learned, rows stand in the place of its linear layers `names`."""
        if self.is_learned:
            for name in names:
                setattr(layer, name, Rows(self.num_vertices, getattr(layer, name).out_channels))
        return layer

    def drop_features(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.is_learned else drop(x, self.options["dropout"], self.training)

    def drop(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, self.options["dropout"], self.training)

    def decayed(self) -> list[torch.nn.Parameter]:
        """The parameters that weight decay is for."""
        return list(self.parameters())


class Propagating(Network):
    """Models that multiply by an adjacency, as a list of edges or as a matrix."""

    def keep_graph(self, task: Task, edge_index: torch.Tensor, weight: torch.Tensor | None, as_matrix: bool) -> None:
        if as_matrix:
            self.keep(edges=pyg_data.as_matrix(task, edge_index, weight), weight=None)
        else:
            self.keep(edges=edge_index, weight=weight)


class GCN(Propagating):
    def __init__(self, task: Task, options: dict, as_matrix: bool = False):
        super().__init__(task, options)
        self.keep_graph(task, *pyg_data.normalized(task), as_matrix)
        self.layer0 = self.first(pyg.GCNConv(self.num_features, options["hidden"], normalize=False), "lin")
        self.layer1 = pyg.GCNConv(options["hidden"], self.num_classes, normalize=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(self.drop_features(x), self.edges, self.weight))
        return self.layer1(self.drop(hidden), self.edges, self.weight)

    def decayed(self) -> list[torch.nn.Parameter]:
        return list(self.layer0.parameters())


class SAGE(Network):
    """The paper's aggregator "GCN" by SAGEConv: the mean of the neighbors and the vertex itself."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=pyg_data.with_loops(task))
        self.layer0 = pyg.SAGEConv(self.num_features, options["hidden"], aggr="mean", root_weight=False)
        self.layer1 = pyg.SAGEConv(options["hidden"], self.num_classes, aggr="mean", root_weight=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(self.drop_features(x), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


class ProductFirstSAGE(Propagating):
    """The same by GCNConv, which multiplies before it aggregates, here by the mean."""

    def __init__(self, task: Task, options: dict, as_matrix: bool = False):
        super().__init__(task, options)
        self.keep_graph(task, pyg_data.with_loops(task), None, as_matrix)
        self.layer0 = self.first(pyg.GCNConv(self.num_features, options["hidden"], normalize=False, aggr="mean"), "lin")
        self.layer1 = pyg.GCNConv(options["hidden"], self.num_classes, normalize=False, aggr="mean")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(self.drop_features(x), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


class MaxSAGE(Network):
    """The paper's pooling aggregator: SAGEConv of a pair, the rows to pool and those of the vertices themselves."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=task.edge_index)
        hidden = options["hidden"]
        self.pool0, self.pool1 = self.linear(hidden), pyg.Linear(hidden, hidden)
        self.layer0 = self.first(pyg.SAGEConv((hidden, self.num_features), hidden, aggr="max"), "lin_r")
        self.layer1 = pyg.SAGEConv((hidden, hidden), self.num_classes, aggr="max")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.drop_features(x)
        hidden = self.drop(F.relu(self.layer0((F.relu(self.pool0(x)), x), self.edges)))
        return self.layer1((F.relu(self.pool1(hidden)), hidden), self.edges)


class SGC(Network):
    def __init__(self, task: Task, options: dict, cached: bool = False):
        super().__init__(task, options)
        self.keep(edges=task.edge_index)
        self.layer = pyg.SGConv(self.num_features, self.num_classes, K=2, cached=cached)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x, self.edges)


class ProductFirstSGC(Propagating):
    """The same, but the product comes first, since its rows are narrower, and the adjacency is normalised once."""

    def __init__(self, task: Task, options: dict, as_matrix: bool = False):
        super().__init__(task, options)
        self.keep_graph(task, *pyg_data.normalized(task), as_matrix)
        self.layer = self.linear(self.num_classes, bias=False)
        self.hop = pyg.SimpleConv(aggr="sum")
        self.bias = torch.nn.Parameter(torch.zeros(self.num_classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = self.hop(self.layer(x), self.edges, self.weight)
        return self.hop(rows, self.edges, self.weight) + self.bias


class APPNP(Propagating):
    """Ten hops, of which each drops entries of the adjacency anew. The layer APPNP drops them from what the hop before left, so
    that few remain after some hops; its hops are taken one by one instead, which costs the same."""
    HOPS = 10

    def __init__(self, task: Task, options: dict, as_matrix: bool = False):
        super().__init__(task, options)
        self.keep_graph(task, *pyg_data.normalized(task), as_matrix)
        self.layer0 = self.linear(options["hidden"])
        self.layer1 = pyg.Linear(options["hidden"], self.num_classes)
        self.hop = pyg.SimpleConv(aggr="sum")

    def dropped_graph(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Edges and weights of a hop."""
        probability = self.options["attention_dropout"] if self.training else 0.0
        if probability == 0:
            return self.edges, self.weight
        if self.weight is None:
            return set_sparse_value(self.edges, F.dropout(self.edges.values(), probability)), None
        return self.edges, F.dropout(self.weight, probability)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.drop(F.relu(self.layer0(self.drop_features(x))))
        prediction = self.layer1(hidden)
        rows, teleport = prediction, self.options["teleport"]
        for _ in range(self.HOPS):
            rows = (1 - teleport) * self.hop(rows, *self.dropped_graph()) + teleport * prediction
        return rows

    def decayed(self) -> list[torch.nn.Parameter]:
        return list(self.layer0.parameters())


class Attention(Network):
    """Two layers of heads, an ELU between them; the heads of the second are averaged."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        wide = options["heads"] * options["hidden"]
        attention = {"dropout": options["attention_dropout"]}
        self.make_layers(task, {"heads": options["heads"], **attention},
                         {"heads": options["output_heads"], "concat": False, **attention}, wide)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.elu(self.layer0(self.drop_features(x), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


class GAT(Attention):
    def make_layers(self, task: Task, heads0: dict, heads1: dict, wide: int) -> None:
        self.keep(edges=pyg_data.with_loops(task))
        self.layer0 = self.first(pyg.GATConv(self.num_features, self.options["hidden"], add_self_loops=False, **heads0), "lin")
        self.layer1 = pyg.GATConv(wide, self.num_classes, add_self_loops=False, **heads1)


class GATv2(Attention):
    def make_layers(self, task: Task, heads0: dict, heads1: dict, wide: int) -> None:
        self.keep(edges=pyg_data.with_loops(task))
        self.layer0 = self.first(pyg.GATv2Conv(self.num_features, self.options["hidden"], add_self_loops=False, **heads0), "lin_l", "lin_r")
        self.layer1 = pyg.GATv2Conv(wide, self.num_classes, add_self_loops=False, **heads1)


class GraphTransformer(Attention):
    def make_layers(self, task: Task, heads0: dict, heads1: dict, wide: int) -> None:
        self.keep(edges=task.edge_index)
        self.layer0 = self.first(pyg.TransformerConv(self.num_features, self.options["hidden"], **heads0),
                                 "lin_query", "lin_key", "lin_value", "lin_skip")
        self.layer1 = pyg.TransformerConv(wide, self.num_classes, **heads1)


class AGNN(Network):
    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=pyg_data.with_loops(task))
        self.layer0 = self.linear(options["hidden"])
        self.hop0 = pyg.AGNNConv(requires_grad=False, add_self_loops=False)
        self.hop1 = pyg.AGNNConv(requires_grad=True, add_self_loops=False)
        self.layer1 = pyg.Linear(options["hidden"], self.num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = F.relu(self.layer0(self.drop_features(x)))
        rows = self.hop1(self.hop0(rows, self.edges), self.edges)
        return self.layer1(self.drop(rows))


class MoNet(Network):
    """Gaussian weights of the projected pseudo-coordinates of an edge; the mean over neighbors and the vertex itself. No
    function stands between the layers."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        edges = pyg_data.with_loops(task)
        self.keep(edges=edges, coordinates=pyg_data.degree_coordinates(task, edges))
        shape = {"dim": 2, "kernel_size": options["heads"], "aggr": "mean", "root_weight": False}
        self.project0, self.project1 = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        self.layer0 = GMMRows(self.num_vertices, options["hidden"], **shape) if self.is_learned else \
            pyg.GMMConv(self.num_features, options["hidden"], **shape)
        self.layer1 = pyg.GMMConv(options["hidden"], self.num_classes, **shape)
        self.layer0.root = self.layer1.root = None  # forward asks for it, and the constructor does not make it

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.layer0(self.drop_features(x), self.edges, torch.tanh(self.project0(self.coordinates)))
        return self.layer1(self.drop(hidden), self.edges, torch.tanh(self.project1(self.coordinates)))


class GMMRows(pyg.GMMConv):
    """GMMConv whose product with the features is a learned row of each vertex."""

    def forward(self, _, edge_index: torch.Tensor, edge_attr: torch.Tensor) -> torch.Tensor:
        return self.propagate(edge_index, x=(self.g, self.g), edge_attr=edge_attr, size=None) + self.bias


class GIN(Network):
    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=task.edge_index)
        hidden = options["hidden"]
        self.layer0 = pyg.GINConv(self.mlp(self.num_features, hidden, hidden), train_eps=True)
        self.layer1 = pyg.GINConv(self.mlp(hidden, hidden, self.num_classes), train_eps=True)

    @staticmethod
    def mlp(inputs: int, hidden: int, outputs: int) -> torch.nn.Module:
        return torch.nn.Sequential(torch.nn.Linear(inputs, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(self.drop_features(x), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


class Bias(torch.nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.bias


class ProductFirstGIN(Propagating):
    """The same, but the first product of the first layer, which commutes with sums, comes before them."""

    def __init__(self, task: Task, options: dict, as_matrix: bool = False):
        super().__init__(task, options)
        self.keep_graph(task, task.edge_index, None, as_matrix)
        hidden = options["hidden"]
        self.product = self.linear(hidden, bias=False)
        self.layer0 = pyg.GINConv(torch.nn.Sequential(Bias(hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, hidden)), train_eps=True)
        self.layer1 = pyg.GINConv(GIN.mlp(hidden, hidden, self.num_classes), train_eps=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(self.product(self.drop_features(x)), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


AGGREGATORS, SCALERS = ["mean", "max", "min", "std"], ["identity", "amplification", "attenuation"]


class PNA(Network):
    """Messages are products of the source alone. They are aggregated by DegreeScalerAggregation, the part of PNAConv that is PNA."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=task.edge_index)
        hidden, wide = options["hidden"], len(AGGREGATORS) * len(SCALERS) * options["hidden"]
        degrees = pyg_data.degree_histogram(task)
        self.aggregates = torch.nn.ModuleList(pyg.SimpleConv(aggr=pyg.DegreeScalerAggregation(AGGREGATORS, SCALERS, degrees)) for _ in range(2))
        self.messages = torch.nn.ModuleList([self.linear(hidden, bias=False), pyg.Linear(hidden, hidden, bias=False)])
        self.own = torch.nn.ModuleList([self.linear(hidden, bias=False), pyg.Linear(hidden, self.num_classes, bias=False)])
        self.update = torch.nn.ModuleList([pyg.Linear(wide, hidden), pyg.Linear(wide, self.num_classes)])

    def layer(self, i: int, x: torch.Tensor) -> torch.Tensor:
        return self.own[i](x) + self.update[i](self.aggregates[i](self.messages[i](x), self.edges))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(1, self.drop(F.relu(self.layer(0, self.drop_features(x)))))


class WholePNA(Network):
    """PNAConv as it comes, whose messages are products of both ends, formed for each edge, after a linear layer: a larger model."""

    def __init__(self, task: Task, options: dict):
        super().__init__(task, options)
        self.keep(edges=task.edge_index)
        hidden = options["hidden"]
        shape = {"aggregators": AGGREGATORS, "scalers": SCALERS, "deg": pyg_data.degree_histogram(task)}
        self.embed = self.linear(hidden)
        self.layer0 = pyg.PNAConv(hidden, hidden, **shape)
        self.layer1 = pyg.PNAConv(hidden, self.num_classes, **shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.layer0(F.relu(self.embed(self.drop_features(x))), self.edges))
        return self.layer1(self.drop(hidden), self.edges)


class RGCN(Network):
    """Self loops are a type of edges of their own, a combination of the same bases as the others; without bases a type has
    a matrix. The first layer has no features: its matrices are rows of the vertices."""

    def __init__(self, task: Task, options: dict, layer=pyg.RGCNConv):
        super().__init__(task, options)
        edges = pyg_data.with_loops(task)
        loops = torch.full((task.num_vertices,), task.num_relations)
        self.keep(edges=edges, types=torch.cat([task.edge_type, loops]))
        shape = {"num_relations": task.num_relations + 1, "num_bases": options["bases"] or None, "root_weight": False}
        self.layer0 = layer(self.num_vertices, options["hidden"], **shape)
        self.layer1 = layer(options["hidden"], self.num_classes, **shape)

    def forward(self, _) -> torch.Tensor:
        hidden = F.relu(self.layer0(None, self.edges, self.types))
        return self.layer1(self.drop(hidden), self.edges, self.types)

    def decayed(self) -> list[torch.nn.Parameter]:
        return list(self.layer0.parameters())


def with_matrix(network):
    return lambda task, options: network(task, options, as_matrix=True)


PRODUCT_FIRST, MATRIX = "product first", "product first, sparse adjacency"
NETWORKS = {
    "gcn": {"GCNConv": GCN, "GCNConv, sparse adjacency": with_matrix(GCN)},
    "sage": {"SAGEConv": SAGE, PRODUCT_FIRST: ProductFirstSAGE, MATRIX: with_matrix(ProductFirstSAGE)},
    "sage_max": {"SAGEConv": MaxSAGE},
    "sgc": {"SGConv": SGC, "SGConv, cached": lambda task, options: SGC(task, options, cached=True), PRODUCT_FIRST: ProductFirstSGC,
            MATRIX: with_matrix(ProductFirstSGC)},
    "agnn": {"AGNNConv": AGNN},
    "gat": {"GATConv": GAT},
    "gatv2": {"GATv2Conv": GATv2},
    "gt": {"TransformerConv": GraphTransformer},
    "appnp": {"hops": APPNP, "hops, sparse adjacency": with_matrix(APPNP)},
    "monet": {"GMMConv": MoNet},
    "gin": {"GINConv": GIN, PRODUCT_FIRST: ProductFirstGIN, MATRIX: with_matrix(ProductFirstGIN)},
    "pna": {"DegreeScalerAggregation": PNA, "PNAConv, a larger model": WholePNA},
    "rgcn": {"RGCNConv": RGCN, "FastRGCNConv": lambda task, options: RGCN(task, options, pyg.FastRGCNConv)},
}
AGGREGATES_FEATURES = {("sage", "SAGEConv"), ("sgc", "SGConv"), ("sgc", "SGConv, cached"), ("gin", "GINConv")}


def is_possible(model: str, variant: str, features: str, task: Task) -> bool:
    """Types of edges are for R-GCN alone, and layers that aggregate features need dense ones."""
    if (model == "rgcn") != (task.edge_type is not None):
        return False
    return features == "dense" or (model, variant) not in AGGREGATES_FEATURES
