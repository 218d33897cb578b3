#!/usr/bin/env python3
"""The rooms of the library, and that none includes a later one: the table of docs/design.md, read as a rule.

layers.py DESIGN INCLUDE [--write]: fails where a header includes one of a room further down, where a folder is no row of
the table, or where the column "includes" is not what the headers say; --write puts that column right.
"""
import pathlib
import re
import sys

design, include = (pathlib.Path(argument) for argument in sys.argv[1:3])
text = design.read_text()
table_row = re.compile(r'^\| `([\w/]+)/` \| (.*) \| ([^|]*) \|$', re.M)
rooms = [match[1] for match in table_row.finditer(text)]
errors = []
included = {room: set() for room in rooms}


def room_of(header):
    """The innermost folder that is a room; the last of all, '', where a header lies above the rooms."""
    for folder in pathlib.PurePath(header).parents:
        if str(folder) in rooms:
            return str(folder)
    if len(header.parts) > 1:
        errors.append(f'{header}: {header.parent}/ is no room of {design.name}')
    return ''


def rank(room):
    return rooms.index(room) if room else len(rooms)


headers = sorted(path.relative_to(include) for path in include.rglob('*') if path.suffix in ('.hpp', '.cuh'))
for header in headers:
    own = room_of(header)
    for name in re.findall(r'^#include <edgewise/([^>]+)>', (include / header).read_text(), re.M):
        other = room_of(pathlib.PurePath(name))
        if rank(other) > rank(own):
            errors.append(f'{header} includes {name}, of a room further down')
        if header.suffix == '.hpp' and name.endswith('.cuh'):
            errors.append(f'{header} includes {name}, which takes nvcc')
        if own and other != own:
            included[own].add(other)


def with_includes(match):
    names = ', '.join(sorted(included[match[1]], key=rank))
    return f'| `{match[1]}/` | {match[2]} | {names} |'


drawn = table_row.sub(with_includes, text)
if len(rooms) < 2 or not headers:
    errors.append('no rooms or no headers found')
if drawn != text and '--write' in sys.argv:
    design.write_text(drawn)
elif drawn != text:
    errors.append(f'{design.name}: the column "includes" is not up to date; run {" ".join(sys.argv)} --write')
print('\n'.join(errors) or f'{len(headers)} headers in {len(rooms)} rooms, none includes a later room')
sys.exit(bool(errors))
