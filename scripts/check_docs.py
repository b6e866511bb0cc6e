#!/usr/bin/env python3
"""Fails where documentation is missing or untrue.

1. Every relative link in a Markdown file points at something that exists.
2. Every `make` verb that a Markdown file names is in the Makefile.
3. Every target of Package.swift is named in docs/ARCHITECTURE.md.
4. Every path that a Markdown file names is there, below the root, Sources or the file's folder; so is all that the last
   column of docs/GLOSSARY.md names.
5. Given a folder of symbol graphs, which the compiler writes: every public declaration has a documentation comment, its
   own or that of the protocol requirement it fulfils. The names of an enum's cases may speak for themselves.
"""
import json
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs/GLOSSARY.md"


def undocumented(symbol_graph: pathlib.Path):
    for symbol in json.loads(symbol_graph.read_text())["symbols"]:
        if "docComment" in symbol or symbol["kind"]["identifier"] in ("swift.enum.case", "swift.extension"):
            continue
        path = pathlib.Path(urllib.parse.unquote(symbol.get("location", {}).get("uri", "").removeprefix("file://")))
        if path.is_relative_to(ROOT / "Sources"):
            line = symbol["location"]["position"]["line"] + 1
            yield f"{path.relative_to(ROOT)}:{line}: no documentation: {'.'.join(symbol['pathComponents'])}"


def markdown_files():
    skip = {".build", ".venv-peers", ".venv-browser", ".peer-nginx", "node_modules"}
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


def missing_places(path: pathlib.Path, folders: set):
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        words = re.findall(r"(?<!`)`([\w./+-]+)`(?!`)", line)
        places = {word for word in words if "/" in word and word.split("/")[0] in folders}
        if path == GLOSSARY and line.startswith("|"):
            places |= set(re.findall(r"`([^`]+)`", line.strip("| ").split("|")[-1]))
        for place in sorted(places):
            if not any((start / place).exists() for start in (ROOT, ROOT / "Sources", path.parent)):
                yield f"{path.relative_to(ROOT)}:{number}: no such place: {place}"


def main() -> int:
    problems = []
    graphs = [path for folder in sys.argv[1:] for path in pathlib.Path(folder).glob("*.symbols.json")]
    for path in sorted(graphs):
        problems += undocumented(path)
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    pages = list(markdown_files())
    folders = {path.name for parent in (ROOT, ROOT / "Sources") for path in parent.iterdir() if path.is_dir()}
    for path in pages:
        problems += broken_links(path)
        problems += unknown_verbs(path, verbs)
        problems += missing_places(path, folders)
    architecture = (ROOT / "docs/ARCHITECTURE.md").read_text()
    for folder in sorted((ROOT / "Sources").iterdir()):
        if folder.is_dir() and folder.name not in architecture:
            problems.append(f"docs/ARCHITECTURE.md: does not name the target {folder.name}")
    for problem in problems:
        print(problem)
    print(f"docs: {len(pages)} pages and {len(graphs)} symbol graphs read, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
