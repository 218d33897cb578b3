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


def row(impl: str, ms: float, channels: int = 64, **more) -> dict:
    return {"graph": "arxiv", "op": "weighted_sum", "pass": "forward", "dtype": "f32", "heads": 1, "channels": channels, "impl": impl,
            "variant": "", "ms": ms, "spread": 0.0, **more}


def measured(impl: str, ms: float, fraction: float, channels: int = 64) -> dict:
    return row(impl, ms, channels, bytes_gathered=4e6, fraction_of_floor=0.5, fraction_of_gather=fraction, floor_ms=1, roofline_ms=2,
               traversals=[{"name": "forward", "streamed_bytes": 1e6, "gathered_bytes": 3e6}])


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name: str, rows: list[dict], graphs: list[dict] = [], **measured_of_machine) -> str:
        path = pathlib.Path(self.folder.name) / name
        environment = {"gpu": "a GPU", "cuda_runtime": "13.0", "peer": "", "copy_bandwidth": 4e12, "revision": "r", "date": "d",
                       **measured_of_machine}
        path.write_text(json.dumps({"environment": environment, "graphs": graphs, "results": rows}))
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

    def test_the_ceilings_of_a_run_are_printed(self):
        gathers = [{"table_rows": rows, "row_bytes": width, "bandwidth": bandwidth} for rows, width, bandwidth in (
            (10, 128, 13e12), (120000, 128, 9.5e12), (250000, 128, 8e12), (33000000, 128, 4.2e12),
            (60000, 256, 9.4e12), (16000000, 256, 4.4e12))]
        path = self.file("ours.json", [measured("edgewise", 1, 0.9)], flops=59e12, l2_bytes=60e6, gathers=gathers)
        self.assertEqual(self.printed(path).splitlines()[1:5],
                         ["  59.0 Tflop/s", "  gather from L2, GB/s by width of rows: 128 bytes 9500, 256 bytes 9400",
                          "  gather from memory, GB/s by width of rows: 128 bytes 4200, 256 bytes 4400", ""])
        without = self.file("old.json", [measured("edgewise", 1, 0.9)])
        self.assertEqual(self.printed(without).splitlines()[1], "")

    def test_a_width_that_only_small_tables_have_is_not_said_of_memory(self):
        path = self.file("ours.json", [measured("edgewise", 1, 0.9)], l2_bytes=60e6,
                         gathers=[{"table_rows": 10, "row_bytes": 128, "bandwidth": 13e12}])
        self.assertNotIn("from memory", self.printed(path))

    def test_the_model_of_our_cells(self):
        bounds = {"bytes_floor": 2e6, "flops": 5e6, "gather_ms": 1.5}
        by_flops = {**measured("edgewise", 4, 0.375), **bounds}
        by_bytes = {**measured("edgewise", 4, 0.375, 32), **bounds, "roofline_ms": 1}
        path = self.file("ours.json", [by_flops, by_bytes, {**measured("cusparse", 1, 0.9), **bounds}])
        text = self.printed(path, "--model")
        self.assertRegex(text, r"64 +edgewise +2\.00 +4\.00 +5\.00 +1\.0000 +1\.5000 +2\.0000 +flops +4\.0000 +38% +50%\n")
        self.assertRegex(text, r"32 +edgewise +2\.00 +4\.00 +5\.00 +1\.0000 +1\.5000 +1\.0000 +bytes +4\.0000 +38% +25%\n")
        self.assertNotIn("cusparse", text)

    def test_memory_of_cells_and_graphs(self):
        graphs = [{"graph": "arxiv", "vertices": 1000, "edges": 4000, "bytes": {"coo": 32000, "csr": 20004}}]
        path = self.file("ours.json", [{**measured("edgewise", 1, 0.9), "peak_bytes": 4096}, measured("other", 1, 0.9),
                                       {**measured("unfused", 1, 0.9), "peak_bytes": 0},
                                       {**measured("unfused", 1, 0.9, 128), "peak_bytes": 64},
                                       {**measured("edgewise", 1, 0.9, 32), "peak_bytes": 12345678}], graphs=graphs)
        text = self.printed(path, "--memory")
        self.assertRegex(text, r"edgewise bytes +unfused bytes\n")
        self.assertRegex(text, r"64 +4,096 +-\n")
        self.assertRegex(text, r"128 +- +64\n")
        self.assertRegex(text, r"32 +12,345,678 +-\n")
        self.assertRegex(text, r"arxiv +1,000 +4,000 +32,000 +20,004 +8\.00 +5\.00\n")

    def test_files_without_the_numbers_of_a_model_or_memory_are_refused(self):
        path = self.file("old.json", [row("edgewise", 2)])
        for option in ("--model", "--memory"):
            with self.assertRaisesRegex(SystemExit, "holds none of these numbers"):
                self.printed(path, option)


if __name__ == "__main__":
    unittest.main()
