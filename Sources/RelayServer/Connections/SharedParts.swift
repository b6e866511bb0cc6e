internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrStore

/// What all connections of one relay share.
struct SharedParts: Sendable {
    let store: any EventStore
    let policies: RelayPolicies
    let limits: RelayLimits
    let challengesAtOnce: Bool
    let time: Time<Timestamp>
    let makeChallenge: @Sendable () -> String
    let verification = VerificationQueue()
    let log: Logger

    /// What a client hears when the store fails; the log keeps the same sentence, which names no content.
    func reason(for error: any Error) -> Reason {
        let sentence = (error as? StoreError)?.sentence ?? "the store failed"
        log.error("store failed", metadata: ["error": "\(sentence)"])
        return Reason(.error, sentence)
    }
}
