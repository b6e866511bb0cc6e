import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// Private messages as lines of JSON, with the names of Nostr's own fields.
enum MessageJSON {
    /// A message that was sent, and where it is.
    static func sent(_ message: Message, _ receipts: [RecipientReceipt]) -> String {
        JSONValue.object([
            JSONMember("id", .string(message.id.hex)),
            JSONMember("created_at", number(message.createdAt)),
            JSONMember("recipients", .array(receipts.map(recipient))),
        ]).text
    }

    /// A conversation.
    static func conversation(_ summary: ConversationSummary, own: PublicKey) -> String {
        let others = summary.room.others(than: own)
        var members = [
            JSONMember("with", .array((others.isEmpty ? [own] : others).map { .string($0.npub) })),
            JSONMember("unread", .number("\(summary.unread)")),
        ]
        if let subject = summary.subject { members.append(JSONMember("subject", .string(subject))) }
        if let newest = summary.newest { members.append(JSONMember("newest", value(of: newest))) }
        return JSONValue.object(members).text
    }

    /// A message.
    static func message(_ message: Message) -> String { value(of: message).text }

    private static func value(of message: Message) -> JSONValue {
        var members = [
            JSONMember("id", .string(message.id.hex)),
            JSONMember("pubkey", .string(message.author.key.hex)),
            JSONMember("created_at", number(message.createdAt)),
        ]
        switch message.body {
        case .text(let text):
            members += [JSONMember("kind", .number("14")), JSONMember("content", .string(text))]
        case .file(let file):
            // The key to the file is left out: output is often kept.
            members += [
                JSONMember("kind", .number("15")), JSONMember("content", .string(file.url)),
                JSONMember("file_type", .string(file.type)),
            ]
        case .deleted:
            members += [JSONMember("kind", .number("14")), JSONMember("deleted", .bool(true))]
        }
        if let parent = message.replyTo { members.append(JSONMember("reply_to", .string(parent.hex))) }
        if let expiration = message.expiration { members.append(JSONMember("expiration", number(expiration))) }
        if !message.reactions.isEmpty {
            members.append(JSONMember("reactions", .array(message.reactions.map(reaction))))
        }
        return .object(members)
    }

    /// A reaction to a message or to a line of a circle.
    static func reaction(_ reaction: MessageReaction) -> JSONValue {
        var members = [
            JSONMember("content", .string(reaction.content)), JSONMember("pubkey", .string(reaction.author.hex)),
        ]
        if let emoji = reaction.emoji { members.append(JSONMember("url", .string(emoji.url))) }
        return .object(members)
    }

    private static func recipient(_ receipt: RecipientReceipt) -> JSONValue {
        let basis =
            switch receipt.basis {
            case .inbox: "inbox"
            case .relayList: "relay list"
            case .unknown: "unknown"
            }
        return .object([
            JSONMember("npub", .string(receipt.recipient.key.npub)), JSONMember("basis", .string(basis)),
            JSONMember("relays", .array(receipt.relays.map(relay))),
        ])
    }

    private static func relay(_ receipt: PublishReceipt) -> JSONValue {
        var members = [JSONMember("relay", .string(receipt.relay.text))]
        switch receipt.state {
        case .accepted: members.append(JSONMember("state", .string("stored")))
        case .waiting: members.append(JSONMember("state", .string("waiting")))
        case .givenUp(let why, let attempts):
            let words = why.words(givenUpAfter: attempts)
            members += [JSONMember("state", .string("given up")), JSONMember("why", .string(words))]
        }
        return .object(members)
    }

    private static func number(_ moment: Timestamp) -> JSONValue { .number("\(moment.seconds)") }
}
