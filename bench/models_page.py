#!/usr/bin/env python3
"""Writes the tables of docs/models.md and of the models in README.md from the kept result files; needs nothing but Python.

  python3 bench/models_page.py --out docs/models.md      writes the tables into the page
  python3 bench/models_page.py --check docs/models.md    fails where the page is not what the files say; the same with README.md

The page is written by hand, but for what stands between "<!-- generated: NAME -->" and "<!-- end of NAME -->": `accuracy`,
`types` (accuracy on graphs with types of edges), `epochs` (time and memory on the GPU, beside torch_geometric) and `host`;
in README.md `cora`.
Ours are files of topic "training" in bench/results/index.json, torch_geometric's of "training, torch_geometric".
"""
import argparse
import difflib
import math
import pathlib
import re
import statistics
import sys

import training_results as training
from compact import RESULTS
from literature import REPORTED

GPU, EPOCH_GPU, HOST = "H100", "H200", "CPU Xeon"  # of accuracy and the short table, of epochs beside torch_geometric, of the host
MODELS = pathlib.Path(__file__).parents[1] / "examples" / "models"
TITLES = {"gcn": "GCN", "sage": "GraphSAGE", "sage_max": "GraphSAGE, maxima", "sgc": "SGC", "appnp": "APPNP", "agnn": "AGNN",
          "monet": "MoNet", "gin": "GIN", "pna": "PNA", "gat": "GAT", "gatv2": "GATv2", "gt": "graph transformer", "rgcn": "R-GCN"}
DATA = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "coauthor_cs": "Coauthor CS", "amazon_photo": "Amazon Photo",
        "tolokers": "Tolokers", "ogbn_arxiv": "ogbn-arxiv", "aifb": "AIFB", "mutag": "MUTAG"}
CITATIONS, TYPED = ("cora", "citeseer", "pubmed"), ("aifb", "mutag")
CLOSE = 0.7  # points
WIDTHS = ("heads", "output_heads", "hidden", "bases")  # what a model is the same by
NOTHING = "-"


def title_of(model: str) -> str:
    """With a link to the model's file."""
    title = TITLES.get(model, model)
    return f"[{title}](../examples/models/{model}.hpp)" if (MODELS / f"{model}.hpp").exists() else title


def rank(names, name: str) -> tuple[int, str]:
    """Known names in their order, others behind them."""
    order = list(names)
    return (order.index(name) if name in order else len(order), name)


