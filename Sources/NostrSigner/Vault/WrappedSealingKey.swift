internal import Crypto
internal import NostrCore

/// The root of a vault as it rests: encrypted by an account's key to itself.
///
/// It opens with whatever holds the account's key, in this process or elsewhere, and with nothing else. Shape: a NIP-44
/// payload over `linnet vault v1 ` and 64 hex characters.
public struct WrappedSealingKey: Hashable, Sendable {
    /// What is kept.
    public let payload: String

    private static let mark = "linnet vault v1 "

    /// Why a wrapped key did not open, where the signer is not the reason.
    public enum Failure: Error, Hashable, Sendable {
        /// It was wrapped with another key, or is damaged.
        case doesNotOpen
    }

    /// - Parameter payload: as it was kept; whether it opens is seen only then.
    public init(payload: String) {
        self.payload = payload
    }

    /// Wraps a new root; the wrapped form was opened again before it is handed out.
    ///
    /// - Parameter root: 32 random bytes; the caller wipes its own copy.
    /// - Throws: ``SigningFailure``, ``Failure`` when the signer cannot open what it encrypted.
    public static func make(
        root: [UInt8], by signer: some EventSigner
    ) async throws -> (wrapped: WrappedSealingKey, key: SealingKey) {
        // The signer takes and gives strings, which cannot be wiped; the root is in one only while it is made or opened.
        let wrapped = WrappedSealingKey(
            payload: try await signer.encrypt(mark + encodeHex(root), for: signer.publicKey, by: .nip44))
        return (wrapped, try await wrapped.open(by: signer))
    }

    /// Opens it.
    ///
    /// - Throws: ``SigningFailure`` when the signer cannot be asked now, ``Failure`` when it could and this does not open.
    public func open(by signer: some EventSigner) async throws -> SealingKey {
        let text: String
        do {
            text = try await signer.decrypt(payload, from: signer.publicKey, by: .nip44)
        } catch let failure as SigningFailure {
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Failure.doesNotOpen
        }
        guard text.hasPrefix(Self.mark) else { throw Failure.doesNotOpen }
        var root: [UInt8]
        do { root = try decodeHex(String(text.dropFirst(Self.mark.count)), byteCount: 32) } catch {
            throw Failure.doesNotOpen
        }
        defer { for index in root.indices { root[index] = 0 } }
        return SealingKey(root: SymmetricKey(data: root))
    }
}
