public import NostrCore
public import NostrNIPs

/// Files in private messages: sealed before they leave this machine, opened in its memory only.
///
/// Source: NIP-17, "File Message".
extension DirectMessages {
    /// The most characters of what is said to be in a file.
    private static let longestDescription = 1000

    /// Encrypts a file under a key of its own, uploads it, and sends what opens it to everybody in the room; what is
    /// written with it follows as a message of its own.
    public func send(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> Message {
        try await unlocked.publishing.load()
        let room = ChatRoom(message.room.participants + [context.publicKey])
        try file.check()
        // All that can be refused is refused before anything is uploaded.
        guard room.participants.count <= Self.mostRecipients + 1 else {
            throw MessagingError(.tooManyPeople, limit: Self.mostRecipients)
        }
        let text = message.text.trimmingWhiteSpace()
        guard !text.holdsSecretKey, message.subject?.holdsSecretKey != true, !file.description.holdsSecretKey else {
            throw MessagingError.holdsSecretKey
        }
        let sealed = try await upload(file)
        let now = await moment(for: room)
        let expiration = message.lifetime.map { now + $0 }
        let subject = message.subject?.trimmingWhiteSpace()
        let draft = sealed.draft(
            to: room, by: context.publicKey, replyTo: message.replyTo.map { EventPointer(id: $0) },
            subject: subject?.isEmpty == false ? subject : nil, expiration: expiration, createdAt: now)
        let id = try await dispatch(draft, in: room, expiration: expiration)
        if !text.isEmpty {
            var words = OutgoingMessage(room: room, text: text)
            words.lifetime = message.lifetime
            _ = try await send(words)
        }
        guard let item = try await messages.item(id, in: room),
            let sent = try await shown([item], in: room).first
        else { throw MessagingError.unknownMessage }
        return sent
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

    private func upload(_ file: OutgoingFile) async throws -> EncryptedFile {
        var random = context.random.generator
        let ready = try await context.sealable(file.bytes)
        let (made, encrypted) = EncryptedFile.sealing(
            ready.bytes, type: FileSort(of: ready.bytes).type, using: &random)
        var sealed = made
        // What a server is told says nothing of what is inside.
        let addresses = try await unlocked.upload {
            try await $0.upload(encrypted, type: "application/octet-stream")
        }
        sealed.url = addresses.first ?? ""
        sealed.fallbacks = Array(addresses.dropFirst())
        (sealed.dimensions, sealed.blurhash) = (ready.dimensions?.text, ready.blurhash)
        let words = file.description.trimmingWhiteSpace().prefix(Self.longestDescription)
        sealed.description = words.isEmpty ? nil : String(words)
        return sealed
    }
}
