"""papers/end_to_end.py: its tables name models, options and data that there are, and a row says what was measured."""
import pathlib
import sys
import unittest

BENCH = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(BENCH), str(BENCH / "papers"), str(BENCH / "peers")]
import end_to_end  # noqa: E402
import pyg_recipes  # noqa: E402


class EndToEnd(unittest.TestCase):
    def test_cells_are_of_models_and_of_options_that_these_have(self):
        for table in end_to_end.TABLES.values():
            for cell in table.cells:
                self.assertLessEqual(set(cell.options), set(pyg_recipes.RECIPES[cell.model]), cell)

    def test_no_cell_stands_twice_in_a_table(self):
        for table in end_to_end.TABLES.values():
            cells = [(cell.model, cell.data, tuple(cell.options.items())) for cell in table.cells]
            self.assertEqual(len(cells), len(set(cells)))

    def test_the_fastest_peer_is_compared(self):
        row = {"data": "cora", "model": "gat", "options": {"heads": 1}, "edgewise": {"milliseconds": 0.5, "peak_bytes": 2 << 20},
               "peers": [{"milliseconds": 2.0, "peak_bytes": 3 << 20}, {"milliseconds": 4.0, "peak_bytes": 1 << 20}]}
        self.assertEqual(end_to_end.table_text([row]).splitlines()[-1],
                         "| cora | gat | heads 1 | 0.500 | 2.000 | 4.00 | 2 | 3 | 1.50 |")

    def test_what_was_not_measured(self):
        row = {"data": "reddit", "model": "gcn", "options": {}, "edgewise": {"milliseconds": 0.5, "peak_bytes": 2 << 20},
               "peers": [{"error": "out of memory"}]}
        self.assertEqual(end_to_end.table_text([row]).splitlines()[-1],
                         "| reddit | gcn | - | 0.500 | out of memory | - | 2 | - | - |")
        self.assertTrue(end_to_end.table_text([{**row, "peers": []}]).endswith("| 0.500 | - | - | 2 | - | - |"))


if __name__ == "__main__":
    unittest.main()
