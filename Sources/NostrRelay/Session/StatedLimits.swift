import NostrNIPs

/// What a relay bears on one connection, as far as it says so.
///
/// Source: NIP-11.
struct StatedLimits: Hashable, Sendable {
    /// Open subscriptions at once.
    var subscriptions = 10
    /// What a filter's `limit` is cut to, where known.
    var limit: Int?
    /// The longest frame we may send, in bytes.
    var messageBytes = 64 << 10
    /// Whether the relay itself named that length.
    var isMessageLengthStated = false
    /// Whether the relay says that it can ask who reads (NIP-42); `nil` when it says nothing of what it can.
    var authenticates: Bool?

    /// Whether only some people may write there, or those who pay; `nil` when it does not say.
    var restrictsWrites: Bool?

    /// Careful guesses for a relay that says nothing.
    init() {}

    /// What the relay says, within reason: a relay cannot make us send nothing at all, nor everything at once.
    init(_ information: RelayInformation) {
        let said = information.limitation
        if let most = said.maxSubscriptions { subscriptions = min(max(most, 1), 100) }
        let knows = information.supportedNIPs.contains(42) || said.authRequired == true
        authenticates = information.supportedNIPs.isEmpty && !knows ? nil : knows
        let restrictions = [said.restrictedWrites, said.paymentRequired].compactMap(\.self)
        restrictsWrites = restrictions.isEmpty ? nil : restrictions.contains(true)
        if let most = said.maxLimit, most > 0 { limit = most }
        if let most = said.maxMessageLength {
            messageBytes = min(max(most, 4096), 3 << 19)
            isMessageLengthStated = true
        }
    }
}
