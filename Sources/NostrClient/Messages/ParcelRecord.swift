internal import FoundationEssentials
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// How a parcel lies on disk, before sealing: JSON.
///
/// Sealed, because who gets which wrap is what a wrap hides. Shape: one record per wrap in the group of its message;
/// table `messages-out` while a relay is waited for, then `messages-sent`.
struct ParcelRecord: Codable {
    static let waiting = "messages-out"
    static let settled = "messages-sent"
    /// The group of what belongs to no message.
    static let noMessage = "requests"

    var delivery: DeliveryRecord
    var rumor: String?
    var people: [String]?
    var recipient: String
    var basis: String

    init(_ parcel: Parcel) {
        delivery = DeliveryRecord(parcel.delivery)
        rumor = parcel.rumor?.hex
        people = parcel.room?.participants.map(\.hex)
        recipient = parcel.recipient.hex
        basis =
            switch parcel.basis {
            case .inbox: "inbox"
            case .relayList: "relays"
            case .unknown: "unknown"
            }
    }

    /// The changes that keep a parcel where it belongs.
    static func changes(for parcel: Parcel, in records: SealedRecords) throws -> [RecordChange] {
        let group = parcel.rumor?.hex ?? noMessage
        let id = parcel.delivery.event.id.hex
        let (home, other) = parcel.delivery.isSettled ? (settled, waiting) : (waiting, settled)
        let bytes = [UInt8](try JSONEncoder().encode(ParcelRecord(parcel)))
        return [
            try records.put(bytes, at: .init(home, group: group, id)),
            records.remove(.init(other, group: group, id)),
        ]
    }

    static func decode(_ bytes: [UInt8]) throws -> Parcel {
        try JSONDecoder().decode(ParcelRecord.self, from: Data(bytes)).parcel()
    }

    private func parcel() throws -> Parcel {
        let basis: RecipientReceipt.Basis =
            switch self.basis {
            case "inbox": .inbox
            case "relays": .relayList
            default: .unknown
            }
        return Parcel(
            delivery: try delivery.delivery(), rumor: try rumor.map { try EventID(hex: $0) },
            room: try people.map { ChatRoom(try $0.map { try PublicKey(hex: $0) }) },
            recipient: try PublicKey(hex: recipient), basis: basis)
    }
}
