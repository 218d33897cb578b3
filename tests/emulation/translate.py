#!/usr/bin/env python3
"""Translates CUDA sources to C++ that runs on the emulated device of this folder: kernel launches become calls, and
instructions written as assembly become functions. Everything else compiles as it stands.

usage: translate.py --out FOLDER SOURCE...   (files or folders; each keeps its path below the working folder)
"""
import argparse
import pathlib
import re
import sys

SUFFIXES = {".hpp", ".cuh", ".cu", ".cpp"}
ASSEMBLY = re.compile(r'asm\(("[^"]*")\s*:\s*"=\w"\((\w+)\)\s*:\s*(.*?)\);')
LAUNCH = re.compile(r'\b(?:\w+::)*launch_kernel\(\s*"[^"]*",\s*')
INPUT = re.compile(r'"\w"\(')


def matching(text, start, opening, closing):
    """The place behind the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at + 1
    raise ValueError(f"no {closing} for the {opening} at {start}")


def begin_of_kernel(text, end):
    """Where the name of the kernel before `end` begins, template arguments included."""
    at = end
    while text[at - 1].isspace():
        at -= 1
    if text[at - 1] == ">":
        depth = 0
        while True:
            at -= 1
            depth += (text[at] == ">") - (text[at] == "<")
            if depth == 0:
                break
    while text[at - 1].isalnum() or text[at - 1] in "_:":
        at -= 1
    return at


def translate_launches(text):
    """kernel<<<grid, threads, bytes, stream>>>(arguments) to a call that takes the same, in the same lines."""
    done = []
    rest = 0
    while (mark := text.find("<<<", rest)) >= 0:
        line = text[text.rfind("\n", 0, mark) + 1 : mark]
        if "//" in line:
            done.append(text[rest : mark + 3])
            rest = mark + 3
            continue
        begin = begin_of_kernel(text, mark)
        close = text.index(">>>", mark)
        opening = text.index("(", close)
        end = matching(text, opening, "(", ")")
        kernel = text[begin:mark]
        name = " ".join(kernel.split()).replace('"', "")
        done.append(text[rest:begin])
        done.append(
            f'::emulation::launch("{name}", {{{text[mark + 3 : close]}}}, '
            f"[&](auto const&... of_kernel) {{ {kernel}(of_kernel...); }}"
        )
        arguments = text[opening + 1 : end - 1]
        done.append((", " + arguments if arguments.strip() else "") + ")")
        rest = end
    done.append(text[rest:])
    return "".join(done)


def second_argument(text, begin):
    """Where the argument behind the one that begins at `begin` ends: at a comma outside of all brackets."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] in "(<[{") - (text[at] in ")>]}")
        if depth == 0 and text[at] == ",":
            return at
    raise ValueError(f"no argument at {begin}")


def translate_launch_kernel(text):
    """launch_kernel("what", kernel, grid, block, stream, arguments...) to a call that knows the kernel's name."""
    done = []
    rest = 0
    for match in LAUNCH.finditer(text):
        begin = match.end()
        end = second_argument(text, begin)
        kernel = text[begin:end]
        name = " ".join(kernel.split()).replace('"', "")
        done.append(text[rest : match.start()])
        done.append(
            f'::emulation::launch_named("{name}", [&](auto const&... of_kernel) {{ {kernel}(of_kernel...); }}'
        )
        rest = end
    done.append(text[rest:])
    return "".join(done)


def inputs_of(text):
    """The expressions of an assembly statement's inputs."""
    found = []
    at = 0
    while match := INPUT.search(text, at):
        end = matching(text, match.end() - 1, "(", ")")
        found.append(text[match.end() : end - 1])
        at = end
    return found


def translate_assembly(text):
    def call(match):
        return f"::emulation::ptx({match[1]}, {match[2]}, {', '.join(inputs_of(match[3]))});"

    return ASSEMBLY.sub(call, text)


def translate(text):
    return translate_assembly(translate_launches(translate_launch_kernel(text)))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    options = parser.parse_args(arguments)
    for source in options.sources:
        files = sorted(source.rglob("*")) if source.is_dir() else [source]
        for file in files:
            if file.suffix not in SUFFIXES:
                continue
            to = options.out / file
            to.parent.mkdir(parents=True, exist_ok=True)
            text = f'#line 1 "{file.resolve()}"\n' + translate(file.read_text())
            if not to.exists() or to.read_text() != text:  # what has not changed is not compiled again
                to.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
