"""The options that each model is trained with, by the trainer's names: examples/train/options.cpp says whose they are."""
import json
import pathlib

CITATION = {"hidden": 16, "dropout": 0.5, "learning_rate": 0.01, "weight_decay": 5e-4}
ATTENTION = {"heads": 8, "output_heads": 1, "hidden": 8, "dropout": 0.6, "attention_dropout": 0.6, "learning_rate": 0.005, "weight_decay": 5e-4}
RECIPES = {
    "gcn": CITATION,
    "gat": ATTENTION,
    "gatv2": {**ATTENTION, "dropout": 0.7, "attention_dropout": 0.7},
    "gt": ATTENTION,
    "sage": CITATION,
    "sgc": {"learning_rate": 0.2, "weight_decay": 5e-6},
    "agnn": {**CITATION, "hidden": 32},
    "appnp": {**CITATION, "hidden": 64, "attention_dropout": 0.5, "teleport": 0.1, "weight_decay": 5e-3},
    "monet": {**CITATION, "heads": 3},  # its kernels
    "gin": {**CITATION, "weight_decay": 5e-3},
    "pna": CITATION,
    "sage_max": CITATION,
    "rgcn": {**CITATION, "bases": 0, "dropout": 0.0, "weight_decay": 0.0},  # 0: a matrix for each type of edges
}
KEYS = {key: type(value) for recipe in RECIPES.values() for key, value in recipe.items()}


def options_of_files(paths: list[pathlib.Path]) -> dict[tuple[str, str], dict]:
    """The options that files of our own training say, by model and data: of bench/collect_training.py, or one trainer log."""
    found = {}
    for path in paths:
        document = json.loads(path.read_text())
        for row in document.get("results") or [document]:
            data = row["data"] if isinstance(row["data"], str) else row["data"]["name"]
            found[row["options"]["model"], data] = {key: row["options"][key] for key in KEYS if key in row["options"]}
    return found


def recipe_of(model: str, data: str, like: dict[tuple[str, str], dict], given: dict) -> dict:
    """The recipe, over it what our own files say, over that what the command line says; only options that the model has."""
    recipe = RECIPES[model]
    chosen = {**recipe, **like.get((model, data), {}), **given}
    return {key: KEYS[key](chosen[key]) for key in recipe}
