public import NostrClient
public import NostrCore
public import NostrNIPs

/// What an account says about a note in public, and can take back.
public enum NoteAct: Hashable, Sendable, CaseIterable {
    /// A reaction with `+` (NIP-25).
    case like
    /// A repost (NIP-18).
    case repost

    /// Says it, or takes it back: then everything of the sort that the account itself said about the note is deleted.
    ///
    /// Taking back what is not there is nothing to complain about: another page may have been quicker.
    public func perform(_ isOn: Bool, on id: EventID, of account: any Account) async throws(Trouble) {
        try await troubled {
            switch (self, isOn) {
            case (.like, true): _ = try await account.publishing.react(to: id, with: "+")
            case (.repost, true): _ = try await account.publishing.repost(id)
            case (.like, false): try await takeBack { _ = try await account.publishing.unreact(to: id) }
            case (.repost, false): try await takeBack { _ = try await account.publishing.unrepost(id) }
            }
        }
    }

    private func takeBack(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let refusal as AccountError where refusal.code == .unknownEvent {}
    }
}

/// A report about a note, as a person makes it.
public struct NoteReport: Hashable, Sendable {
    /// What is objectionable.
    public let reason: Report.Reason
    /// More about it; may be empty.
    public let text: String

    /// Reads what was chosen; `nil` for a word that is no reason.
    public init?(reason: String, text: String) {
        guard let reason = Report.Reason(rawValue: reason) else { return nil }
        self.reason = reason
        self.text = text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmed(to: 1000)
    }

    /// The reasons to choose from, with the words for each.
    public static var choices: [(reason: Report.Reason, words: String)] {
        Report.Reason.allCases.map { ($0, ReportWords.reason($0)) }
    }

    /// Publishes it.
    public func send(about id: EventID, of account: any Account) async throws(Trouble) {
        try await troubled { _ = try await account.publishing.report(id, for: reason, text: text) }
    }

    /// Publishes it about a person, whatever they wrote.
    public func send(about person: PublicKey, of account: any Account) async throws(Trouble) {
        try await troubled { _ = try await account.publishing.report(person: person, for: reason, text: text) }
    }
}

extension String {
    fileprivate func trimmed(to count: Int) -> String { String(drop(while: \.isWhitespace).prefix(count)) }
}
