internal import NostrCore
internal import NostrNIPs

extension LiveAccount {
    public nonisolated var lists: (any ListKeeping)? { canSign ? OwnLists(account: self) : nil }
}

/// The lists of an account at work.
struct OwnLists: ListKeeping {
    let account: LiveAccount

    func lists() async throws -> [PersonalList] { try await account.personalLists() }

    func list(_ kind: Kind, identifier: String) async throws -> PersonalList {
        try await account.personalList(kind, identifier: identifier)
    }

    func change(_ kind: Kind, identifier: String, _ edit: ListEdit) async throws -> Event {
        try await account.changeList(kind, identifier: identifier, edit)
    }

    func makeSet(_ kind: Kind, title: String, summary: String) async throws -> Event {
        try await account.makeSet(kind, title: title, summary: summary)
    }

    func deleteSet(_ kind: Kind, identifier: String) async throws -> Event {
        try await account.deleteSet(kind, identifier: identifier)
    }

    func mutes() async -> Mutes { await account.mutes() }

    func drafts() async throws -> [NoteDraft] { try await account.drafts() }

    func saveDraft(_ composition: Composition, id: String?) async throws -> NoteDraft {
        try await account.saveDraft(composition, id: id)
    }

    func deleteDraft(_ id: String) async throws { try await account.deleteDraft(id) }

    func setStatus(_ text: String, link: String?, expires: Timestamp?) async throws -> Event {
        try await account.setStatus(text, link: link, expires: expires)
    }
}
