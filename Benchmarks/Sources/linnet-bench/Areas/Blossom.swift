import Foundation
import NostrNIPs

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `linnet blossom` on loopback: downloads against nginx over the same folder, uploads against the disk and SHA-256
/// alone, and its memory after 2 GB came in one piece.
let blossom = Area(name: "blossom") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A process of its own, since what others brought counts in the most it ever had.
    let memory = try mostMemory(folder.appending(path: "film"))
    let data = folder.appending(path: "data")
    let (program, server) = try startBlossom(data)
    defer { program.stop() }
    let downloads = try await downloading(server, data.appending(path: "blobs"), folder, setting.seed)
    return try [memory] + uploading(server, folder, setting.seed) + downloads
}

private let megabyte = 1 << 20

/// How many clients there are at once, each with a connection that it keeps: more than there are cores, so that the
/// server never waits for one.
private let clients = 4

private func startBlossom(_ folder: URL) throws -> (RunningProgram, HTTPServer) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = try RunningProgram("blossom", in: folder, ["--max-size", "3GB"])
    guard let port = program.said.split(separator: ":").last.flatMap({ UInt16($0) }) else {
        program.stop()
        throw HTTPServer.NoAnswer()
    }
    return (program, HTTPServer(port: port))
}

private func mostMemory(_ folder: URL) throws -> Measurement {
    let (program, server) = try startBlossom(folder)
    defer {
        program.stop()
        try? FileManager.default.removeItem(at: folder)
    }
    let film = BenchBlob(number: 0, rest: [UInt8](repeating: 0, count: megabyte), times: 2048)
    try BlobConnection(server).bring(film, token: BlobPerson().token(for: film, at: server))
    return Measurement(
        name: "blossom-memory", value: program.mostMemory, unit: "MB",
        what: "the most memory of a media server that was brought 2 GB in one piece")
}

// MARK: uploads

/// Four people bring 8 MB blobs at once; the disk and SHA-256 are asked for the same, in turns, so that what else the
/// machine does meets all.
private func uploading(_ server: HTTPServer, _ folder: URL, _ seed: UInt64) throws -> [Measurement] {
    let people = (0..<clients).map { _ in BlobPerson() }
    var random = Draws(state: seed)
    let rest = randomBlock(8 * megabyte - 8, &random)
    var (brought, written, hashed): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<5 {
        let blobs = (0..<4 * clients).map { BenchBlob(number: UInt64(round * 100 + $0), rest: rest, times: 1) }
        let tokens = try blobs.enumerated().map { try people[$0 % clients].token(for: $1, at: server) }
        let amount = Double(blobs.count * 8)
        let bringing = try seconds { try bring(blobs, tokens, to: server) }
        let writing = try seconds { try keep(blobs, in: folder) }
        // At once, so that the next turn does not find the disk busy with it.
        for place in blobs.indices {
            try FileManager.default.removeItem(at: folder.appending(path: "raw-\(place)-kept"))
        }
        let hashing = seconds { for blob in blobs { _ = blob.hash } }
        brought.append(amount / bringing)
        written.append(amount / writing)
        hashed.append(amount / hashing)
    }
    let (disk, hash) = (median(written), median(hashed))
    return [
        Measurement(
            name: "blossom-upload", value: median(brought), unit: "MB/s",
            what: "8 MB blobs from 4 clients at once, each checked and durable when it is answered, median of 5"),
        Measurement(
            name: "blossom-upload-disk", value: disk, unit: "MB/s",
            what: "the same files written, synced, renamed and their names synced by 4 threads"),
        Measurement(
            name: "blossom-upload-sha256", value: hash, unit: "MB/s", what: "the same bytes hashed by one core"),
        Measurement(name: "blossom-upload-limit", value: min(disk, hash), unit: "MB/s", what: "the lower of both"),
    ]
}

private func bring(_ blobs: [BenchBlob], _ tokens: [String], to server: HTTPServer) throws {
    try atOnce(clients) { client in
        let connection = try BlobConnection(server)
        for place in stride(from: client, to: blobs.count, by: clients) {
            try connection.bring(blobs[place], token: tokens[place])
        }
    }
}

private func keep(_ blobs: [BenchBlob], in folder: URL) throws {
    try atOnce(clients) { client in
        for place in stride(from: client, to: blobs.count, by: clients) {
            try store(blobs[place], folder.appending(path: "raw-\(place)").path)
        }
    }
}

