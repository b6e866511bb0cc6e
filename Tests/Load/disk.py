"""Files removed, replaced or damaged under the running program, and no room: nothing is acknowledged onto nothing.

    disk.py BINARY FOLDER all|failures     the cases that need a file system of their own, inside a mount namespace; used by itself
"""
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys

import nostr_sdk

from attacks import WORDS, address
from programs import NotStarted, Program, quiet, seeded, signed
from publishing import Publisher, there
from sockets import Socket
from table import Table

HERE = os.path.dirname(os.path.abspath(__file__))
MANY = 40
# A namespace of one's own is root's, or anybody's where the system lets users have them.
NAMESPACES = (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"])


def database(data):
    return f"{data}/events.sqlite"


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def remove(data, ending=""):
    os.remove(database(data) + ending)


def replace(data):
    """A file of the same form, as a restored copy is."""
    shutil.copy(f"{os.path.dirname(data)}/spare", database(data) + ".new")
    os.replace(database(data) + ".new", database(data))


def cut(data):
    with open(database(data), "r+b") as file:
        file.truncate(4096 * 8)


def header(data):
    with open(database(data), "r+b") as file:
        file.write(os.urandom(100))


def pages(data):
    """All but the first page is noise."""
    size = os.path.getsize(database(data))
    with open(database(data), "r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))


# What is done, and whether the program sees it by itself at the next commit; else when it reads.
HARMS = {
    "removed": remove,
    "log removed": lambda data: remove(data, "-wal"),
    "index removed": lambda data: remove(data, "-shm"),
    "folder moved": lambda data: os.rename(data, data + "-away"),
    "replaced": replace,
    "cut short": cut,
    "header damaged": header,
    "pages damaged": pages,
}


class Disk:
    """Cases in a folder: before each, a program over a copy of the same store."""

    def __init__(self, binary, table, folder):
        self.binary, self.table, self.folder = binary, table, folder
        os.makedirs(folder, exist_ok=True)
        # Cases may go on side by side.
        self.keys, self.batches, self.names = nostr_sdk.Keys.generate(), itertools.count(), itertools.count()
        self.seed = seeded(binary, folder, self.events(500))
        shutil.copy(database(self.seed), f"{folder}/spare")

    def events(self, count):
        return signed(self.keys, count, 1_700_000_000 + 5000 * next(self.batches), WORDS)

    def place(self):
        return f"{self.folder}/{next(self.names)}"

    def publish(self, port, count=MANY):
        """One after the other, so that each is a commit; a connection that breaks is no acknowledgement.

        What was acknowledged, and how many were not.
        """
        acknowledged, publisher = [], None
        for event in self.events(count):
            try:
                publisher = publisher or Publisher(port, address(1))
                publisher.publish([event])
            except (OSError, ConnectionError):
                publisher = None
                continue
            acknowledged += publisher.acknowledged
            publisher.acknowledged = []
        return acknowledged, count - len(acknowledged)

    def found(self, data, identities):
        """How many of these are at this place: what a program that is started there says."""
        if not identities:
            return 0
        try:
            program = Program(self.binary, "relay", data, log=f"{data}.look.log")
        except NotStarted:
            return 0
        try:
            return len(there(program.port, address(1), identities))
        except ConnectionError:
            return 0
        finally:
            program.end()

    def check(self, title, data, acknowledged, refused, wanted=None):
        found = self.found(data, acknowledged)
        self.table.check(title, "acknowledged and there", str(found), f"= {len(acknowledged)}",
                         found == len(acknowledged))
        self.table.check(title, "refused", str(refused), "some" if wanted is None else f"= {wanted}",
                         refused > 0 if wanted is None else refused == wanted)

    def harm(self, name):
        """A file is harmed under the program; from then on nothing is acknowledged, and nothing written there."""
        data, title = self.place(), f"disk: {name}"
        program = Program(self.binary, "relay", data, self.seed)
        before, _ = self.publish(program.port)
        self.table.check(title, "acknowledged before", str(len(before)), f"= {MANY}", len(before) == MANY)
        HARMS[name](data)
        if name == "pages damaged":
            self.questions(program.port)
        left = digest(database(data)) if os.path.exists(database(data)) else None
        acknowledged, refused = self.publish(program.port)
        program.end()
        after = digest(database(data)) if os.path.exists(database(data)) else None
        self.table.check(title, "the file afterwards", "as it was" if left == after else "changed", "as it was",
                         left == after)
        self.check(title, data, acknowledged, refused, wanted=MANY)

    @staticmethod
    def questions(port):
        """Asks until an answer says that something is wrong: what is kept in memory is read without a look at the file."""
        for _ in range(20):
            socket = Socket(port, address(1))
            socket.send(json.dumps(["REQ", "all", {"limit": 500, "kinds": [1]}]))
            while (answer := json.loads(socket.message()))[0] == "EVENT":
                pass
            socket.close()
            if answer[0] == "CLOSED":
                return
        raise ConnectionError("a damaged file is read without a word")

    def limited(self):
        """No file may grow beyond what is there: as where a quota is used up."""
        data, title = self.place(), "disk: quota"
        # Bytes are counted in blocks of 512; the signal is ignored, which the program takes over.
        most = (os.path.getsize(database(self.seed)) + 200_000) // 512
        through = ["sh", "-c", f"trap '' XFSZ; ulimit -f {most}; exec \"$@\"", "sh"]
        program = Program(self.binary, "relay", data, self.seed, through=through)
        acknowledged, refused = self.publish(program.port, 200)
        program.end()
        self.check(title, data, acknowledged, refused)
        self.importing(title, self.place(), through)

    def importing(self, title, data, through):
        """An import without room says no more than what is there, and that it failed."""
        shutil.copytree(self.seed, data)
        events = self.events(3000)
        with open(f"{self.folder}/lines.jsonl", "w", encoding="utf-8") as file:
            file.write("\n".join(events) + "\n")
        run = subprocess.run(
            [*through, self.binary, "import", f"{self.folder}/lines.jsonl", "--data", data], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=quiet(), check=False)
        told = json.loads(run.stdout)["stored"] if run.stdout.startswith("{") else 0
        found = self.found(data, [json.loads(event)["id"] for event in events])
        self.table.check(title, "import: told and there", f"{told} told, {found} there", "not fewer", found >= told)
        self.table.check(title, "import: status", str(run.returncode), "≠ 0", run.returncode != 0)

    def full(self):
        """A file system that is full, then has room again: a mount namespace of one's own."""
        data, title = self.place(), "disk: full"
        self.mount(data, "size=4m")
        shutil.copytree(self.seed, f"{data}/d")
        with open(f"{data}/ballast", "wb") as file:
            file.write(bytes(os.statvfs(data).f_bavail * os.statvfs(data).f_frsize - 400_000))
        program = Program(self.binary, "relay", f"{data}/d", log=f"{data}.log")
        acknowledged, refused = self.publish(program.port, 200)
        os.remove(f"{data}/ballast")
        again, still = self.publish(program.port)
        program.end()
        self.check(title, f"{data}/d", acknowledged + again, refused)
        self.table.check(title, "refused when there is room", str(still), "= 0", still == 0)

    def read_only(self):
        """A file system that turns read-only before the program starts."""
        data, title = self.place(), "disk: read-only"
        self.mount(data, "size=8m")
        shutil.copytree(self.seed, f"{data}/d")
        subprocess.run(["mount", "-o", "remount,ro", data], check=True)
        try:
            program = Program(self.binary, "relay", f"{data}/d", log=f"{data}.log")
        except NotStarted as failure:
            self.table.check(title, "a program that starts there", str(failure), "ends, or refuses", True)
            return
        acknowledged, refused = self.publish(program.port)
        program.end()
        self.table.check(title, "acknowledged", str(len(acknowledged)), "= 0", not acknowledged and refused == MANY)

    @staticmethod
    def mount(place, options):
        os.mkdir(place)
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)

    def inside(self):
        """The cases that mount, in a process of their own; how many did not hold."""
        for namespace in NAMESPACES:
            if subprocess.run([*namespace, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                command = [*namespace, sys.executable, f"{HERE}/disk.py", self.binary, f"{self.folder}/inside",
                           "all" if self.table.is_whole else "failures"]
                return subprocess.run(command, check=False).returncode
        print("disk: skipped: a full and a read-only disk need a mount namespace, which this system does not give",
              file=sys.stderr)
        return 0

    def cases(self):
        """All of them, each to be called."""
        def mounting():
            self.table.add(self.inside())
        return [*(lambda name=name: self.harm(name) for name in HARMS), self.limited, mounting]


def main():
    binary, folder, rows = sys.argv[1:]
    disk = Disk(binary, Table(is_whole=rows == "all", is_headed=False), folder)
    disk.full()
    disk.read_only()
    sys.exit(min(disk.table.failed, 100))


if __name__ == "__main__":
    main()
