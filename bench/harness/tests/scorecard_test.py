"""scorecard.py: the page beside the files is what the kept files say, and a cell without a reason is refused."""
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(BENCH))
import scorecard  # noqa: E402


def run(*arguments: str) -> None:
    families = [scorecard.Family(**{**family.__dict__, "cells": []}) for family in scorecard.FAMILIES]
    with mock.patch.object(sys, "argv", ["scorecard.py", *arguments]), mock.patch.object(scorecard, "FAMILIES", families):
        scorecard.main()


class Scorecard(unittest.TestCase):
    def test_the_page_is_what_the_files_say(self):
        run("--check", str(BENCH / "results" / "tables.md"))

    def test_a_page_that_says_otherwise_is_refused_with_the_line(self):
        text = (BENCH / "results" / "tables.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "tables.md"
            page.write_text(text.replace("| weighted sum, forward | 30 |", "| weighted sum, forward | 31 |", 1))
            with self.assertRaises(SystemExit) as refusal:
                run("--check", str(page))
        self.assertIn("-| weighted sum, forward", str(refusal.exception))
        self.assertIn("+| weighted sum, forward", str(refusal.exception))

    def test_a_low_cell_without_a_reason_is_refused(self):
        with mock.patch.object(scorecard, "REASONS", scorecard.REASONS[1:]), self.assertRaises(SystemExit) as refusal:
            run("--out", "/dev/null")
        self.assertIn("no reason in REASONS for cora", str(refusal.exception))

    def test_every_kept_family_is_complete(self):
        page = (BENCH / "results" / "tables.md").read_text()
        for cells in ("weighted sum, forward | 30", "weighted sum, gradient of the weights | 30", "maximum with argument, forward | 30", "graph transformer, backward | 24"):
            self.assertIn(cells, page)

    def test_the_short_table_has_every_family(self):
        page = (BENCH.parent / "docs" / "performance.md").read_text().replace("**", "")
        table = page[page.index("| operator |") : page.index("## What limits it")]
        families = [scorecard.Family(**{**family.__dict__, "cells": []}) for family in scorecard.FAMILIES]
        scorecard.fill(families)
        for family in families:
            ratios = [ratio for _, _, ratio in family.cells]
            self.assertIn(f"{scorecard.mean(ratios):.2f}, {min(ratios):.2f}", table, family.title)

    def test_misses_are_those_below_the_target(self):
        row = {"graph": "arxiv", "heads": 1, "channels": 64}
        family = scorecard.Family("a family", "max", "forward", [], 2, 1.1)
        family.cells = [(row, {"impl": "peer"}, 1.094), (row, {"impl": "peer"}, 1.2)]
        self.assertEqual(scorecard.section_misses([family]), ["- a family, below 1.1: arxiv 64 1.09 (peer)"])
        self.assertAlmostEqual(scorecard.mean([1, 4]), 2)


if __name__ == "__main__":
    unittest.main()
