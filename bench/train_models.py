#!/usr/bin/env python3
"""Trains models on data sets, a log of each (`train --log`), by the settings of bench/literature.py; needs nothing but Python.

  python3 bench/train_models.py --train build/release/examples/train/train --data DIR/cora DIR/pubmed --device cuda --logs LOGS
  python3 bench/collect_training.py LOGS --out bench/results/h100-train-2026-11-28.json --gpu "NVIDIA H100 80GB HBM3"

The trainer's recipes (options.cpp) are those of Cora; what the literature does otherwise on a data set stands here as options.
A run that fails is reported and the others go on; the status is then 1.
"""
import argparse
import pathlib
import subprocess
import sys

from literature import REPORTED

MODELS = ["gcn", "sage", "sage_max", "sgc", "appnp", "agnn", "monet", "gin", "pna", "gat", "gatv2", "gt", "rgcn"]
FLAGS = {"learning_rate": "lr"}  # whose option is not its name


def options_of(model: str, data: str) -> list[str]:
    """What the command line says of a model on a data set."""
    settings = REPORTED[model].settings_of.get(data, {}) if model in REPORTED else {}
    return [text for name, value in settings.items() for text in ("--" + FLAGS.get(name, name).replace("_", "-"), str(value))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True, help="folders, whose names are those of the data")
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--runs", type=int, default=10, help="seeds of each")
    parser.add_argument("--logs", type=pathlib.Path, required=True, help="where logs go: MODEL-DATA.json")
    parser.add_argument("--more", nargs="*", default=[], help="further options of the trainer, NAME=VALUE")
    arguments = parser.parse_args()
    arguments.logs.mkdir(parents=True, exist_ok=True)
    more = [text for option in arguments.more for text in ("--" + option.split("=")[0], option.split("=", 1)[1])]
    failed = False
    for data in arguments.data:
        for model in arguments.models:
            log = arguments.logs / f"{model}-{data.name}.json"
            command = [arguments.train, "--model", model, "--data", data, "--device", arguments.device, "--runs", arguments.runs,
                       "--print-every", 0, "--log", log, *options_of(model, data.name), *more]
            log.unlink(missing_ok=True)  # one of an earlier sweep must not stand for a run that fails
            run = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            failed |= run.returncode != 0
            lines = (run.stderr if run.returncode else run.stdout).strip().splitlines()
            print(f"{model} on {data.name}: {lines[-1] if lines else f'ended with status {run.returncode}'}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
