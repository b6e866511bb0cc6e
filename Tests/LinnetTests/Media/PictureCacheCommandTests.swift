import ArgumentParser
import NostrClient
import Testing

@testable import linnet

@Suite("linnet files cache")
struct PictureCacheCommandTests {
    @Test("what is kept is a line of JSON")
    func line() {
        let usage = KeptMediaUsage(bytes: 300, count: 2, limit: KeptMediaUsage.usualLimit)
        #expect(
            PictureCacheCommand.text(of: usage, found: nil) == #"{"pictures":2,"bytes":300,"limit":268435456}"#)
        let found = KeptMediaUsage(bytes: 70, count: 1, limit: 256 << 20)
        #expect(
            PictureCacheCommand.text(of: usage, found: found)
                == #"{"pictures":2,"bytes":300,"limit":268435456,"found":1,"foundBytes":70}"#)
    }

    @Test("it takes a bound and whether to empty it")
    func arguments() throws {
        let command = try PictureCacheCommand.parse(["--limit", "64", "--empty"])
        #expect(command.empty && command.limit == "64")
        #expect(try !PictureCacheCommand.parse([]).empty)
    }
}
