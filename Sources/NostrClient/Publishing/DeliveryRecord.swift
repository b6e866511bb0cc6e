internal import FoundationEssentials
internal import NostrCore

/// How a delivery lies on disk: JSON with the event as its wire text.
///
/// Shape: table `publish`, key the event id in hex.
struct DeliveryRecord: Codable {
    static let table = "publish"

    struct Target: Codable {
        var relay: String
        var reader: String?
        var indexer: Bool?
        var conversation: Bool?
        var attempts: Int?
        var next: Int64?
        var accepted: Int64?
        var givenUp: PublishAnswerRecord?
        var answer: PublishAnswerRecord?
    }

    var event: String
    var queued: Int64
    var notBefore: Int64?
    var strangers: [String]
    var targets: [Target]

    init(_ delivery: Delivery) {
        event = String(decoding: delivery.event.unverified.json, as: UTF8.self)
        queued = delivery.queuedAt.seconds
        notBefore = delivery.notBefore?.seconds
        strangers = delivery.strangers.map(\.hex).sorted()
        targets = delivery.targets.map(Target.init)
    }

    /// The bytes for the record store.
    static func encode(_ delivery: Delivery) throws -> [UInt8] {
        [UInt8](try JSONEncoder().encode(DeliveryRecord(delivery)))
    }

    /// Reads a record back; the event is verified again, which costs nothing here and trusts no disk.
    static func decode(_ bytes: [UInt8]) throws -> Delivery {
        try JSONDecoder().decode(DeliveryRecord.self, from: Data(bytes)).delivery()
    }

    func delivery() throws -> Delivery {
        var delivery = Delivery(
            event: try Event(verifying: UnverifiedEvent(json: Array(event.utf8))),
            queuedAt: Timestamp(seconds: queued), strangers: Set(try strangers.map { try PublicKey(hex: $0) }),
            targets: try targets.map { try $0.target() })
        delivery.notBefore = notBefore.map { Timestamp(seconds: $0) }
        return delivery
    }
}

extension DeliveryRecord.Target {
    init(_ target: Delivery.Target) {
        relay = target.relay.text
        answer = target.lastAnswer.map(PublishAnswerRecord.init)
        switch target.purpose {
        case .ownWrite: break
        case .readOf(let person): reader = person.hex
        case .indexer: indexer = true
        case .conversation: conversation = true
        }
        switch target.state {
        case .waiting(let tries, let moment): (attempts, next) = (tries, moment.seconds)
        case .accepted(let moment): accepted = moment.seconds
        case .givenUp(let why, let tries): (givenUp, attempts) = (PublishAnswerRecord(why), tries)
        }
    }

    func target() throws -> Delivery.Target {
        let purpose: PublishReceipt.Purpose =
            if let reader {
                .readOf(try PublicKey(hex: reader))
            } else if indexer == true {
                .indexer
            } else {
                conversation == true ? .conversation : .ownWrite
            }
        let state: PublishReceipt.State =
            if let accepted {
                .accepted(Timestamp(seconds: accepted))
            } else if let givenUp {
                .givenUp(givenUp.answer, attempts: attempts ?? 1)
            } else {
                .waiting(attempts: attempts ?? 0, next: Timestamp(seconds: next ?? 0))
            }
        return Delivery.Target(
            relay: try RelayURL(relay), purpose: purpose, state: state, lastAnswer: answer?.answer)
    }
}