private func store(_ blob: BenchBlob, _ file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw HTTPServer.NoAnswer() }
    defer { close(descriptor) }
    for part in blob.parts { try writeAll(part, to: descriptor) }
    guard fsync(descriptor) == 0, rename(file, file + "-kept") == 0 else { throw HTTPServer.NoAnswer() }
    try syncFolder(of: file)
}

/// Waits until a file's name is on the disk, too.
///
/// What a server answers for is there under its name after a power cut, so
/// the disk is asked for the same, once for each file. A server's further waits (new folders, its records) are its own.
private func syncFolder(of file: String) throws {
    let folder = open((file as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY)
    guard folder >= 0 else { throw HTTPServer.NoAnswer() }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw HTTPServer.NoAnswer() }
}

// MARK: downloads

/// Four clients get 1 MB blobs over connections that they keep, from the media server and from nginx in turns.
private func downloading(
    _ server: HTTPServer, _ blobFolder: URL, _ folder: URL, _ seed: UInt64
) async throws -> [Measurement] {
    var random = Draws(state: seed &+ 1)
    let rest = randomBlock(megabyte - 8, &random)
    let blobs = (0..<64).map { BenchBlob(number: $0, rest: rest, times: 1) }
    let (person, connection) = (BlobPerson(), try BlobConnection(server))
    for blob in blobs { try connection.bring(blob, token: person.token(for: blob, at: server)) }
    let names = try blobs.map { try $0.name.hex }
    let ours = names.map { "/\($0)" }
    guard let nginx = try await Nginx.start(over: blobFolder, in: folder) else {
        let words = "blossom: nginx is not here, so downloads are compared with nothing; scripts/nginx.sh fetches it\n"
        FileHandle.standardError.write(Data(words.utf8))
        return [downloadFigure(try (0..<9).map { _ in try downloadRate(server, ours) })]
    }
    defer { nginx.stop() }
    let theirs = names.map { "/\($0.prefix(2))/\($0.dropFirst(2).prefix(2))/\($0)" }
    for (server, path) in [(server, ours[7]), (nginx.server, theirs[7])] {
        let content = blobs[7].parts.flatMap { $0 }
        guard try BlobConnection(server).get(path) == content else { throw HTTPServer.NoAnswer() }
    }
    // Both have opened every file once before a figure counts.
    _ = try (downloadRate(server, ours), downloadRate(nginx.server, theirs))
    var (given, sent): ([Double], [Double]) = ([], [])
    for _ in 0..<9 {
        given.append(try downloadRate(server, ours))
        sent.append(try downloadRate(nginx.server, theirs))
    }
    return [
        downloadFigure(given),
        Measurement(
            name: "blossom-download-nginx", value: median(sent), unit: "MB/s",
            what: "the same from nginx, over the same folder"),
    ]
}

private func downloadFigure(_ rates: [Double]) -> Measurement {
    Measurement(
        name: "blossom-download", value: median(rates), unit: "MB/s",
        what: "1 MB blobs given to 4 clients with a connection each, median of 9")
}

/// Megabytes a second.
private func downloadRate(_ server: HTTPServer, _ paths: [String]) throws -> Double {
    let each = 150
    let time = try seconds {
        try atOnce(clients) { client in
            let connection = try BlobConnection(server)
            for turn in 0..<each {
                guard try connection.pass(paths[(client * 16 + turn) % paths.count]) == megabyte else {
                    throw HTTPServer.NoAnswer()
                }
            }
        }
    }
    return Double(clients * each) / time
}

// MARK: the machinery

private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Bytes that no disk makes smaller.
private func randomBlock(_ count: Int, _ random: inout Draws) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(count + 8)
    while block.count < count { withUnsafeBytes(of: random.next()) { block.append(contentsOf: $0) } }
    return Array(block.prefix(count))
}

/// Does something on so many threads at once, which may wait.
private func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failures = FailureCount()
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            do { try body(number) } catch { failures.add() }
            group.leave()
        }
    }
    group.wait()
    guard failures.isNone else { throw HTTPServer.NoAnswer() }
}

/// How often something failed on several threads.
private final class FailureCount: @unchecked Sendable {
    // Guarded by the lock, each time.
    private let lock = NSLock()
    private var count = 0

    var isNone: Bool { lock.withLock { count == 0 } }

    func add() { lock.withLock { count += 1 } }
}
