public import NostrClient
public import NostrCore

extension Desk {
    /// A person.
    public func person(_ key: PublicKey) async throws(Trouble) -> PersonItem {
        PersonItem(try await troubled { try await account.people.person(key) })
    }

    /// A person's notes.
    ///
    /// - Parameters:
    ///   - withReplies: whether answers are among them.
    ///   - place: where older notes are to start; `nil` for the newest.
    public func notes(of key: PublicKey, withReplies: Bool, below place: TimelineCursor?) async -> TimelineState {
        await ScreenModel<TimelineState>(.author(key, replies: withReplies), of: account)
            .send(.opened(below: place))
    }
}
