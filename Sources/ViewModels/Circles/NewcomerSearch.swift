internal import Circles
internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Finds whom an admin means by what they pasted or typed to let somebody in.
struct NewcomerSearch {
    /// How many people of one name are offered to choose from.
    private static let mostOffered = 8

    let people: any PeopleReading

    /// The people who may be meant, never nobody; a key, a link or a name at a domain means one.
    ///
    /// Shape: npub, nprofile, hex, `whistle://addmember/<key>/<circle>`, `name@domain` (NIP-05, asked of the domain
    /// now), or part of the name of somebody the account follows. Names of strangers are not looked through: anybody
    /// may be called like a friend.
    func find(_ text: String, for circle: CircleID) async throws(Trouble) -> [Person] {
        let text = text.trimmingSpace()
        if let admission = CircleActions.admission(text) {
            guard CircleID(admission.circle) == circle else { throw Trouble(CircleWords.otherCircle, canRetry: false) }
            return [try await person(admission.applicant)]
        }
        if let pointer = ProfilePointer(pasted: text) { return [try await person(pointer.key)] }
        if text.contains("@"), let identifier = InternetIdentifier(text) { return [try await named(identifier)] }
        let found = try await followed(called: oneLine(text, limit: 80))
        guard !found.isEmpty else { throw Trouble(CircleWords.noPerson, canRetry: false) }
        return found
    }

    private func person(_ key: PublicKey) async throws(Trouble) -> Person {
        do { return try await people.person(key) } catch { throw Trouble(error) }
    }

    private func named(_ identifier: InternetIdentifier) async throws(Trouble) -> Person {
        do { return try await people.named(identifier) } catch {
            let domain = oneLine(identifier.domain, limit: 60)
            let sentence =
                error as? NameFailure == .nobody
                ? ProfileWords.nobody(identifier.local, at: domain) : ProfileWords.noAnswer(domain)
            throw Trouble(sentence, canRetry: false)
        }
    }

    private func followed(called name: String) async throws(Trouble) -> [Person] {
        guard !name.isEmpty else { return [] }
        do {
            // Those followed come first.
            let found = try await people.matching(name, limit: Self.mostOffered).filter(\.isFollowed)
            let exact = found.filter { PersonItem($0).name.lowercased() == name.lowercased() }
            return exact.count == 1 ? exact : found
        } catch {
            throw Trouble(error)
        }
    }
}
