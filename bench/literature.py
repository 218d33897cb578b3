"""Test accuracies that others report, in percent, and the settings by which they came about as far as they are known to us.

Settings have the names of the trainer's options; those of a data set come before those of the model. DGL's examples:
https://github.com/dmlc/dgl, examples/pytorch.
"""
from dataclasses import dataclass, field


@dataclass
class Reported:
    """`accuracy` by data set; `source` says whose."""
    accuracy: dict[str, float]
    source: str
    settings: dict[str, object] = field(default_factory=dict)
    settings_of: dict[str, dict[str, object]] = field(default_factory=dict)

    def settings_on(self, data: str) -> dict[str, object]:
        return {**self.settings, **self.settings_of.get(data, {})}


ATTENTION = {"heads": 8, "hidden": 8, "learning_rate": 0.005, "weight_decay": 5e-4}
REPORTED = {
    "gcn": Reported({"cora": 81.5, "citeseer": 70.3, "pubmed": 79.0}, "Kipf and Welling 2017",
                    {"hidden": 16, "dropout": 0.5, "learning_rate": 0.01, "weight_decay": 5e-4, "epochs": 200}),
    "sage": Reported({"cora": 83.3, "citeseer": 71.1, "pubmed": 78.3}, "DGL's example graphsage",
                     {"hidden": 16, "dropout": 0.5, "learning_rate": 0.01, "weight_decay": 5e-4, "epochs": 200}),
    "sgc": Reported({"cora": 81.9, "citeseer": 72.5, "pubmed": 78.8}, "DGL's example sgc",
                    {"learning_rate": 0.2, "weight_decay": 5e-6, "epochs": 100},
                    {"citeseer": {"weight_decay": 5e-5, "epochs": 150}, "pubmed": {"weight_decay": 5e-5}}),
    "appnp": Reported({"cora": 83.7, "citeseer": 71.5, "pubmed": 79.3}, "DGL's example appnp",
                      {"hidden": 64, "dropout": 0.5, "learning_rate": 0.01, "epochs": 200}),
    "agnn": Reported({"cora": 83.1, "citeseer": 71.7, "pubmed": 79.9}, "Thekumparampil et al. 2018"),
    "gat": Reported({"cora": 83.0, "citeseer": 72.5, "pubmed": 79.0}, "Velickovic et al. 2018",
                    {**ATTENTION, "dropout": 0.6, "attention_dropout": 0.6, "patience": 100},
                    {"pubmed": {"output_heads": 8, "learning_rate": 0.01, "weight_decay": 1e-3}}),
    "gatv2": Reported({"cora": 82.1, "citeseer": 70.0, "pubmed": 77.2}, "DGL's example gatv2",
                      {**ATTENTION, "dropout": 0.7, "attention_dropout": 0.7, "epochs": 200, "select": "last"}),
    "monet": Reported({"cora": 81.6, "pubmed": 78.8}, "DGL's example monet"),
    "rgcn": Reported({"aifb": 95.8, "mutag": 73.2}, "Schlichtkrull et al. 2018", {"hidden": 16, "learning_rate": 0.01, "epochs": 50},
                     {"aifb": {"bases": 0}, "mutag": {"bases": 30, "weight_decay": 1e-3}}),
}
