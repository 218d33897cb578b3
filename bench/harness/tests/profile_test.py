"""bench/profile.py against a log written by hand: rows take their kernels in order, sums add up, warps are weighted by time."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "profile.py"

LOG = '''==PROF== Connected
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","a","dram__bytes.sum","Mbyte","1.5"
"0","a","lts__t_bytes.sum","Gbyte","2"
"0","a","lts__t_sectors_op_atom.sum","sector","1,000"
"0","a","lts__t_sectors_op_red.sum","sector","20"
"0","a","gpu__time_duration.sum","us","100"
"0","a","sm__warps_active.avg.pct_of_peak_sustained_active","%","50"
"1","b","dram__bytes.sum","byte","500000"
"1","b","lts__t_bytes.sum","byte","0"
"1","b","lts__t_sectors_op_atom.sum","sector","0"
"1","b","lts__t_sectors_op_red.sum","sector","0"
"1","b","gpu__time_duration.sum","ms","0.3"
"1","b","sm__warps_active.avg.pct_of_peak_sustained_active","%","10"
"2","c","dram__bytes.sum","Kbyte","7"
"2","c","lts__t_bytes.sum","byte","9"
'''


class Profile(unittest.TestCase):
    def run_script(self, kernels_of_rows):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "ncu.csv").write_text(LOG)
            (path / "r.json").write_text(json.dumps({"results": [{"kernels": [{}] * n} for n in kernels_of_rows]}))
            run = subprocess.run([sys.executable, SCRIPT, path / "r.json", path / "ncu.csv", "--out", path / "o.json"],
                                 capture_output=True, text=True)
            return run, json.loads((path / "o.json").read_text())["results"] if run.returncode == 0 else None

    def test_counts(self):
        _, (first, second) = self.run_script([2, 1])
        self.assertAlmostEqual(first["dram_bytes"], 2e6)
        self.assertAlmostEqual(first["l2_bytes"], 2e9)
        self.assertAlmostEqual(first["atomic_sectors"], 1020)
        self.assertAlmostEqual(first["occupancy"], 0.2)  # a quarter of the time 50 %, else 10
        self.assertAlmostEqual(second["dram_bytes"], 7e3)
        self.assertNotIn("occupancy", second)  # not counted

    def test_refuses_another_number_of_kernels(self):
        run, _ = self.run_script([1, 1])
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("3 kernels", run.stderr)

    def test_lists_its_metrics(self):
        run = subprocess.run([sys.executable, SCRIPT, "--metrics"], capture_output=True, text=True)
        self.assertIn("dram__bytes.sum,", run.stdout)


if __name__ == "__main__":
    unittest.main()
