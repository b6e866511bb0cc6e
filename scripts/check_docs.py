#!/usr/bin/env python3
"""Fails where documentation is missing or untrue.

1. Every `public` declaration of a library has a `///` comment (requirements of the standard library's protocols,
   such as `==` or `hash(into:)`, need none).
2. Every relative link in a Markdown file points at something that exists.
3. Every `make` verb that a Markdown file names is in the Makefile.
4. Every target of Package.swift is named in docs/ARCHITECTURE.md.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLIC = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:static\s+|final\s+|mutating\s+|borrowing\s+|consuming\s+|nonisolated\s+"
    r"|indirect\s+|convenience\s+|override\s+)*(struct|enum|class|actor|protocol|func|var|let|init|subscript|typealias|macro)\b(.*)"
)
# What a protocol of the standard library asks for says nothing new in a comment.
REQUIREMENTS = re.compile(
    r"^(func\s*(==|<)|func\s+hash\(into|var\s+description\b|var\s+hashValue|var\s+id\b|init\(\w*[lL]iteral|"
    r"func\s+encode\(to|init\(from\s+decoder|func\s+makeAsyncIterator|func\s+next\()"
)


def undocumented(path: pathlib.Path):
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        found = PUBLIC.match(line)
        if not found or REQUIREMENTS.match((found[1] + found[2]) if found[1] == "init" else f"{found[1]}{found[2]}"):
            continue
        above = number - 1
        while above >= 0 and lines[above].strip().startswith("@"):
            above -= 1
        if above < 0 or not lines[above].strip().startswith("///"):
            yield f"{path.relative_to(ROOT)}:{number + 1}: no documentation: {line.strip()}"


def markdown_files():
    skip = {".build", ".venv-peers", ".venv-browser", "node_modules"}
    for path in ROOT.rglob("*.md"):
        if not skip.intersection(path.relative_to(ROOT).parts):
            yield path


def broken_links(path: pathlib.Path):
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:|#", target):
            continue
        if not (path.parent / target.split("#")[0]).exists():
            yield f"{path.relative_to(ROOT)}: broken link: {target}"


def unknown_verbs(path: pathlib.Path, verbs: set):
    for verb in re.findall(r"`make ([a-z-]+)", path.read_text()):
        if verb not in verbs:
            yield f"{path.relative_to(ROOT)}: no such verb: make {verb}"


def main() -> int:
    problems = []
    sources = sorted((ROOT / "Sources").rglob("*.swift"))
    for path in sources:
        problems += undocumented(path)
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    for path in markdown_files():
        problems += broken_links(path)
        problems += unknown_verbs(path, verbs)
    architecture = (ROOT / "docs/ARCHITECTURE.md").read_text()
    for folder in sorted((ROOT / "Sources").iterdir()):
        if folder.is_dir() and folder.name not in architecture:
            problems.append(f"docs/ARCHITECTURE.md: does not name the target {folder.name}")
    for problem in problems:
        print(problem)
    print(f"docs: {len(sources)} source files read, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
