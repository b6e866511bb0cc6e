internal import Circles

extension CircleActions {
    /// Makes a link that shows guests where the account is.
    ///
    /// - Parameters:
    ///   - hours: how long it works, 1 to 168.
    ///   - note: whom it is for; stays here.
    ///   - page: the page it opens.
    public func makeGuestLink(in id: CircleName, hours: Int, note: String, page: String) async throws(Trouble) {
        let span: Duration = .seconds(min(max(hours, 1), 168) * 3600)
        let (note, page) = (oneLine(note, limit: 80), page.trimmingSpace())
        _ = try await perform { try await $0.guests.make(in: id, for: span, note: note, page: page) }
    }

    /// Takes a guest link back.
    public func revokeGuestLink(_ link: String, in id: CircleName) async throws(Trouble) {
        try await perform { try await $0.guests.revoke(link, in: id) }
    }
}
