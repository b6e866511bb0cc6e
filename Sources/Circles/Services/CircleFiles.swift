internal import AsyncPrimitives
internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Sealed files of circles: those that lines name, and the picture that a group has of its own.
///
/// They lie encrypted on media servers; here they are opened in memory only. Source: MIP-01, MIP-04.
public final class CircleFiles: Sendable {
    /// How often a file is sealed anew because the circle went on while it was uploaded.
    private static let mostTries = 3

    private let context: UnlockedContext
    private let store: CircleStore
    private let work: CircleWork
    private let messaging: CircleMessaging
    private let opened: SealedFiles
    /// Files that no media server has taken yet.
    private let unsent: UnsentFiles

    private var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, messaging: CircleMessaging) {
        (self.context, self.store, self.work, self.messaging) = (context, store, work, messaging)
        opened = SealedFiles(context.account, signedBy: context.signer, gossip: context.gossip)
        let changes = context.account.changes
        unsent = UnsentFiles(context, in: CircleTable.unsentFiles) { file in
            if let circle = CircleID(hex: file.chat) { changes.send(.circle(circle)) }
        }
    }

    /// Brings files that wait to media servers until cancelled.
    func run() async {
        let changes = account.changes.listen()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await change in changes {
                    switch change {
                    case .circles, .circle, .missed: await self.dropOfEnded()
                    default: break
                    }
                }
            }
            await dropOfEnded()
            await unsent.run { try await self.deliver($0, $1) }
            group.cancelAll()
        }
    }

    /// Files of circles that are over go with them.
    private func dropOfEnded() async {
        do {
            for chat in await unsent.chats() {
                if let circle = CircleID(hex: chat), await mayWait(in: circle) { continue }
                try await unsent.removeAll(in: chat)
            }
        } catch { account.report("files of a circle that is over could not be deleted", error) }
    }

    private func mayWait(in id: CircleID) async -> Bool {
        guard let state = try? await store.current() else { return true }
        guard let circle = state.circles[id] else { return state.damaged.contains(id) }
        return switch circle.record.standing {
        case .left, .removed, .ending, .vanishing: false
        case .member, .leaving, .replaced: true
        }
    }

    /// What may have waited for the signer goes on.
    func signerDidReturn() async { await unsent.signerDidReturn() }

    /// Forgets everything that was opened, and what opens files that wait.
    func wipe() async {
        opened.wipe()
        await unsent.wipe()
    }

    // MARK: - Files of lines

    /// Encrypts a file for the members, uploads it, and says something that names it; the text may be empty.
    ///
    /// - Throws: ``/NostrClient/SealedFileError`` too.
    @discardableResult
    public func send(
        _ file: OutgoingFile, _ text: String, replyTo: EventID?, in id: CircleID
    ) async throws -> EventID {
        let ready = try await ready(file, text, replyTo: replyTo, in: id)
        return try await send(ready, text, replyTo: replyTo, in: id, of: nil)
    }

    /// Encrypts a file and keeps it until a media server has it, over restarts; then it is encrypted for those who are
    /// members at that moment, and the line that names it goes out.
    ///
    /// - Returns: the line, where it went at once; `nil` where it waits, see ``unsent(in:)``.
    /// - Throws: ``/NostrClient/SealedFileError`` too, for what is not taken up.
    public func keep(
        _ file: OutgoingFile, _ text: String, replyTo: EventID?, in id: CircleID
    ) async throws -> EventID? {
        guard unsent.isAvailable else { return try await send(file, text, replyTo: replyTo, in: id) }
        guard context.uploads != nil else { throw SealedFileError.noServer }
        let ready = try await ready(file, text, replyTo: replyTo, in: id)
        var random = account.random.generator
        let (sealed, encrypted) = EncryptedFile.sealing(
            ready.file.bytes, type: FileSort(of: ready.file.bytes).type, using: &random)
        var record = UnsentFileRecord(unsent.newName(), sealed, in: id.hex)
        (record.name, record.text, record.replyTo) = (ready.file.name, text, replyTo?.hex)
        record.dimensions = ready.picture.dimensions
        (record.blurhash, record.thumbhash) = (ready.picture.blurhash, ready.picture.thumbhash)
        record.readers = try await readers(of: id)
        let waiting = try await unsent.add(record, encrypted, by: file.pressing(with: text, in: id.hex))
        return await unsent.wait(for: waiting, atMost: UnsentFiles.patience)
    }

    /// The files of a circle that no media server has taken yet, in the order they were sent in.
    public func unsent(in id: CircleID) async -> [UnsentFile] { await unsent.files(in: id.hex) }

    /// Has a file that waits tried now, for those who are members by now.
    public func retry(_ file: String, in id: CircleID) async throws {
        try await unsent.retry(file, in: id.hex, for: try await readers(of: id))
    }

    private func readers(of id: CircleID) async throws -> [String] {
        let (_, session) = try await store.member(of: id)
        return session.roster.people.map(\.hex).sorted()
    }

    /// Takes a file back that waits.
    public func remove(_ file: String, in id: CircleID) async throws { try await unsent.remove(file, in: id.hex) }

    /// A file that tells nothing besides what is in it, and what is said of a picture.
    private struct ReadyFile {
        var file: OutgoingFile
        var picture: (dimensions: String?, blurhash: String?, thumbhash: String?)
    }

    /// Makes a file ready, once all that can be refused was looked at.
    private func ready(
        _ file: OutgoingFile, _ text: String, replyTo: EventID?, in id: CircleID
    ) async throws -> ReadyFile {
        try file.check()
        guard !text.holdsSecretKey else { throw MessagingError(.holdsSecretKey) }
        let (circle, _) = try await store.member(of: id)
        guard !circle.record.standing.isOver else { throw CircleError(.isEnding) }
        if let replyTo { _ = try await messaging.reference(to: replyTo, in: id) }
        let ready = try await account.sealable(file.bytes)
        return ReadyFile(
            file: OutgoingFile(bytes: ready.bytes, name: Self.name(file, now: ready.bytes)),
            picture: (ready.dimensions?.text, ready.blurhash, ready.thumbhash))
    }

    /// Brings a file that waited, decrypted in memory.
    private func deliver(_ record: UnsentFileRecord, _ encrypted: [UInt8]) async throws -> EventID {
        guard let id = CircleID(hex: record.chat), let sealed = record.sealed else { throw SealedFileError.notSent }
        let plain: [UInt8]
        do { plain = try sealed.decrypt(encrypted) } catch { throw SealedFileError.notSent }
        let ready = ReadyFile(
            file: OutgoingFile(bytes: plain, name: record.name),
            picture: (record.dimensions, record.blurhash, record.thumbhash))
        do {
            return try await send(
                ready, record.text, replyTo: record.replyTo.flatMap { try? EventID(hex: $0) }, in: id,
                of: record)
        } catch is CircleError {
            // It is over, or somebody else changed it faster than a file is brought.
            throw SealedFileError.notSent
        }
    }

    /// - Parameter record: the file where it waited; it is forgotten with what is sent.
    private func send(
        _ ready: ReadyFile, _ text: String, replyTo: EventID?, in id: CircleID, of record: UnsentFileRecord?
    ) async throws -> EventID {
        let clearing = record.map { [unsent.removal(of: $0)] } ?? []
        let emoji = try await OwnEmoji.tags(namedIn: text, of: account)
        for _ in 0..<Self.mostTries {
            let sealed = try await store.seal(ready.file, in: id)
            var reference = sealed.reference
            let encrypted = sealed.encrypted
            // No page told the person of those who came since.
            if let known = record?.readers, try await !Set(known).isSuperset(of: readers(of: id)) {
                throw SealedFileError.membersChanged
            }
            // What a server is told says nothing of what is inside.
            let addresses = try await context.upload {
                try await $0.upload(encrypted, type: "application/octet-stream")
            }
            // Taken back meanwhile.
            try Task.checkCancellation()
            reference.url = addresses.first ?? ""
            (reference.dimensions, reference.blurhash, reference.thumbhash) = ready.picture
            let tag = reference.tag
            let answered = await answered(replyTo, in: id)
            let moment = await messaging.momentOfNextLine(in: id)
            if let record { try await unsent.claim(record.id) }
            do {
                let line = try await messaging.send(in: id, sealedIn: sealed.epoch, clearing: clearing) { _, _ in
                    try CircleMessage.chat(text, replyTo: answered, tags: [tag] + emoji, now: moment)
                }
                await remember(addresses, of: BlobHash(of: encrypted), in: id)
                return line
            } catch is EpochPassed {
                // Sealed once more: who came meanwhile could not open it, and who went could.
                if let record { await unsent.release(record.id) }
                continue
            }
        }
        throw CircleError(.refused)
    }

    /// The line that is answered; `nil` where it was taken back while the file waited.
    private func answered(_ line: EventID?, in id: CircleID) async -> CircleMessageReference? {
        guard let line else { return nil }
        return try? await messaging.reference(to: line, in: id)
    }

    /// A name that ends with what the file is now, where preparing it made it a file of another sort.
    private static func name(_ file: OutgoingFile, now bytes: [UInt8]) -> String {
        let (before, sort) = (FileSort(of: file.bytes), FileSort(of: bytes))
        guard sort != before, !sort.ending.isEmpty, let dot = file.name.lastIndex(of: ".") else { return file.name }
        let ending = file.name[file.name.index(after: dot)...]
        let isEnding = (1...5).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
        return isEnding ? file.name[...dot] + sort.ending : file.name
    }

    private func remember(_ addresses: [String], of blob: BlobHash, in id: CircleID) async {
        guard addresses.count > 1 else { return }
        do { try await store.keepCopies(Array(addresses.dropFirst()), of: blob, in: id) } catch {
            // The line is out, and names the first address.
            account.report("where the copies of a file lie could not be kept", error)
        }
    }

    /// Fetches one of the files that a line names, checks and decrypts it.
    ///
    /// - Parameter number: which, counted from 0.
    /// - Throws: ``/NostrClient/SealedFileError`` too.
    public func open(_ number: Int, of line: EventID, in id: CircleID) async throws -> OpenedFile {
        _ = try await store.find(id)
        guard let line = try await store.line(line, in: id), let media = line.message?.media,
            media.indices.contains(number)
        else { throw SealedFileError.noFile }
        guard let key = line.key(of: number) else { throw SealedFileError.noKey }
        let reference = media[number]
        // What is uploaded is called by its hash; what lies elsewhere under another name is found nowhere else.
        let hash = BlobHash(inAddress: reference.url)
        var addresses = [reference.url]
        if let hash { addresses += try await store.copies(of: hash, in: id) }
        let blob = hash.map { SealedFiles.Blob(hash: $0, author: line.author) }
        return try await opened.file("\(line.id.hex)-\(number)", at: addresses, else: blob) { encrypted in
            do throws(MarmotError) {
                return OpenedFile(try key.open(encrypted, reference), name: reference.filename)
            } catch {
                throw error.code == .tooLarge
                    ? SealedFileError.tooLarge(limit: OpenedFile.largest) : SealedFileError.doesNotOpen
            }
        }
    }

    // MARK: - The picture of a group

    /// Gives a circle a picture that programs of other makers show too, as one of its admins; nil takes it away.
    ///
    /// It is uploaded under a key of its own, which every admin can derive.
    ///
    /// - Throws: ``/NostrClient/SealedFileError`` too.
    public func setGroupPicture(_ picture: [UInt8]?, in id: CircleID) async throws {
        let (_, session) = try await store.member(of: id)
        guard session.roster.isAdmin(account.publicKey) else { throw CircleError.notAdmin }
        var edit = GroupEdit()
        if let picture {
            guard FileSort(of: picture).isPicture else { throw CircleError(.badPicture(.notJPEG)) }
            try OutgoingFile(bytes: picture, name: "").check()
            let plain = try await account.sealable(picture).bytes
            var random = account.random.generator
            let (image, encrypted) = try throughMarmot { try GroupImage.sealing(plain, using: &random) }
            let signer: LocalSigner
            // Of 2^127 seeds one gives no key.
            do { signer = LocalSigner(try image.uploadKey()) } catch { throw CircleError(.refused) }
            _ = try await context.upload {
                try await $0.upload(encrypted, type: "application/octet-stream", signedBy: signer)
            }
            edit.image = .set(image)
        } else {
            edit.image = .remove
        }
        await work.plan(try await store.change(id, .edit(edit)))
    }

    /// The picture that the group has of its own; nil where it has none, or another by now.
    ///
    /// - Throws: ``/NostrClient/SealedFileError`` too.
    public func groupPicture(_ picture: CirclePicture, in id: CircleID) async throws -> OpenedFile? {
        guard picture.person == nil, let session = try await store.find(id).session,
            let image = session.roster.data.image, image.hash.hex == picture.version
        else { return nil }
        let addresses = try await servers(of: session.roster.presentAdmins).map {
            $0.address(of: BlobHash(image.hash), type: nil)
        }
        return try await opened.file(image.hash.hex, at: addresses) { encrypted in
            do { return OpenedFile(try image.open(encrypted)) } catch { throw SealedFileError.another }
        }
    }

    /// The most media servers that are asked for a picture, and of how many of them one person may name.
    private static let mostServers = 8, mostOfOne = 3

    /// Where a picture may lie of which only the hash is known: on the admins' media servers, then the usual ones.
    private func servers(of admins: Set<PublicKey>) async throws -> [MediaServer] {
        let authors = [account.publicKey] + admins.sorted().filter { $0 != account.publicKey }
        let lists = try await account.store.query([Filter(authors: Set(authors), kinds: [MediaServerList.kind])])
        var found: [MediaServer] = []
        for author in authors {
            guard let list = lists.first(where: { $0.pubkey == author }).flatMap({ MediaServerList($0) }) else {
                continue
            }
            found += list.servers.prefix(Self.mostOfOne)
        }
        return Array((found + account.configuration.mediaServers).uniqued().prefix(Self.mostServers))
    }
}
