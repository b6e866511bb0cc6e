internal import HTTPTypes
internal import NostrCore
internal import Synchronization

/// How many blobs are on their way here, in all and of each person.
final class UploadPlaces: Sendable {
    private let all: Int
    private let ofOne: Int
    private let taken = Mutex<[PublicKey: Int]>([:])

    init(all: Int, ofOne: Int) {
        (self.all, self.ofOne) = (all, ofOne)
    }

    /// Works in a place, and gives it back at the end.
    ///
    /// - Throws: ``BlossomRefusal``, 429, when there is none; else what the work throws.
    func withPlace<Value>(of person: PublicKey, _ work: () async throws -> Value) async throws -> Value {
        let isFree = taken.withLock { taken in
            guard taken.values.reduce(0, +) < all, taken[person, default: 0] < ofOne else { return false }
            taken[person, default: 0] += 1
            return true
        }
        guard isFree else {
            throw BlossomRefusal(
                .tooManyRequests, "Too many blobs are on their way here; come again soon.", retryAfter: 10)
        }
        defer {
            taken.withLock { taken in
                let rest = taken[person, default: 1] - 1
                taken[person] = rest > 0 ? rest : nil
            }
        }
        return try await work()
    }
}
