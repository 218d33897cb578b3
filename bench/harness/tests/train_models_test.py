"""train_models.py: a run that fails is reported, the others go on, and no earlier log stands for it."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(BENCH))
import train_models  # noqa: E402

# Writes what it was called with as its log; of gat it says nothing and fails.
TRAINER = """#!/bin/sh
test "$2" = gat && exit 3
while test "$1" != --log; do shift; done
echo "$@" > "$2"
echo "first line"
echo "test accuracy"
"""


class TrainModels(unittest.TestCase):
    def test_a_run_that_fails_without_a_word(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            trainer = folder / "train"
            trainer.write_text(TRAINER)
            trainer.chmod(0o755)
            logs = folder / "logs"
            logs.mkdir()
            (logs / "gat-pubmed.json").write_text("of an earlier sweep")
            arguments = ["train_models.py", "--train", str(trainer), "--data", str(folder / "pubmed"), "--models", "gat", "sgc",
                         "--logs", str(logs), "--more", "epochs=5"]
            printed = io.StringIO()
            with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(printed), self.assertRaises(SystemExit) as end:
                train_models.main()
            self.assertEqual(end.exception.code, True)
            self.assertEqual(printed.getvalue(), "gat on pubmed: ended with status 3\nsgc on pubmed: test accuracy\n")
            self.assertFalse((logs / "gat-pubmed.json").exists())
            self.assertIn("--weight-decay 5e-05 --epochs 5", (logs / "sgc-pubmed.json").read_text())


if __name__ == "__main__":
    unittest.main()
