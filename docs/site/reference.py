"""The pages of public names. Doxygen knows what is declared, and where; the texts are the headers' own."""
import itertools
import re
import textwrap
import xml.etree.ElementTree as ElementTree


class Declaration:
    """As its header writes it: `text`, up to a body, and `doc`, the lines of `///` above."""
    def __init__(self, node):
        self.node, self.kind, where = node, node.get('kind'), node.find('location')
        self.file, self.line = where.get('file'), int(where.get('line'))
        self.name = (node.findtext('name') or node.findtext('compoundname')).removeprefix('edgewise::')
        lines = (include / self.file).read_text().splitlines()
        first = self.line - 1
        while re.search(r'[^\s;{}:]$|^ *requires', re.sub(r'\s*//.*', '', lines[first - 1])):
            first -= 1
        top = first
        while re.match(r' *(///|// Chosen )', lines[top - 1]):
            top -= 1
        self.doc = [line.strip().lstrip('/')[1:] for line in lines[top:first]]
        text = '\n'.join(lines[first:])
        end, depth = len('\n'.join(lines[first:self.line - 1])), 0
        ends = {'function': '[;{]| : ', 'friend': '[;{]', 'class': '[;{]', 'struct': '[;{]'}.get(self.kind, ';')
        while depth or not re.match(ends, text[end:end + 3]):
            depth += (text[end] in '([{') - (text[end] in ')]}')
            end += 1
        remark = re.match('; *///<.*', text[end:])
        self.is_apart = remark or re.match(' *(//|$)', lines[top - 1])
        self.text = textwrap.dedent(text[:end].rstrip() + (remark[0] if remark else ';')).replace('///<', '//')
        self.is_public = node.get('prot') not in ('private', 'protected') and not re.search(  # nor a deduction guide
            r'^~|>$|operator=$|= ?delete$|\) ?->', self.name + (node.findtext('argsstring') or '')) and not (
                self.text.startswith('using ') and '=' not in self.text)  # nor what a base has


def members(node):
    """Those of a class, and of what it inherits from `detail`, but for overloads that only refuse."""
    bases = [base for base in node.iter('basecompoundref') if re.search('::detail::(?!call_advice)', base.text)]
    own = [Declaration(member) for member in node.iter('memberdef')]
    return sum((members(compounds[base.get('refid')]) for base in bases if base.get('refid')), own)


def groups(declarations):
    """Declarations that share a docstring, in the order of the headers; overloads that only refuse are left out."""
    found = []
    for one in sorted(filter(lambda one: one.is_public, declarations), key=lambda one: (one.file, one.line)):
        last = found[-1][-1] if found else None
        if last and not one.doc and one.file == last.file and (one.name == last.name or found[-1][0].doc and not (
                one.is_apart or one.name in operations)):
            found[-1].append(one)
        else:
            found.append([one])
    return [group for group in found if not ''.join(group[0].doc).startswith('Chosen ')]


def markdown(doc, names):
    """A docstring: indented lines are code; pages, headers and other names become links."""
    def link(match):
        code, page, header, special = match.groups()
        if special or page:
            return '\\' + special if special else f'[{page}](../{page})'
        label = code or f'`{header}`'
        target = label[1:-1].removeprefix('edgewise/')
        return f'[{label}](<#api-{target}>)' if target in targets and target not in names else label

    text = ''
    for is_code, lines in itertools.groupby(doc, lambda line: line.startswith('  ')):
        if is_code:
            text += '```cpp\n' + textwrap.dedent('\n'.join(lines)) + '\n```\n\n'
        else:
            prose = '\n'.join(' '.join(part) for _, part in itertools.groupby(lines, bool))
            text += re.sub(r'(`[^`]+`)|(docs/\w+\.md)|((?:[a-z]+/)+\w+\.(?:hpp|cuh))|([<*_\[\\])', link, prose) + '\n\n'
    return text


def entry(group):
    """Declarations, their docstring, and their documented members."""
    text, documented, names = '', [], [one.name for one in group]
    for one in group:
        parts = groups(members(one.node)) if one.kind in ('class', 'struct') else []
        documented += [part for part in parts if part[0].doc]
        plain = '\n'.join(member.text for part in parts if not part[0].doc for member in part)
        text += f'{one.text[:-1]} {{\n{textwrap.indent(plain, "  ")}\n}};\n' if plain else one.text + '\n'
    text = f'```cpp\n{text}```\n\n' + markdown(group[0].doc or operations.get(names[0], []), names)
    return text + ''.join(textwrap.indent(entry(part), '> ', lambda line: True) + '\n' for part in documented)


def sections(xml, headers):
    """A section for each header (below the folder `headers`) that has public names: its path and text."""
    global include, compounds, operations, targets
    include, operations, public, seen = headers, {}, [], set()
    nodes = [node for file in xml.glob('*.xml') for node in ElementTree.parse(file).iter('compounddef')]
    compounds = {node.get('id'): node for node in nodes}
    for node in nodes:
        name = node.findtext('compoundname')
        if name == 'edgewise':
            public += map(Declaration, node.iter('memberdef'))
        elif re.fullmatch(r'edgewise::operation::\w+', name):
            operations[name.split('::')[-1]] = Declaration(node).doc
        elif re.fullmatch(r'edgewise::\w+', name) and node.get('kind') != 'namespace':
            public.append(Declaration(node))
    everything = groups(public)
    targets = {name for group in everything for one in group for name in (one.name, one.file.removeprefix('edgewise/'))}
    common = ['edgewise/edgewise.hpp']
    for one in common:  # which grows
        included = re.findall('#include <(edgewise/.*)>', (include / one).read_text())
        common += [file for file in included if file not in common]
    for file, parts in itertools.groupby(everything, lambda group: group[0].file):
        header, or_all = file.removeprefix('edgewise/'), '  // or <edgewise/edgewise.hpp>' if file in common else ''
        about = itertools.takewhile(lambda line: line[:2] == '//', (include / file).read_text().splitlines())
        text = f'\n(api-{header})=\n## {header}\n\n' + markdown([line[3:] for line in about], [])
        text += f'```cpp\n#include <{file}>{or_all}\n```\n'
        for part in parts:
            names = list(dict.fromkeys(one.name for one in part))
            text += ''.join(f'\n(api-{name})=' for name in names if name not in seen)
            text += '\n### ' + ', '.join(f'`{name}`' for name in names) + '\n\n' + entry(part)
            seen.update(names)
        yield header, text
