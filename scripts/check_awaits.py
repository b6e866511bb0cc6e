#!/usr/bin/env python3
"""Fails where Swift code changes something through an optional chain and waits before it knows what to put there.

`entries[id]?.name = await load()` opens `entries` for writing before `load()` begins, since whether there is anything to
change is looked up first. Whatever else touches `entries` during the wait finds it open, and the program ends. So does a
mutating call: `names?.append(await load())`. Without the chain, what is written is evaluated first. The way out is two steps:

    let name = await load()
    entries[id]?.name = name

Given files, looks at those; else at all of Sources, Tests, Examples and Benchmarks. Begins with a test of itself.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("Sources", "Tests", "Examples", "Benchmarks/Sources")
# Methods of the standard library that change what they are called on; others cannot be told apart by their text.
MUTATING = "append|insert|remove|removeAll|removeValue|updateValue|merge|formUnion|formIntersection|subtract|replaceSubrange"
# Blanks keep their lines, so that a finding can name its own.
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|#"""?.*?"""?#|""".*?"""|#"[^\n]*?"#|"(?:\\\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\\.|[^"\\\n])*"', re.S)
ASSIGNMENT = re.compile(r"(?<=\s)(?:[-+*/%|&^]|&[-+*]|<<|>>|\?\?)?=(?=\s)")
CALL = re.compile(rf"\.(?:{MUTATING})\(")
CHAIN = re.compile(r"\?[.\[]")
OPENING, CLOSING = "([{", ")]}"

GOOD = (
    "let name = await load()\n    entries[id]?.name = name",
    "entries[id].name = await load()",
    "names += await load()",
    "names.append(await load())",
    "let name = entries[id]?.name ?? (await load())",
    "if entries[id]?.name == name, let other = try await load() {",
    "guard case .held = entries[id]?.name else { return await load() }",
    "entries[id]?.name = name\n    await load()",
    "entries[id]?.task = Task { await load() }",
    "await account.drafts?.delete(await load())",
    "/// entries[id]?.name = await load()",
    'say("entries[id]?.name = await load()")',
    "var name: Name? = await load()",
    "func load(_ name: Name? = nil) async -> Name? { await names?.first }",
)
BAD = (
    "entries[id]?.name = await load()",
    "entries[id]?.name = .queued(try await load())",
    "entries[id]?.names[0] += await load()",
    "entry?.name =\n        try await load()",
    "entry?.name = first\n        ?? (await load())",
    "self.entries[names[0]]?[1]?.name = isNew ? nil : await load()",
    "entry?.name = if isNew { nil } else { await load() }",
    "names?.append(await load())",
    "entries[id]?.names.insert(\n        contentsOf: try await load(), at: 0)",
    "for id in ids { entries[id]?.name = await load() }",
)


def blanked(text: str) -> str:
    """The code without its comments and texts."""
    return SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def end_of(code: str, start: int) -> int:
    """Where what begins at a place ends: a closing bracket, a comma, or a line that the next does not go on with."""
    depth = 0
    for place in range(start, len(code)):
        letter = code[place]
        if letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
            if depth < 0:
                return place
        elif depth == 0 and letter in ",;":
            return place
        elif depth == 0 and letter == "\n" and code[start:place].strip():
            # `.member`, `? :`, `?? other`, `+ more` and the like go on.
            if not re.match(r"\s*(?:[.?:]|[-+*/|&<>=]+\s|else\b)", code[place:]):
                return place
    return len(code)


def closing(code: str, start: int) -> int:
    """Where the bracket closes that opened before a place."""
    depth = 1
    for place in range(start, len(code)):
        depth += (code[place] in OPENING) - (code[place] in CLOSING)
        if depth == 0:
            return place
    return len(code)


def before(code: str, end: int) -> str:
    """The chain of names, members and subscripts that ends at a place."""
    start = len(code[:end].rstrip())
    end = start
    depth = 0
    while start > 0:
        letter = code[start - 1]
        if letter in "])":
            depth += 1
        elif letter in "[(":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and not (letter.isalnum() or letter in "_$.?!`"):
            break
        start -= 1
    if re.search(r"\b(?:let|var|case)\s+$|:\s*$", code[:start]):
        return ""
    return code[start:end]


def waits(value: str) -> bool:
    """Whether something is waited for while a value is made; what a closure waits for is not."""
    if not re.match(r"\s*(?:try\s+)?(?:if|switch)\b", value):
        while (closures := re.sub(r"\{[^{}]*\}", "", value)) != value:
            value = closures
    return re.search(r"\bawait\b", value) is not None


def findings(text: str):
    """The lines of a file that wait while something is open for writing."""
    code = blanked(text)
    for found in ASSIGNMENT.finditer(code):
        if CHAIN.search(before(code, found.start())) and waits(code[found.end() : end_of(code, found.end())]):
            yield code.count("\n", 0, found.start()) + 1
    for found in CALL.finditer(code):
        chain = before(code, found.start()) + "."
        if CHAIN.search(chain) and waits(code[found.end() : closing(code, found.end())]):
            yield code.count("\n", 0, found.start()) + 1


def test_itself() -> None:
    for example in GOOD:
        assert not list(findings(f"{{\n    {example}\n}}\n")), f"found in what is right: {example}"
    for example in BAD:
        assert list(findings(f"{{\n    {example}\n}}\n")) == [2], f"not found: {example}"


def main() -> int:
    test_itself()
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    files = files or [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.swift"))]
    problems = []
    for path in files:
        text = path.read_text()
        if "await" in text:
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            problems += [f"{name}:{line}: waits while it is open for writing" for line in findings(text)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} places; see the first lines of scripts/check_awaits.py", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
