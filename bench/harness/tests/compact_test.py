"""compact.py: the index is what the kept files say, and rewriting loses no structure."""
import json
import pathlib
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(BENCH))
import compact  # noqa: E402

DOCUMENT = {"environment": {"gpu": "NVIDIA H200", "date": "2026-11-25", "revision": "0123456789", "flops": 58950123456789.1},
            "results": [{"ms": 0.0123456, "launches": 12345, "variants_ms": {}}, {"loss": 1.9458961486816406, "kernels": [{"registers": 56}]}]}


class Compact(unittest.TestCase):
    def test_the_index_is_what_the_files_say(self):
        self.assertEqual(compact.disagreements(), [])

    def test_measured_numbers_keep_four_digits_and_all_else_stays(self):
        read = json.loads(compact.compact(DOCUMENT))
        self.assertEqual(read["results"][0], {"ms": 0.01235, "launches": 12345, "variants_ms": {}})
        self.assertEqual(read["results"][1], DOCUMENT["results"][1])
        self.assertEqual(read["environment"]["flops"], 58950000000000)
        self.assertEqual(compact.compact(read), compact.compact(DOCUMENT))

    def test_a_row_is_a_line(self):
        self.assertEqual(sum('"ms"' in line or '"loss"' in line for line in compact.compact(DOCUMENT).splitlines()), 2)

    def test_what_differs_is_said(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "h200-a.json").write_text(json.dumps(DOCUMENT))
            (folder / "h200-b.json").write_text(compact.compact(DOCUMENT))
            entry = {"machine": "H100", "topic": "a", "date": "2026-11-25", "revision": "0123456", "command": "bench"}
            (folder / "index.json").write_text(json.dumps({"h200-a.json": entry, "h200-c.json": entry}))
            found = "\n".join(compact.disagreements(folder))
        for sentence in ("has no entry of h200-b.json", "names h200-c.json", "machine is 'H200', the index says 'H100'", "h200-a.json: is not compact"):
            self.assertIn(sentence, found)


if __name__ == "__main__":
    unittest.main()
