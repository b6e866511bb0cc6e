internal import CSecp256k1

/// The library's context, made once and blinded once with fresh randomness.
///
/// Two-line proof for `@unchecked Sendable`: after `init` the context is only ever read, and
/// libsecp256k1 documents a context as safe to share between threads when it is not being changed.
@safe final class CurveContext: @unchecked Sendable {
    static let shared = CurveContext()

    let pointer: OpaquePointer

    private init() {
        guard let made = unsafe secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else {
            preconditionFailure("libsecp256k1 could not allocate a context")
        }
        unsafe pointer = made
        var random = SystemRandomNumberGenerator()
        var seed = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        let blinded = unsafe secp256k1_context_randomize(made, &seed)
        precondition(blinded == 1, "libsecp256k1 refused to blind its context")
    }
}
