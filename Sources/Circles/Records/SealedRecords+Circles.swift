internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// Circles as they rest in the vault.
extension SealedRecords {
    /// The changes that a step of a session makes.
    func changes(of session: inout GroupSession, _ circle: CircleID) throws -> [RecordChange] {
        try session.takeChanges().map { part, bytes in
            let address = Address(CircleTable.sessions, group: circle.hex, part.name)
            return try bytes.map { try put(part.record($0), at: address) } ?? remove(address)
        }
    }

    /// The changes that take away the keys of a circle the account is not in any more, what was watched in it, and what
    /// was still to be sent to it.
    ///
    /// How the account's place was shared goes when whoever shares it hears of this.
    func removePrivateParts(of circle: CircleID) -> [RecordChange] {
        let tables = [
            CircleTable.sessions, CircleTable.keptWelcomes, CircleTable.watches, CircleTable.trails,
            CircleTable.unsentFiles,
        ]
        return tables.map { removeAll(in: $0, group: circle.hex) }
    }

    /// The changes that take away what was said in a circle, who is in it and where they are; its keys stay.
    func removeContents(of circle: CircleID) -> [RecordChange] {
        let tables = [
            CircleTable.lines, CircleTable.lineIndex, CircleTable.lineNotes, CircleTable.pictures,
            CircleTable.fileCopies, CircleTable.unsentFiles, CircleTable.requests,
            CircleTable.outgoing,
        ]
        return (tables + CircleTable.ofPlaces).map { removeAll(in: $0, group: circle.hex) }
    }

    /// The changes after which nothing of a circle is left.
    func removeEverything(of circle: CircleID) async throws -> [RecordChange] {
        let welcomes = try await values(in: CircleTable.welcomes) { WelcomeRecord.record($0) }.compactMap(\.self)
        let addresses = welcomes.filter { $0.circle == circle.hex }.map(\.address)
        let own = [CircleTable.circles, CircleTable.asked, CircleTable.invitations].map { Address($0, circle.hex) }
        return removeContents(of: circle) + removePrivateParts(of: circle) + (own + addresses).map { remove($0) }
    }

    /// The parts of a session; nil if one of them does not read.
    func parts(of circle: CircleID) async throws -> [SessionPart: [UInt8]]? {
        let all = try await values(in: CircleTable.sessions, group: circle.hex) { bytes in
            // One that does not read makes the whole unusable, as the caller sees.
            try? SessionPart.read(record: bytes)
        }
        guard !all.contains(where: { $0 == nil }) else { return nil }
        return Dictionary(all.compactMap(\.self).map { ($0.part, $0.bytes) }) { first, _ in first }
    }
}
