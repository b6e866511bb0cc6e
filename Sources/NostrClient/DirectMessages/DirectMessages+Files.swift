public import NostrCore
public import NostrNIPs
internal import NostrStore

/// Files in private messages: sealed before they leave this machine, opened in its memory only.
///
/// Source: NIP-17, "File Message".
extension DirectMessages {
    /// The most characters of what is said to be in a file.
    private static let longestDescription = 1000

    /// Where the files rest that no media server has taken yet.
    static let unsentFiles = "messages-files-unsent"

    /// Encrypts a file under a key of its own, uploads it, and sends what opens it to everybody in the room; what is
    /// written with it follows as a message of its own.
    public func send(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> Message {
        let (sealed, encrypted) = try await sealing(file, with: message)
        let id = try await deliver(sealed, encrypted, isKept: false)
        let room = ChatRoom(unsentIn: sealed.chat)
        guard let item = try await messages.item(id, in: room),
            let sent = try await shown([item], in: room).first
        else { throw MessagingError.unknownMessage }
        return sent
    }

    /// Encrypts a file and keeps it until a media server has it, over restarts; what opens it, and what is written with
    /// it, goes out then.
    public func keep(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> EventID? {
        guard unsent.isAvailable else { return try await send(file, with: message).id }
        guard unlocked.uploads != nil else { throw SealedFileError.noServer }
        let (sealed, encrypted) = try await sealing(file, with: message)
        let pressing = file.pressing(with: message.text, in: sealed.chat)
        let id = try await unsent.add(sealed, encrypted, by: pressing)
        return await unsent.wait(for: id, atMost: UnsentFiles.patience)
    }

    /// Has a file that waits tried now.
    public func retryFile(_ id: String, in room: ChatRoom) async throws {
        try await unsent.retry(id, in: room.nameOfUnsent)
    }

    /// Takes a file back that waits.
    public func removeFile(_ id: String, in room: ChatRoom) async throws {
        try await unsent.remove(id, in: room.nameOfUnsent)
    }

    /// Conversations in which nothing was said yet, and a file waits.
    func roomsOfUnsentFiles() async -> [RoomSummary] {
        let conversations = await messages.conversations
        return await unsent.chats().sorted().map { ChatRoom(unsentIn: $0) }
            .filter { conversations[$0]?.newest == nil }
            .map { room in
                var summary = conversations[room] ?? RoomSummary(room)
                summary.isAccepted = true
                return summary
            }
    }

    /// Fetches the file of a message, checks and decrypts it.
    public func openFile(of id: EventID, in room: ChatRoom) async throws -> OpenedFile {
        let message = try await existing(id, in: room)
        guard case .file(let file) = message.body else { throw SealedFileError.noFile }
        let blob = SealedFiles.Blob(hash: BlobHash(file.hash), author: message.author)
        return try await files.file(id.hex, at: [file.url] + file.fallbacks, else: blob) { encrypted in
            try file.opened(encrypted)
        }
    }

    /// Encrypts a file for a message, once all that can be refused was looked at.
    private func sealing(
        _ file: OutgoingFile, with message: OutgoingMessage
    ) async throws -> (file: UnsentFileRecord, encrypted: [UInt8]) {
        try await unlocked.publishing.load()
        let room = ChatRoom(message.room.participants + [context.publicKey])
        try file.check()
        guard room.participants.count <= Self.mostRecipients + 1 else {
            throw MessagingError(.tooManyPeople, limit: Self.mostRecipients)
        }
        let text = message.text.trimmingWhiteSpace()
        guard !text.holdsSecretKey, message.subject?.holdsSecretKey != true, !file.description.holdsSecretKey else {
            throw MessagingError.holdsSecretKey
        }
        var random = context.random.generator
        let ready = try await context.sealable(file.bytes)
        var (made, encrypted) = EncryptedFile.sealing(
            ready.bytes, type: FileSort(of: ready.bytes).type, using: &random)
        (made.dimensions, made.blurhash) = (ready.dimensions?.text, ready.blurhash)
        let words = file.description.trimmingWhiteSpace().prefix(Self.longestDescription)
        made.description = words.isEmpty ? nil : String(words)
        var sealed = UnsentFileRecord(unsent.newName(), made, in: room.nameOfUnsent)
        (sealed.name, sealed.text, sealed.replyTo) = (file.name, text, message.replyTo?.hex)
        let subject = message.subject?.trimmingWhiteSpace()
        sealed.subject = subject?.isEmpty == false ? subject : nil
        sealed.lifetime = message.lifetime.map { Int64($0 / .seconds(1)) }
        return (sealed, encrypted)
    }

    /// Uploads what was sealed, and sends what opens it and what was written with it.
    ///
    /// - Parameter isKept: whether it waits in the vault, which it leaves with what is sent.
    func deliver(_ file: UnsentFileRecord, _ encrypted: [UInt8], isKept: Bool) async throws -> EventID {
        let room = ChatRoom(unsentIn: file.chat)
        let lifetime = file.lifetime.map { Duration.seconds($0) }
        var sent = file.sent.flatMap { try? EventID(hex: $0) }
        if sent == nil {
            let uploaded = try await upload(file, encrypted)
            // Taken back meanwhile.
            try Task.checkCancellation()
            let now = await moment(for: room)
            let expiration = lifetime.map { now + $0 }
            let answered = file.replyTo.flatMap { try? EventID(hex: $0) }.map { EventPointer(id: $0) }
            let draft = uploaded.draft(
                to: room, by: context.publicKey, replyTo: answered, subject: file.subject, expiration: expiration,
                createdAt: now)
            var left = file
            left.sent = Rumor(draft, author: context.publicKey).id.hex
            let clearing = file.text.isEmpty ? unsent.removal(of: file) : try unsent.change(left)
            sent = try await dispatch(
                draft, in: room, expiration: expiration, clearing: isKept ? [clearing] : [],
                of: isKept ? file.id : nil)
            if isKept, !file.text.isEmpty { await unsent.note(left) }
        }
        guard let sent else { throw SealedFileError.notSent }
        guard !file.text.isEmpty else { return sent }
        var words = OutgoingMessage(room: room, text: file.text)
        words.lifetime = lifetime
        _ = try await send(
            words, clearing: isKept ? [unsent.removal(of: file)] : [], of: isKept ? file.id : nil)
        return sent
    }

    private func upload(_ file: UnsentFileRecord, _ encrypted: [UInt8]) async throws -> EncryptedFile {
        // What was damaged on the disk would open for nobody.
        guard var sealed = file.sealed, BlobHash(of: encrypted).hex == sealed.hash.hex else {
            throw SealedFileError.notSent
        }
        // What a server is told says nothing of what is inside.
        let addresses = try await unlocked.upload {
            try await $0.upload(encrypted, type: "application/octet-stream")
        }
        sealed.url = addresses.first ?? ""
        sealed.fallbacks = Array(addresses.dropFirst())
        return sealed
    }
}

extension ChatRoom {
    /// What a conversation is called beside files that wait to be sent: its people.
    var nameOfUnsent: String { participants.map(\.hex).joined(separator: " ") }

    /// Reads a ``nameOfUnsent``.
    init(unsentIn name: String) {
        // What was written by us names keys.
        self.init(name.split(separator: " ").compactMap { try? PublicKey(hex: String($0)) })
    }
}
