import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// Live streams as lines of JSON, with the names of Nostr's own fields.
enum StreamJSON {
    /// A stream.
    static func stream(_ stream: LiveStream) -> String { JSONValue.object(members(of: stream)).text }

    /// A stream with who takes part and what was paid.
    static func room(_ room: LiveRoom) -> String {
        var found = room.stream.map { members(of: $0) } ?? []
        found.append(JSONMember("muted", .bool(room.isMuted)))
        found.append(
            JSONMember(
                "participants",
                .array(
                    room.participants.map { participant in
                        .object([
                            JSONMember("pubkey", .string(participant.person.key.hex)),
                            JSONMember("role", .string(participant.role)),
                            JSONMember("agreed", .bool(participant.hasAgreed)),
                        ])
                    })))
        found.append(JSONMember("relays", .array(room.relays.map { .string($0.text) })))
        found.append(JSONMember("lines", .number("\(room.lines.count)")))
        found.append(JSONMember("zaps", .number("\(room.zaps.count)")))
        found.append(JSONMember("zapped_msats", .number("\(room.zaps.millisatoshis)")))
        return JSONValue.object(found).text
    }

    /// A line of a chat.
    static func line(_ line: LiveLine) -> String {
        var members = [
            JSONMember("id", .string(line.id.hex)), JSONMember("pubkey", .string(line.author.key.hex)),
            JSONMember("created_at", .number("\(line.createdAt.seconds)")),
        ]
        switch line.body {
        case .words(let event):
            members += [JSONMember("kind", .number("1311")), JSONMember("content", .string(event.content))]
        case .zap(let zap):
            members += [
                JSONMember("kind", .number("9735")), JSONMember("content", .string(zap.comment)),
                JSONMember("msats", .number("\(zap.millisatoshis)")),
            ]
        }
        if let parent = line.replyTo { members.append(JSONMember("reply_to", .string(parent.hex))) }
        return JSONValue.object(members).text
    }

    private static func members(of stream: LiveStream) -> [JSONMember] {
        let activity = stream.activity
        let pointer = AddressPointer(address: activity.address, relays: Array(activity.relays.prefix(3)))
        var members = [
            JSONMember("naddr", .string(StreamWord.word(of: pointer))),
            JSONMember("status", .string(stream.status.rawValue)),
            JSONMember("title", .string(activity.title ?? "")),
            JSONMember("host", .string(stream.host.key.hex)),
            JSONMember("host_confirmed", .bool(stream.isHostConfirmed)),
            JSONMember("pubkey", .string(stream.author.key.hex)),
            JSONMember("chatters", .number("\(stream.chatters)")),
        ]
        if let address = activity.streaming { members.append(JSONMember("streaming", .string(address))) }
        if let address = activity.recording { members.append(JSONMember("recording", .string(address))) }
        if let starts = activity.starts { members.append(JSONMember("starts", .number("\(starts.seconds)"))) }
        if let ends = activity.ends { members.append(JSONMember("ends", .number("\(ends.seconds)"))) }
        return members
    }
}
