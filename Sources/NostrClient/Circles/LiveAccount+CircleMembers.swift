internal import Location
internal import Marmot
internal import NostrCore

/// Who is in a circle, as screens see them.
extension LiveAccount {
    /// Oneself first, then the others by name.
    func members(of seat: CircleKeeper.Seat, in opened: CircleKeeper.Opened) async throws -> [CircleMember] {
        guard let roster = seat.session?.roster else { return [] }
        let people = try await persons(roster.people)
        let conditions = await readingConditions(of: seat)
        let watched = opened.watches[seat.id]
        let members = roster.people.map { key in
            let word = key.hex
            let (place, sharing) = (seat.record.places[word], seat.record.sharing[word])
            var member = CircleMember(
                person: people[key] ?? Person(key: key), nickname: seat.record.nicknames[word],
                isAdmin: roster.isAdmin(key), isLeaving: seat.record.leaving.contains(word), place: nil, sharing: nil)
            if case .location(let known)? = place?.message?.body { member.place = known }
            // A word of the same second was told with the place, after it.
            if let sharing, sharing.sentAt >= place?.sentAt ?? .min, case .sharing(let notice)? = sharing.message?.body
            {
                member.sharing = notice
            }
            let known = MemberPlace(place, sharing)
            member.whyOld = whyOld(known, of: key, in: seat, conditions)
            member.freshUntil = known.freshUntil(local: ownInterval(in: seat.id))
            member.picture = seat.record.picture(of: key)
            member.whereabouts = watched?.whereabouts(of: key) ?? []
            return member
        }
        return members.sorted {
            ($0.id == publicKey ? 0 : 1, $0.nickname ?? "", $0.id) < (
                $1.id == publicKey ? 0 : 1, $1.nickname ?? "", $1.id
            )
        }
    }
}
