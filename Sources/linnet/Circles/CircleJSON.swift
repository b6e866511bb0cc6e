internal import Circles
internal import Location
import NostrClient
import NostrCore
import NostrNIPs
internal import ViewModels

/// Private circles as lines of JSON.
enum CircleJSON {
    /// A circle in a list.
    static func circle(_ circle: CircleSummary) -> String {
        var members = [
            JSONMember("id", .string(circle.id.hex)), JSONMember("name", .string(circle.name)),
            JSONMember("standing", .string(circle.standing.rawValue)), JSONMember("admin", .bool(circle.isAdmin)),
            JSONMember("members", number(circle.people.count)), JSONMember("unread", number(circle.unread)),
            JSONMember("requests", number(circle.requests)), JSONMember("picture", .bool(circle.picture != nil)),
        ]
        if circle.isOutOfStep { members.append(JSONMember("out_of_step", .bool(true))) }
        if let newest = circle.newest { members.append(JSONMember("newest", value(of: newest))) }
        return JSONValue.object(members).text
    }

    /// A circle the account asked to join.
    static func asked(_ circle: AskedCircle) -> String {
        var members = [
            JSONMember("id", .string(circle.id.hex)), JSONMember("standing", .string("asked")),
            JSONMember("inviter", .string(circle.inviter.key.npub)), JSONMember("asked_at", moment(circle.askedAt)),
        ]
        if let name = circle.name { members.append(JSONMember("name", .string(name))) }
        // They are in private networks, and are asked once the person allows it.
        let unchosen = circle.unchosenRelays.map { JSONValue.string($0.text) }
        if !unchosen.isEmpty { members.append(JSONMember("unchosen_relays", .array(unchosen))) }
        return JSONValue.object(members).text
    }

    /// A circle that the account was let into without having asked.
    static func invitation(_ invitation: CircleInvitation) -> String {
        // A muted name is not printed; joining by the id works all the same.
        let name =
            invitation.muted.map { JSONMember("muted", .string($0.rawValue)) }
            ?? JSONMember("name", .string(invitation.name))
        return JSONValue.object([
            JSONMember("id", .string(invitation.id.hex)), JSONMember("standing", .string("invited")), name,
            JSONMember("inviter", .string(invitation.inviter.key.npub)),
        ]).text
    }

    /// A line of the chat.
    static func line(_ line: CircleLine) -> String { value(of: line).text }

    private static func value(of line: CircleLine) -> JSONValue {
        var members = [JSONMember("id", .string(line.id.hex))]
        if case .muted(let reason) = line.body {
            // Nothing of it, nor whose it is.
            members.append(JSONMember("created_at", moment(line.createdAt)))
            members.append(JSONMember("muted", .string(reason.rawValue)))
            return .object(members)
        }
        members += [
            JSONMember("pubkey", .string(line.author.key.hex)), JSONMember("created_at", moment(line.createdAt)),
        ]
        switch line.body {
        case .muted: break
        case .text(let text): members.append(JSONMember("content", .string(text)))
        case .deleted: members.append(JSONMember("deleted", .bool(true)))
        case .change(let change): members += self.members(of: change)
        }
        if !line.files.isEmpty {
            let files = line.files.map { file in
                JSONValue.object([
                    JSONMember("name", .string(file.name)), JSONMember("file_type", .string(file.type)),
                    JSONMember("opens", .bool(file.canOpen)),
                ])
            }
            members.append(JSONMember("files", .array(files)))
        }
        if let parent = line.replyTo { members.append(JSONMember("reply_to", .string(parent.hex))) }
        if line.isUnverified { members.append(JSONMember("verified", .bool(false))) }
        if line.isAstray { members.append(JSONMember("astray", .bool(true))) }
        if !line.reactions.isEmpty {
            let reactions = line.reactions.map { reaction in
                MessageJSON.reaction(reaction)
            }
            members.append(JSONMember("reactions", .array(reactions)))
        }
        return .object(members)
    }

    private static func members(of change: CircleLineChange) -> [JSONMember] {
        let people = [
            ("added", change.added), ("removed", change.removed), ("left", change.left),
            ("promoted", change.promoted), ("demoted", change.demoted),
        ]
        var members = people.filter { !$0.1.isEmpty }
            .map { JSONMember($0.0, .array($0.1.map { .string($0.key.npub) })) }
        if let name = change.name { members.append(JSONMember("name", .string(name))) }
        if let relays = change.relays { members.append(JSONMember("relays", .array(relays.map { .string($0) }))) }
        return members
    }

