#!/usr/bin/env python3
"""Draws what new keys cost in groups of 2 to 1000 members, from the lines of `linnet-bench mls` on standard input.

Writes Sources/MLS/MLS.docc/commits.svg, which is legible on light and dark pages.
"""
import json
import math
import pathlib
import re
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 52, 16, 44, 44
SERIES = [("mls-commit", "making a commit", "#2f7ed8"), ("mls-process-commit", "following it", "#d9822b")]
PICTURE = pathlib.Path(__file__).resolve().parent.parent / "Sources/MLS/MLS.docc/commits.svg"


def read(lines):
    points = {name: {} for name, _, _ in SERIES}
    for line in lines:
        if not line.startswith("{"):
            continue
        figure = json.loads(line)
        match = re.fullmatch(r"(.+)-(\d+)", figure["name"])
        if match and match[1] in points:
            points[match[1]][int(match[2])] = figure["value"]
    return points


def draw(points):
    sizes = sorted(points["mls-commit"])
    tallest = math.ceil(max(value for series in points.values() for value in series.values()) * 2) / 2
    largest = math.log2(sizes[-1])

    def x(size):
        return LEFT + (math.log2(size) - 1) / (largest - 1) * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - value / tallest * (HEIGHT - TOP - BOTTOM)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>'
    yield '<g fill="#333333">'
    for step in range(5):
        value = tallest * step / 4
        yield (f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#dddddd"/>'
               f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for size in sizes:
        yield f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size}</text>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">members, each step twice as many</text>'
    yield '<text x="12" y="24">milliseconds</text></g>'
    for place, (name, words, colour) in enumerate(SERIES):
        line = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in sorted(points[name].items()))
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        for size, value in sorted(points[name].items()):
            yield f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>'
        yield f'<text x="{LEFT + 130 + 150 * place}" y="24" fill="{colour}" font-weight="bold">{words}</text>'
    yield "</svg>"


points = read(sys.stdin)
if not points["mls-commit"]:
    raise SystemExit("no line of linnet-bench mls came in")
PICTURE.write_text("\n".join(draw(points)) + "\n")
print(PICTURE)
