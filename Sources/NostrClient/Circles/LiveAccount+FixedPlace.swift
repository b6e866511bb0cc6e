public import Location
internal import NostrCore
internal import NostrStore

/// A place that does not move, for a machine that does not either; it rests encrypted, as all places do.
extension LiveAccount {
    /// How exactly it counts, in metres.
    private static let fixedAccuracy = 10.0
    private static let fixedRecord = SealedRecords.Place(CircleTable.fixedPlace, "own")

    public func fixedPlace() async throws -> Coordinate? {
        guard let sealed else { throw CircleError.locked }
        return try await sealed.value(Self.fixedRecord).flatMap { Fix.record($0) }?.place
    }

    public func setFixedPlace(_ place: Coordinate?) async throws {
        guard let sealed else { throw CircleError.locked }
        guard let place else { return try await sealed.apply([sealed.remove(Self.fixedRecord)]) }
        let fix = try Fix(place: place, accuracy: Self.fixedAccuracy, moment: time.now())
        try await sealed.apply([try sealed.put(try fix.recordBytes(), at: Self.fixedRecord)])
    }
}
