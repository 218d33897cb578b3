"""Are logs of one training the same but for rounding? compare_logs.py FIRST OTHER:RANKS...

Fails where a log has other epochs or other ranks than are named, where a loss differs by more than 1e-4 of itself, and
where an accuracy differs by more than a few rows, which may change sides by rounding.
"""
import json
import pathlib
import sys

RELATIVE_LOSS = 1e-4
ABSOLUTE_SCORE = 0.05


def run_of(path):
    return json.loads(pathlib.Path(path).read_text())["runs"][0]


def differs(name, expected, found):
    if expected is None or found is None:
        return expected is not found
    if name.endswith("accuracy"):
        return abs(found - expected) > ABSOLUTE_SCORE
    return abs(found - expected) > RELATIVE_LOSS * abs(expected)


def differences(expected, found, num_ranks):
    if found["ranks"] != num_ranks:
        yield f"trained on {found['ranks']} ranks, must be {num_ranks}"
    if len(found["epochs"]) != len(expected["epochs"]):
        yield f"has {len(found['epochs'])} epochs, must have {len(expected['epochs'])}"
    for number, (one, other) in enumerate(zip(expected["epochs"], found["epochs"])):
        for name in one:
            if name != "milliseconds" and differs(name, one[name], other[name]):
                yield f"epoch {number}: {name} is {other[name]}, must be {one[name]}"


def main():
    expected = run_of(sys.argv[1])
    all_differences = []
    for log in sys.argv[2:]:
        path, num_ranks = log.rsplit(":", 1)
        all_differences += [f"{path}: {text}" for text in differences(expected, run_of(path), int(num_ranks))]
    print("\n".join(all_differences) or f"the losses of {sys.argv[1]}")
    return 1 if all_differences else 0


if __name__ == "__main__":
    sys.exit(main())
