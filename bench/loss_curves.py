#!/usr/bin/env python3
"""Draws the losses of the kept training runs on Cora, a panel for each model. Needs matplotlib.

  python3 bench/loss_curves.py --out docs/plots        writes training.svg

Training and validation loss of each epoch of the first seed, as bench/collect_training.py kept them. The same files give the
same picture, byte for byte, with one version of matplotlib.
"""
import argparse
import pathlib

import models_page
import training_results as training
from plots import BLUE, RED, plt, save

DATA, COLUMNS = "cora", 4


def curves() -> dict[str, dict]:
    """By model; the GPU's where there are some, else the host's."""
    found = {}
    for machine in (models_page.HOST, models_page.GPU):
        found.update({model: row["curve"] for (model, data), row in training.ours(machine).items() if data == DATA and "curve" in row})
    return dict(sorted(found.items(), key=lambda item: models_page.rank(models_page.TITLES, item[0])))


def draw(found: dict[str, dict], path: pathlib.Path) -> None:
    if not found:
        print(f"{path}: nothing to draw")
        return
    columns = min(COLUMNS, len(found))
    lines = -(-len(found) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(2.25 * columns, 1.9 * lines), squeeze=False, sharey=True)
    for axis, (model, curve) in zip(axes.flat, found.items()):
        for name, color in (("training", BLUE), ("validation", RED)):
            points = [(epoch, loss) for epoch, loss in enumerate(curve[name]) if loss is not None]
            axis.plot([epoch for epoch, _ in points], [loss for _, loss in points], color=color, linewidth=0.9, label=name)
        axis.set_title(models_page.TITLES.get(model, model), fontsize=8, loc="left")
        axis.set_ylim(bottom=0)
    for axis in list(axes.flat)[len(found):]:
        axis.set_visible(False)
    axes.flat[0].legend(fontsize=7, frameon=False)
    figure.supxlabel("epoch", fontsize=8)
    figure.supylabel("loss", fontsize=8)
    figure.tight_layout()
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder to write to, made if missing")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    draw(curves(), arguments.out / "training.svg")


if __name__ == "__main__":
    main()