    /// Somebody in a circle.
    static func member(_ member: CircleMember) -> String {
        var members = [
            JSONMember("npub", .string(member.id.npub)), JSONMember("admin", .bool(member.isAdmin)),
            JSONMember("picture", .bool(member.picture != nil)),
        ]
        if let name = member.nickname { members.append(JSONMember("nickname", .string(name))) }
        if member.isUnverified { members.append(JSONMember("verified", .bool(false))) }
        if member.person.isMuted { members.append(JSONMember("muted", .bool(true))) }
        if member.isLeaving { members.append(JSONMember("leaving", .bool(true))) }
        return JSONValue.object(members).text
    }

    /// Where somebody last said they are.
    static func place(_ place: LocationPayload, of member: CircleMember, now: Timestamp) -> String {
        var members = [
            JSONMember("npub", .string(member.id.npub)), JSONMember("lat", .number("\(place.latitude)")),
            JSONMember("lon", .number("\(place.longitude)")), JSONMember("accuracy", .number("\(place.accuracy)")),
            JSONMember("sent_at", moment(place.sentAt)),
            JSONMember("age", .number("\(max(0, now.seconds - place.sentAt.seconds))")),
        ]
        if member.isPlaceUnverified { members.append(JSONMember("verified", .bool(false))) }
        if let battery = place.battery { members.append(JSONMember("battery", number(battery))) }
        return JSONValue.object(members).text
    }

    /// Somebody who asks to join.
    static func request(_ request: CircleRequest) -> String {
        var members = [
            JSONMember("npub", .string(request.id.npub)), JSONMember("asked_at", moment(request.arrivedAt)),
        ]
        if let name = request.name { members.append(JSONMember("name", .string(name))) }
        if request.person.isMuted { members.append(JSONMember("muted", .bool(true))) }
        if request.isReadmission { members.append(JSONMember("out_of_step", .bool(true))) }
        return JSONValue.object(members).text
    }

    /// How the account's place is shared with a circle.
    static func sharing(_ state: SharingState, renewalDays: Int? = nil) -> String {
        let settings = state.settings
        var members = [
            JSONMember("sharing", .bool(state.isOn)),
            JSONMember("paused", .bool(state.isOn && settings.pause != .none)),
            JSONMember("every", number(settings.interval.seconds)),
            JSONMember("blur", settings.blur.map { number(Int($0)) } ?? .null),
            JSONMember("low_power", .bool(settings.isLowPower)), JSONMember("trail", .bool(settings.keepsTrail)),
            JSONMember("why", .bool(settings.tellsWhy)),
            JSONMember("low_battery", settings.lowBattery.map { number($0) } ?? .null),
            JSONMember("waiting", number(state.waiting)),
        ]
        if let until = state.pausedUntil { members.append(JSONMember("paused_until", moment(until))) }
        if let sent = state.toldAt { members.append(JSONMember("sent_at", moment(sent))) }
        if let renewalDays { members.append(JSONMember("renew_days", number(renewalDays))) }
        return JSONValue.object(members).text
    }

    /// A link by which guests see where the account is.
    static func guest(_ guest: GuestLinkState) -> String {
        var members = [
            JSONMember("id", .string(guest.id)), JSONMember("note", .string(guest.note)),
            JSONMember("ends_at", moment(guest.link.endsAt)), JSONMember("revoked", .bool(guest.isRevoked)),
        ]
        if let shown = guest.shownAt { members.append(JSONMember("sent_at", moment(shown))) }
        if !guest.isRevoked { members.append(JSONMember("url", .string(guest.address))) }
        return JSONValue.object(members).text
    }

    /// Whether a circle goes on as it should.
    static func health(_ health: CircleHealth) -> String {
        JSONValue.object([
            JSONMember("in_step", .bool(!health.isOutOfStep)), JSONMember("caught_up", .bool(health.isCaughtUp)),
            JSONMember("epoch", .number("\(health.epoch)")),
            JSONMember("fingerprint", .string(health.fingerprint)), JSONMember("waiting", number(health.waiting)),
            JSONMember("unopened", number(health.unopened)),
            JSONMember("unsent", number(health.unsent)), JSONMember("pending", number(health.pending)),
            JSONMember(
                "relays",
                .array(
                    health.relays.sorted { $0.key < $1.key }.map { relay, isConnected in
                        .object([
                            JSONMember("relay", .string(relay.text)), JSONMember("connected", .bool(isConnected)),
                        ])
                    })),
            JSONMember(
                "troubles",
                .array(
                    health.troubles.map { trouble in
                        .object([
                            JSONMember("at", moment(trouble.at)), JSONMember("what", .string(trouble.what.sentence)),
                        ])
                    })),
        ]).text
    }

    private static func moment(_ moment: Timestamp) -> JSONValue { .number("\(moment.seconds)") }

    private static func number(_ count: Int) -> JSONValue { .number("\(count)") }
}
