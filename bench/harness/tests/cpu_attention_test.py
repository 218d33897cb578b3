"""Medians of rounds and ratios of bench/cpu_attention.py."""
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).parents[2]))
import cpu_attention


def row(impl: str, ms: float, pass_name: str = "forward") -> dict:
    return {"graph": "cora", "op": "gat", "heads": 8, "channels": 8, "dtype": "f32", "pass": pass_name, "impl": impl, "ms": ms}


class CpuAttention(unittest.TestCase):
    def test_each_cell_keeps_the_median_of_its_rounds(self):
        rounds = [{"results": [row("edgewise", ms), row("pyg", 10 * ms)]} for ms in (3.0, 1.0, 2.0)]
        self.assertEqual([r["ms"] for r in cpu_attention.medians(rounds)], [2.0, 20.0])

    def test_of_two_rounds_the_faster_one_is_kept(self):
        self.assertEqual(cpu_attention.medians([{"results": [row("pyg", ms)]} for ms in (4.0, 5.0)])[0]["ms"], 4.0)

    def test_a_ratio_needs_both(self):
        rows = [row("edgewise", 2.0), row("pyg", 8.0), row("edgewise", 1.0, "backward")]
        self.assertEqual(cpu_attention.ratios(rows), {("cora", "gat", 8, 8, "f32", "forward"): 4.0})


if __name__ == "__main__":
    unittest.main()
