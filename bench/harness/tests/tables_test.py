"""tables.py on small result files: columns side by side, fractions of the ceiling, files from before there were any."""
import io
import json
import pathlib
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import tables  # noqa: E402


def row(impl: str, ms: float, lanes: int = 64, **more) -> dict:
    return {"graph": "arxiv", "op": "weighted_sum", "pass": "forward", "dtype": "f32", "heads": 1, "lanes": lanes, "impl": impl,
            "variant": "", "ms": ms, "spread": 0.0, **more}


def measured(impl: str, ms: float, fraction: float, lanes: int = 64) -> dict:
    return row(impl, ms, lanes, bytes_gathered=4e6, fraction_of_floor=0.5, fraction_of_gather=fraction, floor_ms=1, roofline_ms=2,
               traversals=[{"name": "forward", "streamed_bytes": 1e6, "gathered_bytes": 3e6}])


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name: str, rows: list[dict]) -> str:
        path = pathlib.Path(self.folder.name) / name
        environment = {"gpu": "a GPU", "cuda_runtime": "13.0", "peer": "", "copy_bandwidth": 4e12, "revision": "r", "date": "d"}
        path.write_text(json.dumps({"environment": environment, "results": rows}))
        return str(path)

    def printed(self, *arguments: str) -> str:
        output = io.StringIO()
        with mock.patch.object(sys, "argv", ["tables.py", *arguments]), redirect_stdout(output):
            tables.main()
        return output.getvalue()

    def test_cells_below_the_ceiling_are_listed_lowest_first(self):
        path = self.file("ours.json", [measured("edgewise", 1, 0.65), measured("edgewise", 1, 0.3, 32), measured("edgewise", 1, 0.9, 128),
                                       measured("cusparse", 1, 0.1)])
        text = self.printed(path)
        listed = text[text.index("Under 70%"):].splitlines()
        self.assertEqual(listed[0], "Under 70% of the gather ceiling, 2 cells:")
        self.assertIn("1 32 edgewise: 30% of the gather ceiling, 1.0000 ms (forward 4.0 MB; roofline 2.0000 ms by flops)", listed[1])
        self.assertIn("1 64 edgewise: 65%", listed[2])

    def test_files_without_ceilings_have_a_dash(self):
        path = self.file("old.json", [row("edgewise", 2, bytes_gathered=4e6, fraction_of_floor=0.5)])
        text = self.printed(path)
        self.assertRegex(text, r"2\.0000 +50% +- +2\b")
        self.assertNotIn("Under", text)

    def test_files_beside_are_joined_by_cell(self):
        ours = self.file("ours.json", [measured("edgewise", 1, 0.9), measured("edgewise", 2, 0.9, 32)])
        peers = self.file("peers.json", [row("pyg", 3), row("pyg", 9, 999)])
        text = self.printed(ours, "--beside", peers)
        self.assertIn("pyg / edgewise", text)
        self.assertRegex(text, r"64 +3\.0000 +- +- +- .* 3\.00\n")
        self.assertNotIn("999", text)
        self.assertIn("geometric mean", text)

    def test_a_name_in_both_files_is_told_apart(self):
        ours = self.file("ours.json", [measured("edgewise", 1, 0.9)])
        other = self.file("other.json", [measured("edgewise", 4, 0.9)])
        self.assertIn("edgewise (other) / edgewise", self.printed(ours, "--beside", other))


if __name__ == "__main__":
    unittest.main()
