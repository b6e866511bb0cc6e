internal import FoundationEssentials
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// How a wrap lies on disk, before sealing: JSON.
///
/// Sealed, because who gets which wrap is what a wrap hides. Shape: one record per wrap in the group of its message;
/// table `messages-out` while a relay is waited for, then `messages-sent`.
struct OutgoingWrapRecord: Codable {
    static let waiting = "messages-out"
    static let settled = "messages-sent"
    /// The group of what belongs to no message.
    static let noMessage = "requests"

    var delivery: DeliveryRecord
    var rumor: String?
    var people: [String]?
    var recipient: String
    var basis: String
    /// What signed it, in hex, while relays are waited for.
    var key: String?

    init(_ wrap: OutgoingWrap) {
        delivery = DeliveryRecord(wrap.delivery)
        rumor = wrap.rumor?.hex
        people = wrap.room?.participants.map(\.hex)
        recipient = wrap.recipient.hex
        key = wrap.delivery.isSettled ? nil : wrap.key?.exportHex
        basis =
            switch wrap.basis {
            case .inbox: "inbox"
            case .relayList: "relays"
            case .unknown: "unknown"
            }
    }

    /// The changes that keep a wrap where it belongs.
    static func changes(for wrap: OutgoingWrap, in records: SealedRecords) throws -> [RecordChange] {
        let group = wrap.rumor?.hex ?? noMessage
        let id = wrap.delivery.event.id.hex
        let (home, other) = wrap.delivery.isSettled ? (settled, waiting) : (waiting, settled)
        let bytes = [UInt8](try JSONEncoder().encode(OutgoingWrapRecord(wrap)))
        return [
            try records.put(bytes, at: .init(home, group: group, id)),
            records.remove(.init(other, group: group, id)),
        ]
    }

    /// The changes that forget a wrap in whose place another one was put.
    static func removal(of id: EventID, _ rumor: EventID?, in records: SealedRecords) -> [RecordChange] {
        let group = rumor?.hex ?? noMessage
        return [waiting, settled].map { records.remove(.init($0, group: group, id.hex)) }
    }

    static func decode(_ bytes: [UInt8]) throws -> OutgoingWrap {
        try JSONDecoder().decode(OutgoingWrapRecord.self, from: Data(bytes)).wrap()
    }

    private func wrap() throws -> OutgoingWrap {
        let basis: RecipientReceipt.Basis =
            switch self.basis {
            case "inbox": .inbox
            case "relays": .relayList
            default: .unknown
            }
        return OutgoingWrap(
            delivery: try delivery.delivery(), rumor: try rumor.map { try EventID(hex: $0) },
            room: try people.map { ChatRoom(try $0.map { try PublicKey(hex: $0) }) },
            recipient: try PublicKey(hex: recipient), basis: basis, key: try key.map { try WrapKey(hex: $0) })
    }
}
