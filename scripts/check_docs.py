#!/usr/bin/env python3
"""Fails where documentation is missing or untrue.

1. Every relative link in a Markdown file points at something that exists.
2. Every `make` verb that a Markdown file names is in the Makefile.
3. Every target of Package.swift is named in docs/ARCHITECTURE.md.
4. Given a folder of symbol graphs, which the compiler writes: every public declaration has a documentation comment, its
   own or that of the protocol requirement it fulfils. The names of an enum's cases may speak for themselves.
"""
import json
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent


def undocumented(symbol_graph: pathlib.Path):
    for symbol in json.loads(symbol_graph.read_text())["symbols"]:
        if "docComment" in symbol or symbol["kind"]["identifier"] in ("swift.enum.case", "swift.extension"):
            continue
        path = pathlib.Path(urllib.parse.unquote(symbol.get("location", {}).get("uri", "").removeprefix("file://")))
        if path.is_relative_to(ROOT / "Sources"):
            line = symbol["location"]["position"]["line"] + 1
            yield f"{path.relative_to(ROOT)}:{line}: no documentation: {'.'.join(symbol['pathComponents'])}"


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
    graphs = [path for folder in sys.argv[1:] for path in pathlib.Path(folder).glob("*.symbols.json")]
    for path in sorted(graphs):
        problems += undocumented(path)
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    pages = list(markdown_files())
    for path in pages:
        problems += broken_links(path)
        problems += unknown_verbs(path, verbs)
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
