public import NostrClient
internal import NostrCore
internal import NostrNIPs

extension ComposeState.Draft {
    /// The most files of a note.
    static let mostFiles = 20

    /// Adds the file whose address was filled in, if any; what is wrong with it, else `nil`.
    mutating func addFile() -> String? {
        let address = fileAddress.trimmingSpace()
        guard !address.isEmpty else { return nil }
        guard let file = MediaAttachment(written: address, description: fileDescription) else {
            return ComposeWords.noFileAddress
        }
        guard attachments.count < Self.mostFiles else { return ComposeWords.tooManyFiles(Self.mostFiles) }
        attachments.removeAll { $0.mediaAddress == file.url }
        attachments.append(file.tag)
        (fileAddress, fileDescription) = ("", "")
        return nil
    }

    /// What keeps it from being such a post, else `nil`.
    func problem(as post: MediaPost) -> String? {
        let files = attachments.attachments(in: nil)
        switch post.sort {
        case .pictures:
            return files.contains(where: PicturePost.takes) ? nil : ComposeWords.noPicture
        case .film, .short:
            if !files.contains(where: { $0.medium != .image }) { return ComposeWords.noFilm }
            return post.title.isEmpty ? ComposeWords.noTitle : nil
        }
    }
}

extension MediaPost {
    /// Reads what a form or an argument chose; `nil` for a note.
    public init?(chosen sort: String, title: String) {
        guard let sort = Sort(rawValue: sort) else { return nil }
        self.init(sort, title: oneLine(title, limit: 200))
    }
}

extension MediaAttachment {
    /// A file at an address as a person writes it; `nil` for what is no address of the web.
    init?(written address: String, description: String) {
        guard let url = webAddress(address) else { return nil }
        self.init(url: url)
        type = Self.type(ofEnding: url)
        let words = oneLine(description, limit: 1000)
        self.description = words.isEmpty ? nil : words
        // A tag without a second field is none (NIP-92).
        if type == nil && words.isEmpty { self.description = ComposeWords.undescribed }
    }
}

extension Composition {
    /// Adds a file by its address.
    ///
    /// - Parameter description: what can be seen or heard in it; may be empty.
    /// - Throws: a ``Trouble`` for what is no address of the web.
    public mutating func attach(_ address: String, description: String) throws(Trouble) {
        guard let file = MediaAttachment(written: address, description: description) else {
            throw Trouble(ComposeWords.noFileAddress, canRetry: false)
        }
        attachments.append(file.tag)
    }
}
