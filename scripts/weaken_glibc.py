"""Lets a library that names a newer glibc than this system's load, if it can do without what is new.

A library says which versions of glibc's symbols it needs. Where every symbol of a version is weak, the library asks at
run time whether it is there; then the version itself can be weak too (ELF: VER_FLG_WEAK in .gnu.version_r). A library
with a symbol that must be there is left alone, and it is said.

usage: weaken_glibc.py LIBRARY VERSION, such as libfoo.so GLIBC_2.39
"""
import struct
import sys

SECTION_DYNAMIC_SYMBOLS, SECTION_NEEDED_VERSIONS, SECTION_SYMBOL_VERSIONS = 11, 0x6FFFFFFE, 0x6FFFFFFF
WEAK_VERSION, WEAK_SYMBOL = 2, 2


class Library:
    """An ELF file of 64 bits, little end first."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit("not an ELF file of 64 bits")
        self.data = data
        start, = struct.unpack_from("<Q", data, 0x28)
        size, count = struct.unpack_from("<HH", data, 0x3A)
        fields = [struct.unpack_from("<IIQQQQIIQQ", data, start + place * size) for place in range(count)]
        self.sections = [dict(kind=f[1], offset=f[4], size=f[5], link=f[6]) for f in fields]

    def section(self, kind):
        return next(section for section in self.sections if section["kind"] == kind)

    def text(self, strings, offset):
        start = self.sections[strings]["offset"] + offset
        return bytes(self.data[start : self.data.index(0, start)]).decode()

    def needed_versions(self):
        """(offset, number, name) of every version the library needs."""
        section = self.section(SECTION_NEEDED_VERSIONS)
        need = section["offset"]
        while True:
            _, count, _, first, following = struct.unpack_from("<HHIII", self.data, need)
            entry = need + first
            for _ in range(count):
                _, _, number, name, step = struct.unpack_from("<IHHII", self.data, entry)
                yield entry, number, self.text(section["link"], name)
                entry += step
            if following == 0:
                return
            need += following

    def strong_symbols(self, number):
        """The names of symbols of a version that must be there."""
        symbols, versions = self.section(SECTION_DYNAMIC_SYMBOLS), self.section(SECTION_SYMBOL_VERSIONS)
        for place in range(versions["size"] // 2):
            version, = struct.unpack_from("<H", self.data, versions["offset"] + 2 * place)
            name, info = struct.unpack_from("<IB", self.data, symbols["offset"] + 24 * place)
            if version & 0x7FFF == number and info >> 4 != WEAK_SYMBOL:
                yield self.text(symbols["link"], name)


def main(path, wanted):
    with open(path, "rb") as file:
        library = Library(bytearray(file.read()))
    for entry, number, name in library.needed_versions():
        if name != wanted:
            continue
        strong = list(library.strong_symbols(number))
        if strong:
            raise SystemExit(f"{path} cannot do without {', '.join(strong)} of {wanted}")
        flags, = struct.unpack_from("<H", library.data, entry + 4)
        struct.pack_into("<H", library.data, entry + 4, flags | WEAK_VERSION)
    with open(path, "wb") as file:
        file.write(library.data)


if __name__ == "__main__":
    main(*sys.argv[1:])
