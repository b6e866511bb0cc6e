public import NostrClient
public import NostrNIPs
import Synchronization

/// Films and sounds in memory: what a test put at an address plays.
public final class FakeRecordings: RecordingPlaying {
    private struct State {
        var files: [String: (recording: Recording, bytes: [UInt8])] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())

    /// Nothing at first.
    public init() {}

    /// The addresses that were asked for, in order.
    public var asked: [String] { state.withLock { $0.asked } }

    /// Puts a film or sound at an address.
    ///
    /// - Parameters:
    ///   - saysSize: whether its server says how long it is.
    ///   - hasParts: whether its server gives parts of it.
    public func put(
        _ bytes: [UInt8], type: String, at address: String, saysSize: Bool = true, hasParts: Bool = true
    ) {
        let recording = Recording(
            address: address, type: type, size: saysSize ? Int64(bytes.count) : nil, hasParts: hasParts)
        state.withLock { $0.files[address] = (recording, bytes) }
    }

    public func recording(at address: String, as hash: BlobHash?) async throws -> Recording? {
        state.withLock { state in
            state.asked.append(address)
            var recording = state.files[address]?.recording
            recording?.hash = hash
            return recording
        }
    }

    public func play(
        _ recording: Recording, _ part: Range<Int64>?, _ take: ([UInt8]) async throws -> Void
    ) async throws {
        guard let bytes = state.withLock({ $0.files[recording.address]?.bytes }) else { return }
        let range = part.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? 0..<bytes.count
        for byte in bytes[range] { try await take([byte]) }
    }
}
