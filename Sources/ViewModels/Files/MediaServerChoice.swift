public import NostrClient
internal import NostrCore
public import NostrNIPs

/// Where an account's files are brought: to the servers on its list, else to what its settings name.
public struct MediaServerChoice: Equatable, Sendable {
    /// The servers, the first to be asked first.
    public let servers: [MediaServer]
    /// Whether the account published them.
    public let isPublished: Bool
    /// The server of accounts without a list, as settings name it; empty for none.
    public let usual: String

    /// Reads the list of an account.
    public static func load(of account: any Account) async throws(Trouble) -> MediaServerChoice {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let own = try await troubled { try await files.servers() }
        return MediaServerChoice(
            servers: own.inUse, isPublished: own.isPublished, usual: own.usual.first?.address ?? "")
    }

    /// Chooses the server for as long as there is no list; empty for none.
    ///
    /// - Throws: a ``Trouble`` for what is no server, and for what could not be kept.
    public static func chooseUsual(_ written: String, of account: any Account) async throws(Trouble) {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let text = written.filter { !$0.isWhitespace }
        let server = MediaServer(text)
        guard text.isEmpty || server != nil else { throw Trouble(FileWords.noServer, canRetry: false) }
        let chosen = [server].compactMap(\.self)
        try await troubled {
            try await files.keepTyped(chosen, true)
            try await files.keepUsual(chosen)
        }
    }

    /// Publishes the list after one change.
    public enum Change: Equatable, Sendable {
        /// Puts a server at its end.
        case add(String)
        /// Takes one off.
        case remove(String)
        /// Puts one a place further up.
        case raise(String)
    }

    /// Makes a change and publishes the list.
    ///
    /// - Throws: a ``Trouble`` for what is no server, and for what could not be published.
    public func make(_ change: Change, of account: any Account) async throws(Trouble) {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let list = try changed(by: change)
        try await troubled {
            switch change {
            case .add(let text): try await files.keepTyped(MediaServer(text).map { [$0] } ?? [], true)
            case .remove(let text): try await files.keepTyped(MediaServer(text).map { [$0] } ?? [], false)
            case .raise: break
            }
            _ = try await files.setServers(list)
        }
    }

    /// Servers of the list that nobody outside this machine or network reaches.
    public var near: [MediaServer] { servers.filter { isPrivateHost($0.domain) } }

    func changed(by change: Change) throws(Trouble) -> [MediaServer] {
        var list = servers
        switch change {
        case .add(let text):
            guard let server = MediaServer(text) else { throw Trouble(FileWords.noServer, canRetry: false) }
            guard list.count < MediaServerList.most else { throw Trouble(FileWords.tooManyServers, canRetry: false) }
            // What was only a default is not published by the way.
            if !isPublished { list = [] }
            if !list.contains(server) { list.append(server) }
        case .remove(let text): list.removeAll { $0.address == text }
        case .raise(let text):
            guard let place = list.firstIndex(where: { $0.address == text }), place > 0 else { break }
            list.swapAt(place, place - 1)
        }
        return list
    }
}
