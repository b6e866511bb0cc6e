public import NostrClient

extension ScreenModel where S == TimelineState {
    /// A timeline of an account.
    public init(_ source: TimelineSource, of account: any Account, elsewhere: ShownNotes? = nil) {
        self.init(TimelineState(source, own: account.publicKey, elsewhere: elsewhere)) { effect in
            await readTimeline(effect, source, account)
        }
    }
}

/// Does what a timeline wants done.
func readTimeline(
    _ effect: TimelineState.Effect, _ source: TimelineSource, _ account: any Account
) async -> TimelineState.Input {
    do {
        switch effect {
        case .readOlder(let place, let limit):
            return .older(try await account.timeline.page(source, before: place, limit: limit))
        case .readNewest(let limit):
            return .newer(try await account.timeline.page(source, before: nil, limit: limit))
        }
    } catch {
        return .failed(Trouble(error))
    }
}
