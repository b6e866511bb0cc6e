internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Lines of chats as screens show them, without what is muted.
extension CircleReader {
    /// One line, also where it is muted, for whoever asks to see exactly that one; `nil` for one that is not here.
    public func line(_ line: EventID, in id: CircleID) async throws -> CircleLine? {
        let mutes = await context.mutes.upToDate()
        let circle = try await store.find(id)
        let found = try await store.stretch(of: id, only: line)
        let people = try await persons(Set(found.lines.flatMap(\.people)))
        return await shown(found.lines, of: found.chat, in: circle, mutes, people, unveiling: line).first
    }

    /// So far back is looked for a line that is shown.
    private static let mostMutedLines = 50

    /// How many lines came since it was read and are shown, how many are not, and when the last that is shown came here.
    func unread(of circle: Circle, _ mutes: Mutes) async throws -> (shown: Int, hidden: Int, arrived: Int64) {
        let all = circle.record.unread
        let shown = circle.record.unread(without: mutes)
        guard shown > 0 else { return (0, all, 0) }
        // A list has many circles: lines are read only where something of theirs is muted.
        if shown == all, mutes.words.isEmpty, mutes.hashtags.isEmpty, mutes.threads.isEmpty {
            return (shown, 0, circle.record.unreadArrived ?? 0)
        }
        let stretch = try await store.stretch(of: circle.id, before: nil, limit: Self.mostMutedLines)
        let others = stretch.lines.filter { $0.message != nil && $0.author != account.publicKey }.suffix(all)
            .filter { !mutes.hides($0.author) }
        // Whoever is not muted may write what is.
        let clear = others.filter { mutes.verdict(on: $0, in: .conversation) == .shown }
        let count = max(0, shown - (others.count - clear.count))
        return (count, all - count, clear.map(\.record.arrivedAt).max() ?? 0)
    }

    /// The newest line that is shown: where the very newest is muted, the one before it.
    ///
    /// - Parameter people: at least those whom the very newest names.
    func newest(
        of circle: Circle, _ mutes: Mutes, _ people: [PublicKey: Person]
    ) async throws -> CircleLine? {
        guard let newest = circle.record.newest.flatMap(CircleChat.Line.init) else { return nil }
        if mutes.verdict(on: newest, in: .conversation) == .shown {
            return await shown([newest], of: CircleChat([]), in: circle, mutes, people).first
        }
        let stretch = try await store.stretch(of: circle.id, before: nil, limit: Self.mostMutedLines)
        guard let last = stretch.lines.last(where: { mutes.verdict(on: $0, in: .conversation) == .shown }) else {
            return nil
        }
        return await shown([last], of: stretch.chat, in: circle, mutes, try await persons(Set(last.people))).first
    }

    /// Lines as screens show them.
    ///
    /// - Parameters:
    ///   - people: whom the lines name.
    ///   - line: one that is shown also where it is muted.
    func shown(
        _ lines: [CircleChat.Line], of chat: CircleChat, in circle: Circle, _ mutes: Mutes,
        _ people: [PublicKey: Person], unveiling line: EventID? = nil
    ) async -> [CircleLine] {
        let unproven = circle.session?.unprovenPeople ?? []
        // A page has many lines of few leaves.
        let strange = Set(lines.compactMap(\.record.leaf)).filter(circle.isUnverified(leaf:))
        var shown: [CircleLine] = []
        for one in lines {
            let body = Self.body(of: one, one.id == line ? Mutes() : mutes) { people[$0] ?? Person(key: $0) }
            let author = people[one.author] ?? Person(key: one.author)
            var item = CircleLine(id: one.id, author: author, createdAt: one.place.createdAt, body: body)
            if case .muted = body {
                shown.append(item)
                continue
            }
            item.files = one.isRetracted ? [] : one.files
            item.emoji = one.isRetracted ? [] : one.message?.rumor.tags.customEmoji ?? []
            item.reactions = one.reactions.filter { !mutes.hides($0.author) }
            item.isAstray = one.record.isAstray
            let isUnverified = one.record.leaf.map(strange.contains)
            item.isUnverified =
                one.message != nil && (isUnverified ?? circle.isUnverified(nil, of: one.author, unproven))
            if case .chat(_, let parent?)? = one.message?.body {
                item.replyTo = parent
                item.replyExcerpt = chat[parent].flatMap { Self.excerpt(of: $0, mutes) }
            }
            if one.author == account.publicKey, one.message != nil {
                // What was kept by us reads.
                let event = one.record.event.flatMap { try? EventID(hex: $0) }
                if let event { item.delivery = await work.outbox.progress(of: event) }
            }
            shown.append(item)
        }
        return shown
    }

    private static func body(
        of line: CircleChat.Line, _ mutes: Mutes, _ person: (PublicKey) -> Person
    ) -> CircleLine.Body {
        if line.isRetracted { return .deleted }
        if let reason = mutes.verdict(on: line, in: .conversation).reason { return .muted(reason) }
        switch (line.message?.body, line.record.change) {
        case (.chat(let text, _)?, _): return .text(text)
        case (_, let change?): return .change(change.shown(person))
        default: return .deleted
        }
    }

    /// The start of a line, where another answers it; `nil` for one that is not shown.
    private static func excerpt(of line: CircleChat.Line, _ mutes: Mutes) -> String? {
        guard case .chat(let text, _)? = line.message?.body, !line.isRetracted,
            mutes.verdict(on: line, in: .quote) == .shown
        else { return nil }
        return String(text.prefix(140))
    }
}

extension CircleChat.Line {
    /// Who is named in it: its author, and whom a change of the group is about.
    var people: [PublicKey] { [author] + (record.change?.people ?? []) }
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
