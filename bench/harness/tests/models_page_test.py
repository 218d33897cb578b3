"""models_page.py: the tables of docs/models.md are what the kept files say, and what they mark, compare and refuse."""
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(BENCH))
import models_page  # noqa: E402
import training_results as training  # noqa: E402

PAGE = BENCH.parent / "docs" / "models.md"
README = PAGE.parents[1] / "README.md"


def run(*arguments: str) -> None:
    with mock.patch.object(sys, "argv", ["models_page.py", *arguments]):
        models_page.main()


def row(model: str, data: str, accuracies: list[float], ms: float = 0.5, **options) -> dict:
    return {"model": model, "data": data, "options": {"select": "last", "hidden": 16, **options}, "seeds": list(range(len(accuracies))),
            "last_test_accuracy": accuracies, "best_test_accuracy": [1.0] * len(accuracies), "epoch_milliseconds": [ms, ms, 9.0],
            "peak_bytes": 2**20, "epoch_allocations": 0}


def peer(model: str, data: str, mode: str, variant: str, ms: float, **more) -> dict:
    return {"model": model, "data": data, "mode": mode, "features": "dense", "variant": variant, "milliseconds": ms, "peak_bytes": 3 * 2**20,
            "options": {"hidden": 16}, **more}


def failed(model: str, data: str, mode: str, error: str) -> dict:
    return {"model": model, "data": data, "mode": mode, "features": "dense", "variant": "a layer", "options": {}, "error": error}


class ModelsPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.index = pathlib.Path(folder.name), {}

    def keep(self, name: str, topic: str, rows: list[dict], date: str = "2026-11-28", machine: str = models_page.GPU) -> None:
        (self.folder / name).write_text(json.dumps({"results": rows}))
        self.index[name] = {"machine": machine, "topic": topic, "date": date}
        (self.folder / "index.json").write_text(json.dumps(self.index))

    def section(self, name: str) -> str:
        return models_page.sections(self.folder)[name]

    def test_the_page_is_what_the_files_say(self):
        for page in (PAGE, README):
            run("--check", str(page))

    def test_all_parts_stand_on_a_page(self):
        for name in models_page.sections():
            self.assertIn(f"<!-- generated: {name} -->", PAGE.read_text() + README.read_text())

    def test_a_page_that_says_otherwise_is_refused_with_the_line_and_mended(self):
        path = self.folder / "models.md"
        path.write_text(PAGE.read_text().replace("| last |", "| first |", 1))
        with self.assertRaises(SystemExit) as refusal:
            run("--check", str(path))
        self.assertIn("| first |", str(refusal.exception))
        run("--out", str(path))
        self.assertEqual(path.read_text(), PAGE.read_text())

    def test_text_by_hand_stays_and_a_part_without_end_is_refused(self):
        page = "before\n<!-- generated: a -->\nold\n<!-- end of a -->\nafter\n"
        self.assertEqual(models_page.filled(page, {"a": "new"}), "before\n<!-- generated: a -->\n\nnew\n\n<!-- end of a -->\nafter\n")
        for wrong in (page.replace("end of a", "end of b"), page.replace("generated: a", "generated: c"), page + page):
            with self.assertRaises(SystemExit):
                models_page.filled(wrong, {"a": "new"})

    def test_marked_is_what_is_far_by_deviation_and_by_points(self):
        for values, is_far in (([81.0, 81.0], False), ([80.0, 80.0], True), ([79.0, 83.0], False), ([83.0, 83.2], True), ([80.85], False)):
            self.assertEqual(models_page.is_far(values, 81.5), is_far, values)
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.8, 0.8, 0.803]), row("gcn", "pubmed", [0.79, 0.788, 0.792])])
        text = self.section("accuracy")
        self.assertIn("| **80.1 +- 0.2** | 81.5 | 79.0 +- 0.2 | 79.0 |", text)
        self.assertIn("- GCN on Cora: 1.4 points below", text)
        self.assertNotIn("Citeseer", text)

    def test_the_epoch_that_options_select_counts(self):
        self.keep("a.json", training.OURS, [row("gat", "cora", [0.5, 0.5], select="best", hidden=8)])
        self.assertIn("| **100.0 +- 0.0** | 83.0 |", self.section("accuracy"))

    def test_settings_that_differ_are_listed(self):
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.815], dropout=0.6, learning_rate=0.01)])
        self.assertIn("- GCN on Cora: dropout 0.6, not 0.5", self.section("accuracy"))

    def test_the_fastest_arrangement_counts_and_means_are_geometric(self):
        self.keep("a.json", training.OURS, [row("sgc", "cora", [0.8]), row("sgc", "pubmed", [0.8], ms=2.0)], machine=models_page.EPOCH_GPU)
        self.keep("p.json", training.PEERS, [
            peer("sgc", "cora", "eager", "SGConv", 5.0), peer("sgc", "cora", "eager", "product first", 1.0),
            peer("sgc", "cora", "eager", "SGConv, cached", 0.1), peer("sgc", "pubmed", "eager", "SGConv", 16.0),
            failed("sgc", "cora", "compiled", "it | broke"), peer("sgc", "pubmed", "compiled", "SGConv", 3.0)], machine=models_page.EPOCH_GPU)
        text = self.section("epochs")
        self.assertIn("| Cora | 0.50 | 1.00 | 2.00 | fails | - | 1 | 3 | 3.00 |", text)
        self.assertIn("| Pubmed | 2.00 | 16.0 | 8.00 | 3.00 | 1.50 | 1 | 3 | 3.00 |", text)
        self.assertIn("| [SGC](../examples/models/sgc.hpp) | 4.00 | 1.50 | 3.00 |", text)
        self.assertIn("| all | 4.00 | 1.50 | 3.00 |", text)
        self.assertIn("- SGC on Cora, compiled: it / broke", text)

    def test_an_error_does_not_win_over_a_time(self):
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.8])], machine=models_page.EPOCH_GPU)
        self.keep("p.json", training.PEERS, [failed("gcn", "cora", "eager", "no"), peer("gcn", "cora", "eager", "b", 1.0)], machine=models_page.EPOCH_GPU)
        self.assertIn("| 0.50 | 1.00 | 2.00 |", self.section("epochs"))

    def test_a_peer_of_other_widths_is_refused(self):
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.8], hidden=32)], machine=models_page.EPOCH_GPU)
        self.keep("p.json", training.PEERS, [peer("gcn", "cora", "eager", "GCNConv", 1.0)], machine=models_page.EPOCH_GPU)
        with self.assertRaisesRegex(SystemExit, "gcn on cora: hidden is 32, but 16"):
            self.section("epochs")

    def test_the_latest_file_counts_and_machines_are_told_apart(self):
        self.keep("b.json", training.OURS, [row("gcn", "cora", [0.8], ms=0.1)], date="2026-11-27", machine=models_page.EPOCH_GPU)
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.8], ms=0.2)], date="2026-11-29", machine=models_page.EPOCH_GPU)
        self.keep("c.json", training.OURS, [row("gcn", "cora", [0.8], ms=7.0)], machine=models_page.HOST)
        self.assertIn("| Cora | 0.20 | 1 |", self.section("epochs"))
        self.assertIn("| Cora | 7.00 |", self.section("host"))

    def test_the_short_table_says_how_many_seeds(self):
        self.keep("a.json", training.OURS, [row("gcn", "cora", [0.8, 0.8, 0.8]), row("gat", "cora", [None])])
        text = self.section("cora")
        self.assertIn("Cora, 1 or 3 seeds", text)
        self.assertIn("| GCN | 80.0 % +- 0.0 |", text)
        self.assertIn("| GAT | - |", text)


if __name__ == "__main__":
    unittest.main()
