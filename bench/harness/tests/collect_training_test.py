"""collect_training.py: a row holds what the log says of every seed, and what is no log of the device is refused."""
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(BENCH))
import collect_training  # noqa: E402
import compact  # noqa: E402


def log(model: str, data: str = "cora", device: str = "cuda") -> dict:
    def run(seed: int) -> dict:
        epochs = [{"loss": 1.9458961486816406 - epoch, "validation_loss": None if epoch else 1.5, "milliseconds": 0.1} for epoch in range(2)]
        return {"seed": seed, "last_epoch": 1, "last_test_accuracy": 0.8 + seed / 100, "best_epoch": 0, "best_test_accuracy": 0.7,
                "median_epoch_milliseconds": 0.1 + seed, "peak_bytes": 100 + seed, "num_epoch_allocations": 0, "epochs": epochs}

    return {"options": {"model": model, "data": "/some/where/cora", "device": device, "hidden": 16, "select": "last", "runs": 2, "seed": 4},
            "data": {"name": data, "vertices": 3, "edges": 4}, "runs": [run(4), run(5)], "summary": {}}


class CollectTraining(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name: str, document: dict) -> None:
        (self.folder / name).write_text(json.dumps(document))

    def collected(self, *more: str) -> dict:
        out = self.folder.parent / f"{self.folder.name}.out"
        self.addCleanup(lambda: out.unlink(missing_ok=True))
        arguments = ["collect_training.py", str(self.folder), "--out", str(out), "--revision", "abc", "--date", "2026-11-28", *more]
        with mock.patch.object(sys, "argv", arguments), mock.patch("builtins.print"):
            collect_training.main()
        self.assertEqual(compact.compact(json.loads(out.read_text())), out.read_text())
        return json.loads(out.read_text())

    def test_a_row_of_each_log(self):
        self.write("b.json", log("gcn"))
        self.write("a.json", log("gat", "pubmed"))
        document = self.collected("--gpu", "NVIDIA H100")
        self.assertEqual(compact.said_by(document), {"machine": "H100", "date": "2026-11-28", "revision": "abc"})
        gat, gcn = document["results"]
        self.assertEqual((gat["model"], gat["data"], gcn["model"], gcn["data"]), ("gat", "pubmed", "gcn", "cora"))
        self.assertEqual(gcn["options"], {"model": "gcn", "hidden": 16, "select": "last"})
        self.assertEqual(gcn["size"], {"vertices": 3, "edges": 4})
        self.assertEqual((gcn["seeds"], gcn["last_test_accuracy"], gcn["best_test_accuracy"]), ([4, 5], [0.84, 0.85], [0.7, 0.7]))
        self.assertEqual((gcn["epoch_milliseconds"], gcn["peak_bytes"]), ([4.1, 5.1], 105))
        self.assertEqual(gcn["curve"], {"training": [1.946, 0.9459], "validation": [1.5, None]})
        self.assertNotIn("curve", gat)

    def test_what_does_not_belong_is_refused(self):
        self.write("a.json", log("gcn", device="cpu"))
        with self.assertRaisesRegex(SystemExit, "a.json: was not trained on cuda"):
            self.collected("--gpu", "NVIDIA H100")
        self.assertEqual(len(self.collected("--cpu", "AMD EPYC", "--threads", "2")["results"]), 1)
        self.write("b.json", log("gcn", device="cpu"))
        with self.assertRaisesRegex(SystemExit, "b.json: is of gcn on cora, as .*a.json is"):
            self.collected("--cpu", "AMD EPYC")
        self.write("b.json", {"results": []})
        with self.assertRaisesRegex(SystemExit, "b.json: not a log"):
            self.collected("--cpu", "AMD EPYC")

    def test_nothing_found_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no logs"):
            self.collected("--gpu", "NVIDIA H100")

    def test_a_log_without_epochs_has_no_curve(self):
        kept = log("gcn")
        for run in kept["runs"]:
            del run["epochs"]
        row = collect_training.row_of(kept, has_curve=True)
        self.assertNotIn("curve", row)
        self.assertEqual(row["seeds"], [4, 5])


if __name__ == "__main__":
    unittest.main()
