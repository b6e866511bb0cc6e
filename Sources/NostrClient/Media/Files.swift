internal import AsyncPrimitives
internal import Foundation
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore
internal import Synchronization

/// The account's files: prepared, queued on disk, brought to the first server that takes them, copied to the others.
///
/// A file and its record rest on disk until every server said yes or no, so that an upload outlives the program. What
/// each server said is kept with the file. Sending, keeping, listing and sealed files have a file each: all of them work on
/// the one queue.
public actor Files {
    static let table = "file"
    /// How many files are sent at the same time.
    private static let width = 2
    /// How many files are remembered.
    private static let mostKept = 5000

    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let publishing: Publishing
    nonisolated let replaceable: ReplaceableEvents
    nonisolated let finder: MediaFinder

    var files: [String: OwnFile] = [:]
    /// How many bytes of each are on their way.
    nonisolated let sent = SentBytes()
    /// Files that wait until the signer can be asked.
    var unsigned: Set<String> = []
    private var isLoaded = false
    private var busy: [String: Doorbell] = [:]
    private let bell = Doorbell()
    /// Tells which file stands otherwise than before.
    nonisolated let ended = Broadcast<String>()

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing, replaceable: ReplaceableEvents) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.replaceable = replaceable
        finder = MediaFinder(context, gossip: gossip, signer: publishing.signer)
    }

    nonisolated var folder: MediaFolder? { context.media.map { MediaFolder(path: $0.folder) } }

    /// What speaks with servers in the account's name.
    ///
    /// - Throws: ``AccountError`` for an account without a key, or where there are no media.
    nonisolated func client() async throws -> BlobClient {
        guard let signer = publishing.signer, let reach = try await context.serverReach() else {
            throw AccountError.readOnly
        }
        return BlobClient(reach: reach, signer: signer, time: context.time)
    }

    /// Sends and copies files until cancelled.
    func run() async {
        guard context.media != nil else { return }
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do { try await load() } catch {
                    context.report("files could not be read from disk", error)
                    await context.time.pause(for: context.configuration.housekeeping)
                    continue
                }
                for id in dueFiles() {
                    let stop = Doorbell()
                    busy[id] = stop
                    group.addTask { await self.work(on: id, until: stop) }
                }
                await bell.wait(atMost: pause(), on: context.time.clock)
            }
        }
    }

    /// Reads what is on disk; does nothing the second time.
    func load() async throws {
        guard !isLoaded, let folder else { return }
        let kept = try await context.records.records(in: Self.table)
        guard !isLoaded else { return }
        for record in kept {
            // What another version wrote differently is not taken up.
            guard let file = try? JSONDecoder().decode(OwnFile.self, from: Data(record.value)) else { continue }
            files[file.id] = file
        }
        try folder.prepare(keeping: Set(files.values.filter(\.needsItsBytes).map(\.id)))
        isLoaded = true
        for file in files.values where file.isSealed == true && !file.isOnItsWay { try await forget(file.id) }
    }

    private func dueFiles() -> [String] {
        let now = context.time.now().seconds
        let due = files.values.filter { file in
            busy[file.id] == nil && !unsigned.contains(file.id) && file.due.map { $0 <= now } ?? false
        }
        return due.sorted { ($0.added, $0.id) < ($1.added, $1.id) }.prefix(max(0, Self.width - busy.count)).map(\.id)
    }

    private func pause() -> Duration {
        let now = context.time.now().seconds
        let next = files.values.filter { busy[$0.id] == nil && !unsigned.contains($0.id) }.compactMap(\.due).min()
        return .seconds(min(3600, max(1, (next ?? now + 3600) - now)))
    }

    private func work(on id: String, until stop: Doorbell) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.bring(id) }
            group.addTask { await stop.wait() }
            await group.next()
            group.cancelAll()
        }
        busy[id] = nil
        sent.forget(id)
        ended.send(id)
        bell.ring()
    }

    private func bring(_ id: String) async {
        guard let file = files[id] else { return }
        do {
            if file.stored == nil { try await bringFirst(file) } else { try await copy(file) }
        } catch let failure as SigningFailure {
            switch failure {
            case .locked, .timedOut, .unreachable, .noPage: unsigned.insert(id)
            case .readOnly, .refused, .cannotEncrypt, .wrongAnswer, .said: await end(id) { $0.isUnsigned = true }
            }
        } catch {
            // Stopped: by the person, who takes it back, or by the end of the program, after which it goes on.
            if error is CancellationError || Task.isCancelled { return }
            context.report("a file could not be sent", error)
            await end(id) { _ in }
        }
    }

    private func end(_ id: String, _ change: (inout OwnFile) -> Void) async {
        guard var file = files[id] else { return }
        change(&file)
        if file.stored == nil {
            file.standing = .failed
        } else {
            for place in file.places.indices where file.places[place].standing == .waiting {
                file.places[place].standing = .failed
            }
        }
        do {
            // What was sent in private is remembered no longer than it takes.
            if file.isSealed == true { try await forget(id) } else { try await keep(file) }
        } catch {
            files[id] = file
            context.report("a file's standing could not be kept", error)
        }
    }

    /// Makes a file's standing durable.
    func keep(_ file: OwnFile) async throws {
        // Taken back meanwhile.
        guard files[file.id] != nil else { return }
        files[file.id] = file
        try await context.records.put([UInt8](JSONEncoder().encode(file)), for: file.id, in: Self.table)
        if !file.needsItsBytes, let folder { folder.remove(folder.outgoing(file.id)) }
        ended.send(file.id)
    }

    /// Takes a file up.
    func insert(_ file: OwnFile) async throws {
        files[file.id] = file
        do {
            try await context.records.put([UInt8](JSONEncoder().encode(file)), for: file.id, in: Self.table)
        } catch {
            files[file.id] = nil
            throw error
        }
        if files.count > Self.mostKept { try await forgetOldest() }
        bell.ring()
    }

    private func forgetOldest() async throws {
        let over = files.values.filter { !$0.isOnItsWay }.sorted { $0.added < $1.added }
            .prefix(files.count - Self.mostKept)
        for file in over { try await forget(file.id) }
    }

    /// Forgets a file, stopping what is done with it.
    func forget(_ id: String) async throws {
        files[id] = nil
        unsigned.remove(id)
        busy[id]?.ring()
        try await context.records.apply([.remove(table: Self.table, key: id)])
        if let folder { folder.remove(folder.outgoing(id)) }
        ended.send(id)
    }

    /// What signs is there again: what waited for it goes on.
    func signerDidReturn() {
        unsigned = []
        bell.ring()
    }

    /// Looks again for what is to be done.
    func wake() { bell.ring() }

    func snapshot(_ file: OwnFile) -> FileUpload {
        FileUpload(file, sent: sent[file.id], awaitsSigner: unsigned.contains(file.id))
    }
}

/// How many bytes of each file are on their way; told by whatever sends them.
final class SentBytes: Sendable {
    private let state = Mutex<[String: Int64]>([:])

    subscript(_ id: String) -> Int64? { state.withLock { $0[id] } }

    func note(_ count: Int64, of id: String) {
        state.withLock { $0[id] = count }
    }

    func forget(_ id: String) {
        state.withLock { $0[id] = nil }
    }
}
