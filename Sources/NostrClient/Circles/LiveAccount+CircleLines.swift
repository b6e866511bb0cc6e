internal import NostrCore
internal import NostrNIPs

/// Lines as screens see them.
extension LiveAccount {
    func shown(_ lines: [OpenCircle.Line], of circle: OpenCircle) async throws -> [CircleLine] {
        let named = lines.compactMap(\.record.change).flatMap(\.people)
        let people = try await persons(Set(lines.map(\.author) + named))
        func person(_ key: PublicKey) -> Person { people[key] ?? Person(key: key) }
        return lines.map { line in
            let body: CircleLine.Body
            switch (line.message?.body, line.record.change) {
            case _ where line.isRetracted: body = .deleted
            case (.chat(let text, _)?, _): body = .text(text)
            case (_, let change?): body = .change(change.shown(person))
            default: body = .deleted
            }
            var shown = CircleLine(
                id: line.id, author: person(line.author), createdAt: line.place.createdAt, body: body)
            shown.reactions = line.reactions
            shown.isAstray = line.record.isAstray
            if case .chat(_, let parent?)? = line.message?.body {
                shown.replyTo = parent
                if case .chat(let text, _)? = circle[parent]?.message?.body, circle[parent]?.isRetracted == false {
                    shown.replyExcerpt = String(text.prefix(140))
                }
            }
            if line.author == publicKey, line.message != nil { shown.delivery = delivery(of: line) }
            return shown
        }
    }

    /// How far a line of one's own has come; what is on no list any more was taken by a relay.
    private func delivery(of line: OpenCircle.Line) -> Note.Delivery? {
        guard let event = line.record.event.flatMap({ try? EventID(hex: $0) }) else { return nil }
        guard let known = circleDesk.outbox.delivery(of: event) else {
            return Note.Delivery(accepted: circleDesk.homes[event] == nil ? 1 : 0, asked: 1)
        }
        return Note.Delivery(accepted: known.accepted.count, asked: max(known.targets.count, 1))
    }
}

extension CircleLineRecord.Change {
    /// Who is named in it.
    var people: [PublicKey] {
        // What was kept by us reads.
        (added + removed + left + promoted + demoted).compactMap { try? PublicKey(hex: $0) }
    }

    func shown(_ person: (PublicKey) -> Person) -> CircleLineChange {
        func people(_ words: [String]) -> [Person] {
            words.compactMap { try? PublicKey(hex: $0) }.map(person)
        }
        var change = CircleLineChange()
        (change.added, change.removed, change.left) = (people(added), people(removed), people(left))
        (change.promoted, change.demoted) = (people(promoted), people(demoted))
        (change.name, change.relays) = (name, relays)
        return change
    }
}
