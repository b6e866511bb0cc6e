internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// Asking to be let in, and letting in who asks.
extension CircleStore {
    /// Remembers that we asked to join, so that the Welcome is one we want.
    func remember(_ asked: AskedRecord, _ id: CircleID) async throws {
        try await gate.run {
            let records = try current().records
            try await save([try records.put(try asked.recordBytes(), at: .init(CircleTable.asked, id.hex))]) {
                $0.asked[id] = asked
            }
        }
    }

    /// Does not want to join any more.
    func forgetAsked(_ id: CircleID) async throws {
        try await gate.run {
            let records = try current().records
            try await save([records.remove(.init(CircleTable.asked, id.hex))]) { $0.asked[id] = nil }
        }
    }

    /// The most people who wait at one circle; more are dropped.
    static let mostRequests = 200

    /// Puts somebody who asks to join on the list of their circle.
    func receive(_ request: RequestRecord, for id: CircleID, clearing: [RecordChange]) async throws -> [CircleEffect] {
        try await gate.run {
            let state = try current()
            guard let circle = state.circles[id], !circle.record.standing.isOver, let session = circle.session,
                session.roster.isAdmin(account)
            else {
                try await save(clearing) { _ in }
                return []
            }
            var request = request
            request.isReadmission = session.roster.people.contains { $0.hex == request.person }
            var list = state.requests[id, default: []].filter { $0.person != request.person }
            guard list.count < Self.mostRequests else {
                try await save(clearing) { _ in }
                return []
            }
            list.append(request)
            let kept = list
            let address = SealedRecords.Address(CircleTable.requests, group: id.hex, request.person)
            try await save(clearing + [try state.records.put(try request.recordBytes(), at: address)]) {
                $0.requests[id] = kept
            }
            return [.changed(id)]
        }
    }

    /// Lets people in who asked: one commit for all of them, and one more for each who lost step.
    func admit(_ people: Set<PublicKey>, to id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            let state = try current()
            guard !(try find(id).record.standing.isOver) else { throw CircleError(.isEnding) }
            let chosen = state.requests[id, default: []].filter { one in people.contains { $0.hex == one.person } }
            guard !chosen.isEmpty else { return [] }
            let events = chosen.compactMap { one in
                (try? Event(verifying: UnverifiedEvent(json: Array(one.keyPackage.utf8)))).map { (one, $0) }
            }
            let clearing = chosen.map {
                state.records.remove(.init(CircleTable.requests, group: id.hex, $0.person))
            }
            let new = events.filter { !$0.0.isReadmission }.map(\.1)
            let lost = events.filter(\.0.isReadmission).map(\.1)
            let tasks = try await step(id, clearing: clearing) { session, now, random in
                try throughMarmot {
                    var effects: [SessionEffect] = []
                    if !new.isEmpty { effects += try session.change(.add(new), now: now, using: &random) }
                    for event in lost { effects += try session.change(.readmit(event), now: now, using: &random) }
                    return effects
                }
            }
            self.state?.requests[id]?.removeAll { one in chosen.contains { $0.person == one.person } }
            return tasks + [.changed(id)]
        }
    }

    /// Takes people off the list.
    func refuse(_ people: Set<PublicKey>, at id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            let state = try current()
            let words = Set(people.map(\.hex))
            let changes = words.map { state.records.remove(.init(CircleTable.requests, group: id.hex, $0)) }
            try await save(changes) { $0.requests[id]?.removeAll { words.contains($0.person) } }
            return [.changed(id)]
        }
    }
}
