internal import AsyncPrimitives
internal import Foundation
internal import Logging
package import NostrCore
package import NostrStore

/// Files of chats that no media server has taken yet: brought one after the other, tried again for about two days.
///
/// What was sealed lies on the disk as it goes out, what opens it in the vault; both go once the message is out, or when
/// the person takes it back. Nothing happens while the account is locked.
package actor UnsentFiles {
    /// Brings a file to media servers, and sends what names it.
    ///
    /// Durable with what it sends: ``removal(of:)``, or ``change(_:)`` where something of it is still to follow.
    package typealias Delivery = @Sendable (UnsentFileRecord, [UInt8]) async throws -> EventID

    /// The most files that wait, and how many bytes of them.
    package static let most = 32, mostBytes = 256 << 20
    /// How long a page waits for a file to go.
    package static let patience: Duration = .seconds(20)
    /// How many answers, and pressings of Send, are kept.
    private static let mostSent = 64

    private let context: AccountContext
    private let sealed: SealedRecords
    private let table: String
    /// Where what was sealed lies; `nil` where there is no folder, and nothing can wait.
    private let place: URL?
    private let changed: @Sendable (UnsentFileRecord) -> Void
    private var files: [String: UnsentFileRecord] = [:]
    /// Those that are being written to the disk.
    private var coming: [String: UnsentFileRecord] = [:]
    /// Those whose message is being written to the disk: from then on it goes out.
    private var leaving: Set<String> = []
    /// What was taken up lately, by what tells one pressing of Send from another.
    private var pressings: [String: String] = [:]
    /// The messages with files that went lately.
    private var sent: [String: EventID] = [:]
    private var isLoaded = false
    private var isWiped = false
    private var busy: (id: String, stop: Doorbell)?
    private let bell = Doorbell()
    /// Tells which file stands otherwise than before.
    private let ended = Broadcast<String>()

    /// The files of one sort of chat.
    ///
    /// - Parameters:
    ///   - table: where they rest in the vault, a group for each chat.
    ///   - changed: told of each that stands otherwise than before.
    package init(
        _ unlocked: UnlockedContext, in table: String, changed: @escaping @Sendable (UnsentFileRecord) -> Void
    ) {
        context = unlocked.account
        sealed = unlocked.sealed
        self.table = table
        place = unlocked.account.media.map { MediaFolder(path: $0.folder).unsent(table) }
        self.changed = changed
    }

    /// Whether files can wait here.
    package nonisolated var isAvailable: Bool { place != nil }

    /// The change that forgets a file.
    package nonisolated func removal(of file: UnsentFileRecord) -> RecordChange { sealed.remove(address(of: file)) }

    /// The change that keeps what is known of a file.
    package nonisolated func change(_ file: UnsentFileRecord) throws -> RecordChange {
        try sealed.put(file.bytes(), at: address(of: file))
    }

    private nonisolated func address(of file: UnsentFileRecord) -> SealedRecords.Address {
        .init(table, group: file.chat, file.id)
    }

    /// A new name for a file.
    package nonisolated func newName() -> String { encodeHex(context.random.bytes(16)) }

    // MARK: - What screens ask

    /// Takes a file up; it is durable before this returns.
    ///
    /// - Parameter pressing: tells one pressing of Send from another; the second time nothing is taken up.
    /// - Returns: what the file is called here, also where it was taken up before.
    /// - Throws: ``SealedFileError/tooManyWait(limit:)``, and what the disk says.
    package func add(_ file: UnsentFileRecord, _ encrypted: [UInt8], by pressing: String?) async throws -> String {
        try await load()
        guard let place else { throw SealedFileError.unavailable }
        if let pressing, let earlier = pressings[pressing] { return earlier }
        let waiting = Array(files.values) + coming.values
        let bytes = waiting.reduce(encrypted.count) { $0 + $1.size }
        guard waiting.count < Self.most, bytes <= Self.mostBytes else {
            throw SealedFileError.tooManyWait(limit: Self.most)
        }
        var file = file
        (file.number, file.addedAt) = ((waiting.map(\.number).max() ?? 0) + 1, context.time.now().seconds)
        coming[file.id] = file
        defer { coming[file.id] = nil }
        if let pressing { remember(pressing, file.id) }
        let path = place.appendingPathComponent(file.id)
        do {
            try MediaFolder.write(encrypted, to: path)
            try await sealed.apply([try change(file)])
        } catch {
            remove(path)
            pressings = pressings.filter { $0.value != file.id }
            ended.send(file.id)
            throw error
        }
        // Locked meanwhile: it goes on with the next unlock.
        guard !isWiped else { return file.id }
        files[file.id] = file
        changed(file)
        bell.ring()
        return file.id
    }

    private func remember(_ pressing: String, _ id: String) {
        if pressings.count >= Self.mostSent { pressings = [:] }
        pressings[pressing] = id
    }

    /// Waits until a file was tried for the first time.
    ///
    /// - Returns: the message it went out with; `nil` where it still waits, failed, or was taken back.
    package func wait(for id: String, atMost span: Duration) async -> EventID? {
        await wait(atMost: span) { $0.isBeforeItsFirstTry(id) }
        return sent[id]
    }

    /// Waits as long as something holds; looks again whenever a file stands otherwise.
    private func wait(
        atMost span: Duration, while holds: @escaping @Sendable (isolated UnsentFiles) -> Bool
    ) async {
        let news = ended.listen()
        _ = await withDeadline(span, on: context.time.clock) {
            guard await holds(self) else { return }
            for await _ in news where await !holds(self) { return }
        }
    }

    private func isBeforeItsFirstTry(_ id: String) -> Bool {
        guard let file = files[id] else { return coming[id] != nil }
        return busy?.id == id || (file.attempts == 0 && !file.hasFailed)
    }

    /// The files of a chat that wait, in the order they were sent in; none where that cannot be read.
    package func files(in chat: String) async -> [UnsentFile] {
        await loadIfPossible()
        return files.values.filter { $0.chat == chat }.sorted { $0.number < $1.number }.map {
            $0.shown(isUnderWay: busy?.id == $0.id)
        }
    }

    /// The chats in which files wait; none where that cannot be read.
    package func chats() async -> Set<String> {
        await loadIfPossible()
        return Set(files.values.map(\.chat))
    }

    /// Tries a file anew; nothing happens to one that is not there, or is being brought at this moment.
    ///
    /// - Parameter readers: those it may go to from now on, in a circle.
    package func retry(_ id: String, in chat: String, for readers: [String]? = nil) async throws {
        try await load()
        guard var file = files[id], file.chat == chat, busy?.id != id else { return }
        file.begin(for: readers)
        try await sealed.apply([try change(file)])
        guard files[id] != nil else {
            // Taken back, or sent, meanwhile.
            if !isWiped { try await sealed.apply([removal(of: file)]) }
            return
        }
        files[id]?.begin(for: readers)
        changed(file)
        bell.ring()
    }

    /// Takes a file back, stopping what is done with it.
    ///
    /// - Throws: ``SealedFileError/onItsWay`` for one whose message goes out at this moment.
    package func remove(_ id: String, in chat: String) async throws {
        try await load()
        guard let file = files[id], file.chat == chat else { return }
        guard try await takeBack(file) else { throw SealedFileError.onItsWay }
    }

    /// Takes back everything in a chat; what is on its way has left when this returns.
    ///
    /// - Throws: ``SealedFileError/onItsWay`` where that takes too long.
    package func removeAll(in chat: String) async throws {
        try await load()
        for file in files.values where file.chat == chat {
            if try await !takeBack(file), leaving.contains(file.id) { throw SealedFileError.onItsWay }
        }
    }

    /// Forgets a file.
    ///
    /// - Returns: whether it had not left.
    private func takeBack(_ file: UnsentFileRecord) async throws -> Bool {
        if leaving.contains(file.id) {
            await wait(atMost: Self.patience) { $0.leaving.contains(file.id) }
            guard !isWiped else { throw MessagingError.locked }
            guard !leaving.contains(file.id), files[file.id] != nil else { return false }
        }
        files[file.id] = nil
        pressings = pressings.filter { $0.value != file.id }
        if let busy, busy.id == file.id { busy.stop.ring() }
        try await sealed.apply([removal(of: file)])
        if let place { remove(place.appendingPathComponent(file.id)) }
        changed(file)
        ended.send(file.id)
        return true
    }

    /// Says that the message with a file is now written to the disk, after which nobody can take it back.
    ///
    /// - Throws: `CancellationError` where the file was taken back before.
    package func claim(_ id: String) throws {
        guard files[id] != nil, !isWiped else { throw CancellationError() }
        leaving.insert(id)
    }

    /// The message was not written after all, and is made anew.
    package func release(_ id: String) {
        leaving.remove(id)
        ended.send(id)
    }

    /// What is known of a file changed, and is durable already.
    package func note(_ file: UnsentFileRecord) {
        if files[file.id] != nil { files[file.id] = file }
    }

    /// What signs is there again: what may have waited for it goes on.
    package func signerDidReturn() {
        for id in files.keys { files[id]?.next = 0 }
        bell.ring()
    }

    /// Looks again for what is to be done.
    package func wake() { bell.ring() }

    /// Forgets what opens the files.
    package func wipe() {
        isWiped = true
        let ids = Array(files.keys)
        (files, sent, pressings) = ([:], [:], [:])
        for id in ids { ended.send(id) }
    }

    // MARK: - Bringing

    /// Brings files until cancelled.
    package func run(_ deliver: @escaping Delivery) async {
        guard place != nil else { return }
        while !Task.isCancelled {
            do { try await load() } catch {
                context.report("files that wait could not be read from disk", error)
                await context.time.pause(for: context.configuration.housekeeping)
                continue
            }
            await dropDisappeared()
            if let file = due() {
                await work(on: file, deliver)
            } else {
                await bell.wait(atMost: pause(), on: context.time.clock)
            }
        }
    }

    /// What was to disappear by now, and could not be sent, goes.
    private func dropDisappeared() async {
        let now = context.time.now().seconds
        for file in files.values where file.disappears.map({ $0 <= now }) == true {
            do { _ = try await takeBack(file) } catch {
                context.report("a file that was to disappear could not be deleted", error)
            }
        }
    }

    private func due() -> UnsentFileRecord? {
        let now = context.time.now().seconds
        return files.values.filter { !$0.hasFailed && $0.next <= now }.min { $0.number < $1.number }
    }

    private func pause() -> Duration {
        let now = context.time.now().seconds
        let next = files.values.compactMap { $0.hasFailed ? $0.disappears : $0.next }.min()
        return .seconds(min(3600, max(1, (next ?? now + 3600) - now)))
    }

    private func work(on file: UnsentFileRecord, _ deliver: @escaping Delivery) async {
        let stop = Doorbell()
        busy = (file.id, stop)
        changed(file)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.attempt(file, deliver) }
            group.addTask { await stop.wait() }
            await group.next()
            group.cancelAll()
        }
        busy = nil
        leaving.remove(file.id)
        changed(file)
        ended.send(file.id)
    }

    private func attempt(_ file: UnsentFileRecord, _ deliver: Delivery) async {
        do {
            let event = try await deliver(file, try bytes(of: file))
            settle(file, event)
        } catch {
            // Stopped: by the person, who takes it back, or by the lock, after which it goes on.
            if Task.isCancelled { return }
            await fail(file.id, error)
        }
    }

    /// What is to be brought; nothing where only words are to follow.
    private func bytes(of file: UnsentFileRecord) throws -> [UInt8] {
        guard file.sent == nil, let place else { return [] }
        // What is gone, as after the vault was put back from a backup, does not come again.
        do { return [UInt8](try Data(contentsOf: place.appendingPathComponent(file.id))) } catch {
            throw SealedFileError.notSent
        }
    }

    /// It is out, and nothing of it is in the vault any more.
    private func settle(_ file: UnsentFileRecord, _ event: EventID) {
        if let place { remove(place.appendingPathComponent(file.id)) }
        guard files.removeValue(forKey: file.id) != nil else { return }
        if sent.count >= Self.mostSent { sent = [:] }
        sent[file.id] = event
    }

    private func fail(_ id: String, _ error: any Error) async {
        guard var file = files[id] else { return }
        if !(error is SealedFileError) { context.report("a file that waits could not be sent", error) }
        file.fail(error, now: context.time.now())
        files[id] = file
        do {
            try await sealed.apply([try change(file)])
            // Taken back meanwhile.
            if files[id] == nil, !isWiped { try await sealed.apply([removal(of: file)]) }
        } catch { context.report("how a file stands could not be kept", error) }
    }

    /// Reads what rests in the vault; what was said is shown also where that fails.
    private func loadIfPossible() async {
        guard !isWiped else { return }
        do { try await load() } catch { context.report("files that wait could not be read from disk", error) }
    }

    /// Reads what rests in the vault; does nothing the second time.
    private func load() async throws {
        guard !isWiped else { throw MessagingError.locked }
        guard !isLoaded, let place else { return }
        let kept = try await sealed.values(in: table) { UnsentFileRecord($0) }
        guard !isLoaded, !isWiped else { return }
        let isWhole = !kept.contains { $0 == nil }
        if !isWhole { context.log.error("a file that waits could not be read back") }
        for case let file? in kept { files[file.id] = file }
        // Another version may read what this one cannot, and then needs its bytes.
        try MediaFolder.prepare(place, keeping: isWhole ? Set(files.keys) : nil)
        isLoaded = true
    }

    private func remove(_ path: URL) {
        // What cannot be deleted now goes at the next unlock.
        try? FileManager.default.removeItem(at: path)
    }
}
