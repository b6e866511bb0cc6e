internal import NostrCore

extension LocationSharing: Codable {
    private enum CodingKeys: String, CodingKey {
        case settings, blurSecret, blur, movement, latest, isUnsent, failure, hasTold, madeAt, span, sendNowBy, queue
        case isBatteryLow
    }

    /// Reads what was kept; whether there is a network has to be told anew.
    ///
    /// - Throws: `DecodingError`, and ``/NostrCore/HexError`` for a secret that is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let secret = try decodeHex(try values.decode(String.self, forKey: .blurSecret), byteCount: 32)
        self.init(
            try values.decode(SharingSettings.self, forKey: .settings), blurSecret: try Bytes32(secret.span))
        blur = try values.decodeIfPresent(Blur.self, forKey: .blur)
        movement = try values.decode(Movement.self, forKey: .movement)
        latest = try values.decodeIfPresent(Fix.self, forKey: .latest)
        isUnsent = try values.decode(Bool.self, forKey: .isUnsent)
        failure = try values.decodeIfPresent(LocationFailure.self, forKey: .failure)
        hasTold = try values.decode(Bool.self, forKey: .hasTold)
        sendNowBy = try values.momentIfPresent(.sendNowBy)
        isBatteryLow = try values.decodeIfPresent(Bool.self, forKey: .isBatteryLow) ?? false
        queue = try values.decode(SharingQueue.self, forKey: .queue)
        queue.keepsTrail = settings.keepsTrail
        // Nobody knows whether it arrived: it goes again, unless sharing was put to rest after it.
        queue.disconnect(mayKeep: mayKeep)
        if let madeAt = try values.momentIfPresent(.madeAt) {
            promise = Promise(madeAt: madeAt, span: .seconds(try values.decode(Int64.self, forKey: .span)))
        }
    }

    /// Writes the state for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(settings, forKey: .settings)
        try values.encode(blurSecret.hex, forKey: .blurSecret)
        try values.encodeIfPresent(blur, forKey: .blur)
        try values.encode(movement, forKey: .movement)
        try values.encodeIfPresent(latest, forKey: .latest)
        try values.encode(isUnsent, forKey: .isUnsent)
        try values.encodeIfPresent(failure, forKey: .failure)
        try values.encode(hasTold, forKey: .hasTold)
        try values.encodeIfPresent(promise?.madeAt, .madeAt)
        try values.encodeIfPresent(promise?.span.components.seconds, forKey: .span)
        try values.encodeIfPresent(sendNowBy, .sendNowBy)
        try values.encode(queue, forKey: .queue)
        try values.encode(isBatteryLow, forKey: .isBatteryLow)
    }
}

extension SharingQueue: Codable {
    private enum CodingKeys: String, CodingKey { case waiting, onItsWay, lastSent, trail, nextNumber }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            waiting: try values.decodeIfPresent(QueuedPlace.self, forKey: .waiting),
            onItsWay: try values.decodeIfPresent(QueuedPlace.self, forKey: .onItsWay),
            lastSent: try values.decodeIfPresent(SharedPlace.self, forKey: .lastSent),
            trail: try values.decode([Fix].self, forKey: .trail),
            nextNumber: try values.decode(UInt64.self, forKey: .nextNumber))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(waiting, forKey: .waiting)
        try values.encodeIfPresent(onItsWay, forKey: .onItsWay)
        try values.encodeIfPresent(lastSent, forKey: .lastSent)
        try values.encode(trail, forKey: .trail)
        try values.encode(nextNumber, forKey: .nextNumber)
    }
}

extension LocationSharing: CustomStringConvertible, CustomDebugStringConvertible {
    /// That it is one, without places and secret.
    public var description: String { "the sharing of a place" }

    /// The same.
    public var debugDescription: String { description }
}
