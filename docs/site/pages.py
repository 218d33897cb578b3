#!/usr/bin/env python3
"""pages.py XML OUT: writes the Markdown that Sphinx reads: README.md as index.md, all that it leads to, and a reference
of what Doxygen found, which wrote the folder XML."""
import os
import pathlib
import re
import sys

import reference

repository = ''  # address of the repository's files, with / at the end; where it is empty, files become pages
root = pathlib.Path(__file__).resolve().parents[2]
out = pathlib.Path(sys.argv[2])
languages = {'py': 'python', 'cpp': 'cpp', 'hpp': 'cpp', 'cu': 'cpp', 'cuh': 'cpp'}


def write(path, text):
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    (out / path).write_text(text)


def toctree(caption, pages):
    return '\n'.join(['\n```{toctree}', ':hidden:', f':caption: {caption}', *pages, '```\n'])


def write_reference():
    """A page for each room with public names, as the table of docs/design.md lists them."""
    sections = list(reference.sections(pathlib.Path(sys.argv[1]), root / 'include'))
    written, overview = ['api/overview.md'], '# Overview\n\nThe public names, by the folder of their header.\n\n'
    for room, holds in re.findall(r'^\| `(\w+)/` \| (.*?) \|', (root / 'docs/design.md').read_text(), re.M):
        text = ''.join(text for header, text in sections if header.split('/')[0] == room)
        if text:
            written.append(f'api/{room}.md')
            write(written[-1], f'# {room}\n\n{holds[0].upper()}{holds[1:]}.\n{text}')
            overview += f'- [{room}]({room}.md): {holds}\n'
    write(written[0], overview)
    return written


def link(match):
    picture, label, target, anchor = match.groups()
    file = os.path.normpath(os.path.join(os.path.dirname(path), target))
    if file.startswith('..') or not (root / file).exists():
        return match[0]  # an address, or a dead link, which Sphinx finds
    if picture or file.endswith('.json'):  # data is handed out as it is
        write(file, (root / file).read_text())
    elif file.endswith('.md'):
        pages.extend([file] if file not in pages else [])
    elif repository:
        return f'[{label}]({repository}{file})'
    elif (root / file).is_dir():
        return label
    else:
        language = languages.get(file.rpartition('.')[2], 'text')
        write(file + '.md', f'---\norphan: true\nnosearch: true\n---\n# {file}\n'
              f'``````{language}\n{(root / file).read_text()}``````\n')
        return f'[{label}]({target}.md)'
    return match[0]


pages = ['README.md']
for path in pages:  # which grows
    text = (root / path).read_text()
    lists = ''
    if path == 'README.md':  # its list of pages is the navigation
        for item in text.split('## Documentation\n')[1].split('\n## ')[0].split('\n- ')[1:]:
            listed = dict.fromkeys(re.findall(r'\]\(([\w/]+\.md)', item))
            lists += toctree(re.match(r'[^:\[]+', item)[0].strip(), listed)
        lists += toctree('API reference', write_reference())
    text = re.sub(r'(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)', link, text) + lists
    write('index.md' if path == 'README.md' else path, f'---\norphan: true\n---\n{text}')
