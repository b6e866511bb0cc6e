import GRDB
import Synchronization
import Testing

@testable import SQLiteStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("What is brought to the disk a second after it was written")
struct DelayedFlushTests {
    /// What the disk was asked to take.
    private final class Disk: Sendable {
        private let names = Mutex<[String]>([])

        var taken: [String] { names.withLock { $0 } }

        func take(_ name: String) -> Int32? {
            names.withLock { $0.append(name) }
            return nil
        }
    }

    private let folder: TemporaryFolder
    private let database: OpenDatabase
    private let disk = Disk()
    private let clock = HeldWork()
    private let flush: DelayedFlush
    private var both: [String] { [folder.file("signer.sqlite-wal"), folder.path] }

    init() throws {
        folder = try TemporaryFolder()
        database = try openDatabase(
            at: folder.file("signer.sqlite"), options: DatabaseOptions(), migrator: signerMigrator())
        flush = DelayedFlush(database, later: clock.later, bringToDisk: disk.take)
    }

    @Test("the log and its name are taken by the disk while another writes")
    func besideTheWriter() throws {
        flush.isDue()
        #expect(disk.taken.isEmpty && clock.delays == [.seconds(1)])
        try database.pool.writeWithoutTransaction { db in
            try db.inTransaction {
                clock.pass()
                return .commit
            }
        }
        #expect(disk.taken == both)
        try database.close()
    }

    @Test("what is written within a second shares one flush, what is written later has the next")
    func together() throws {
        for _ in 0..<3 { flush.isDue() }
        #expect(clock.count == 1)
        clock.pass()
        #expect(disk.taken == both && clock.count == 0)
        flush.isDue()
        #expect(clock.count == 1)
        clock.pass()
        #expect(disk.taken == both + both)
        try database.close()
    }

    @Test("after the end nothing is asked of the disk")
    func closed() throws {
        flush.isDue()
        flush.close()
        try database.close()
        clock.pass()
        #expect(disk.taken.isEmpty)
    }

    @Test("the disk takes a file and a folder; what is not there is passed over, a refusal is told")
    func asked() throws {
        #expect(bringToDisk(folder.path) == nil)
        #expect(bringToDisk(folder.file("signer.sqlite-wal")) == nil)
        #expect(bringToDisk(folder.file("nothing")) == nil)
        #if canImport(Glibc)
            // What takes everything has no disk to bring it to.
            #expect(bringToDisk("/dev/null") == EINVAL)
        #endif
        try database.close()
    }
}