def cell_rank(cell: tuple[str, str]) -> tuple:
    return rank(TITLES, cell[0]), rank(DATA, cell[1])


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def spread_of(values: list[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def is_far(values: list[float], reported: float) -> bool:
    """Neither within a standard deviation of the reported accuracy nor within `CLOSE` points."""
    distance = abs(statistics.fmean(values) - reported)
    return distance > spread_of(values) and distance > CLOSE


def accuracy_cell(row: dict | None, reported: float | None) -> str:
    values = training.accuracies(row) if row else []
    if not values:
        return NOTHING
    text = f"{statistics.fmean(values):.1f} +- {spread_of(values):.1f}"
    return f"**{text}**" if reported is not None and is_far(values, reported) else text


def differences(model: str, data: str, row: dict) -> list[str]:
    """What the options of a run are that the reported one's are not."""
    found = []
    for key, theirs in REPORTED[model].settings_on(data).items() if model in REPORTED else ():
        mine = row["options"].get(key, theirs)
        if mine != theirs:
            found.append(f"{key.replace('_', ' ')} {mine}, not {theirs}")
    return found


def accuracy_section(cells: training.Cells, data_sets: tuple[str, ...]) -> list[str]:
    data_sets = [data for data in data_sets if any(cell[1] == data for cell in cells)]
    models = sorted({model for model, data in cells if data in data_sets}, key=lambda model: rank(TITLES, model))
    if not models:
        return ["No results are kept."]
    rows, settings, far = [], [], []
    for model in models:
        mine = {data: cells[model, data] for data in data_sets if (model, data) in cells}
        reported = REPORTED[model].accuracy if model in REPORTED else {}
        row = [title_of(model)]
        for data in data_sets:
            row += [accuracy_cell(mine.get(data), reported.get(data)), f"{reported[data]:.1f}" if data in reported else NOTHING]
            values = training.accuracies(mine[data]) if data in mine else []
            if values and data in reported and is_far(values, reported[data]):
                distance = statistics.fmean(values) - reported[data]
                far.append(f"- {TITLES.get(model, model)} on {DATA.get(data, data)}: {abs(distance):.1f} points "
                           f"{'above' if distance > 0 else 'below'}")
            for difference in differences(model, data, mine[data]) if data in mine else []:
                settings.append(f"- {TITLES.get(model, model)} on {DATA.get(data, data)}: {difference}")
        row.append(", ".join(sorted({run["options"].get("select", "last") for run in mine.values()})))
        row.append(", ".join(sorted({str(len(run["seeds"])) for run in mine.values()}, key=int)))
        rows.append(row + [REPORTED[model].source if model in REPORTED else "none"])
    header = ["model", *(name for data in data_sets for name in (f"{DATA.get(data, data)}, %", "literature")), "epoch", "seeds", "literature's"]
    lines = table(header, rows)
    if far:
        lines += ["", f"Bold: further from the literature than a deviation and than {CLOSE} points:", "", *far]
    if settings:
        lines += ["", "Settings that are not those of the literature's run, where these are known:", "", *settings]
    return lines


def time_text(milliseconds: float) -> str:
    return f"{milliseconds:.2f}" if milliseconds < 10 else f"{milliseconds:.1f}"


def mebibytes(count: float) -> str:
    return f"{count / 2**20:.0f}"


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def mean_text(ratios: list[float]) -> str:
    return f"{geometric_mean(ratios):.2f}" if ratios else NOTHING


def peer_texts(row: dict | None, mine: float) -> tuple[str, str, float | None]:
    """A peer's time, its ratio to ours as text, and as a number where it has one."""
    if row is None:
        return NOTHING, NOTHING, None
    if "error" in row:
        return "fails", NOTHING, None
    ratio = row["milliseconds"] / mine
    return time_text(row["milliseconds"]), f"{ratio:.2f}", ratio


def require_same_widths(cell: tuple[str, str], mine: dict, peer: dict | None) -> None:
    """Ends the program where the peer trained a model of other widths."""
    for key in WIDTHS:
        if peer and key in peer["options"] and peer["options"][key] != mine["options"].get(key, peer["options"][key]):
            sys.exit(f"{' on '.join(cell)}: {key} is {mine['options'][key]}, but {peer['options'][key]} in torch_geometric's run")


def epoch_section(cells: training.Cells, peers: dict[str, training.Cells]) -> list[str]:
    if not cells:
        return ["No results are kept."]
    eager, compiled = peers.get("eager", {}), peers.get("compiled", {})
    rows, failures, ratios = [], [], {"eager": {}, "compiled": {}, "memory": {}}
    has_peers = bool(eager or compiled)
    for cell in sorted(cells, key=cell_rank):
        if has_peers and cell not in eager and cell not in compiled:
            continue  # in the second table
        model, data = cell
        mine = training.milliseconds(cells[cell])
        texts = []
        for mode, peer in (("eager", eager.get(cell)), ("compiled", compiled.get(cell))):
            require_same_widths(cell, cells[cell], peer)
            time, ratio, number = peer_texts(peer, mine)
            texts += [time, ratio]
            if number is not None:
                ratios[mode].setdefault(model, []).append(number)
            if peer and "error" in peer:
                failures.append(f"- {TITLES.get(model, model)} on {DATA.get(data, data)}, {mode}: {peer['error'].replace('|', '/')}")
        bytes_of_peer = eager.get(cell, {}).get("peak_bytes", 0)
        memory = [NOTHING, NOTHING]
        if bytes_of_peer:
            number = bytes_of_peer / cells[cell]["peak_bytes"]
            memory = [mebibytes(bytes_of_peer), f"{number:.2f}"]
            ratios["memory"].setdefault(model, []).append(number)
        rows.append([title_of(model), DATA.get(data, data), time_text(mine), *texts, mebibytes(cells[cell]["peak_bytes"]), *memory])
    if not has_peers:
        return table(["model", "data", f"epoch on an {EPOCH_GPU}, ms", "peak, MiB"], [row[:3] + row[7:8] for row in rows])
    lines = table(["model", "data", f"epoch on an {EPOCH_GPU}, ms", "torch_geometric", "over ours", "compiled", "over ours", "peak, MiB",
                   "torch_geometric", "over ours"], rows)
    lines += ["", "Geometric means over the data sets, torch_geometric's over ours:", ""]
    means = [[title_of(model)] + [mean_text(ratios[kind].get(model, [])) for kind in ratios] for model in TITLES
             if any(model in of for of in ratios.values())]
    everything = [[ratio for of in ratios[kind].values() for ratio in of] for kind in ratios]
    lines += table(["model", "epoch", "epoch, compiled", "peak memory"], [*means, ["all", *map(mean_text, everything)]])
    if failures:
        lines += ["", "What fails in torch_geometric:", "", *failures]
    if all(cell in eager or cell in compiled for cell in cells):
        return lines
    data_sets = sorted({data for _, data in cells}, key=lambda data: rank(DATA, data))
    lines += ["", "Epochs of all models and data, ms:", ""]
    lines += table(["model", *(DATA.get(data, data) for data in data_sets)],
                   [[title_of(model), *(time_text(training.milliseconds(cells[model, data])) if (model, data) in cells else NOTHING
                                        for data in data_sets)] for model in sorted({model for model, _ in cells}, key=lambda m: rank(TITLES, m))])
    return lines


def host_section(cells: training.Cells, peers: dict[str, training.Cells]) -> list[str]:
    if not cells:
        return ["No results are kept."]
    eager = peers.get("eager", {})
    rows = []
    for cell in sorted(cells, key=cell_rank):
        mine = training.milliseconds(cells[cell])
        rows.append([title_of(cell[0]), DATA.get(cell[1], cell[1]), time_text(mine), *peer_texts(eager.get(cell), mine)[:2]])
    header = ["model", "data", "epoch, ms", "torch_geometric", "over ours"]
    return table(header, rows) if eager else table(header[:3], [row[:3] for row in rows])


def short_section(cells: training.Cells) -> list[str]:
    """Accuracy and time on Cora, for a page that has no room for more."""
    rows, counts = [], set()
    for model in sorted({model for model, data in cells if data == "cora"}, key=lambda model: rank(TITLES, model)):
        mine = cells[model, "cora"]
        values = training.accuracies(mine)
        counts.add(len(mine["seeds"]))
        reported = REPORTED[model].accuracy.get("cora") if model in REPORTED else None
        rows.append([TITLES.get(model, model), f"{statistics.fmean(values):.1f} % +- {spread_of(values):.1f}" if values else NOTHING,
                     f"{reported:.1f} %" if reported else NOTHING, f"{time_text(training.milliseconds(mine))} ms"])
    return table(["model ([models](docs/models.md))", f"Cora, {' or '.join(map(str, sorted(counts)))} seeds", "literature", f"epoch on an {GPU}"], rows)


def sections(folder: pathlib.Path = RESULTS) -> dict[str, str]:
    """The generated text of each name."""
    gpu, host = training.ours(GPU, folder), training.ours(HOST, folder)
    return {name: "\n".join(lines) for name, lines in (
        ("cora", short_section(gpu)), ("accuracy", accuracy_section(gpu, CITATIONS)), ("types", accuracy_section(gpu, TYPED)),
        ("epochs", epoch_section(training.ours(EPOCH_GPU, folder), training.peers(EPOCH_GPU, folder))),
        ("host", host_section(host, training.peers(HOST, folder))))}


def filled(page: str, texts: dict[str, str]) -> str:
    """The page with its generated parts as `texts` say. Ends the program where it names another part, or one has no end."""
    names = re.findall(r"<!-- generated: (\w+) -->", page)
    for name in names:
        begin, end = f"<!-- generated: {name} -->", f"<!-- end of {name} -->"
        if name not in texts or page.count(begin) != 1 or page.count(end) != 1 or page.index(end) < page.index(begin):
            sys.exit(f"the part '{name}' is unknown, there twice, or without its end")
        page = page[:page.index(begin)] + f"{begin}\n\n{texts[name]}\n\n{end}" + page[page.index(end) + len(end):]
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=pathlib.Path, help="page to bring up to the result files")
    what.add_argument("--check", type=pathlib.Path, help="page to compare with the result files")
    arguments = parser.parse_args()
    path = arguments.out or arguments.check
    found = path.read_text()
    text = filled(found, sections())
    if arguments.out:
        path.write_text(text)
    elif found != text:
        difference = difflib.unified_diff(found.splitlines(), text.splitlines(), str(path), "what the files say", lineterm="")
        sys.exit("\n".join(difference))


if __name__ == "__main__":
    main()
