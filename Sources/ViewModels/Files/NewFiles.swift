public import NostrClient
public import NostrCore
internal import NostrNIPs

/// Files that a person chose, brought to their servers.
public struct NewFiles: Sendable {
    /// One file that arrived.
    public struct Chosen: Sendable {
        /// Where it lies.
        public let intake: FileIntake
        /// What is known of it.
        public let facts: FileFacts
        /// A picture that shows a film before it plays; `nil` where none came.
        public var still: FileIntake?

        /// A file with what is known of it.
        public init(_ intake: FileIntake, name: String, type: String, description: String) {
            self.intake = intake
            let said = oneLine(type, limit: 100).lowercased()
            facts = FileFacts(
                name: oneLine(name, limit: 200), type: said.isEmpty ? "application/octet-stream" : said,
                description: oneLine(description, limit: 1000))
        }
    }

    /// What became of files that a note was to have.
    public struct Outcome: Sendable {
        /// What the note says of each that is there.
        public let attachments: [Tag]
        /// What is wrong; `nil` where all are there.
        public let problem: String?
        /// Those that are not there yet, or failed.
        public let left: [UploadItem]
    }

    /// How long a page waits for files before it says that they are still on their way.
    public static let patience = Duration.seconds(120)

    /// Takes files up; each is in the queue, on disk, when this returns.
    public static func add(
        _ chosen: [Chosen], of account: any Account
    ) async throws(Trouble) -> [UploadItem] {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let choice = try await MediaServerChoice.load(of: account)
        guard !choice.servers.isEmpty else { throw Trouble(FileWords.noServers, canRetry: false) }
        var items: [UploadItem] = []
        for file in chosen {
            do {
                let upload = try await files.add(file.intake, file.facts, to: choice.servers)
                // A film without a still is a film all the same.
                if let still = file.still { try? await files.addStill(still, of: upload.file.id) }
                items.append(UploadItem(upload))
            } catch {
                let name = file.facts.name
                throw Trouble((name.isEmpty ? "" : "\(name): ") + Trouble(error).sentence, canRetry: false)
            }
        }
        return items
    }

    /// Waits for files that are in the queue, and says which are there.
    ///
    /// - Parameter waits: whether those on their way are waited for, for a while.
    public static func outcome(
        of ids: [String], of account: any Account, waits: Bool = true
    ) async throws(Trouble) -> Outcome {
        guard let files = account.files, !ids.isEmpty else { return Outcome(attachments: [], problem: nil, left: []) }
        let uploads = try await troubled { try await files.wait(for: ids, atMost: waits ? patience : .zero) }
        let items = uploads.map(UploadItem.init)
        let failed = items.filter { $0.standing == .failed }
        let waiting = items.filter { $0.standing == .waiting }
        let words = failed.map { "\($0.name) (\($0.words))" }
        let problem: String? =
            if !failed.isEmpty { FileWords.missing(words) } else if !waiting.isEmpty {
                FileWords.notYet(waiting.map(\.name))
            } else { nil }
        return Outcome(attachments: items.compactMap(\.attachment), problem: problem, left: failed + waiting)
    }
}
