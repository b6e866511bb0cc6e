public import NostrStore

/// Wakes devices of some kinds of address.
public protocol PushSender: Sendable {
    /// Hands a request to the push service of a device; ends within seconds in any case.
    func send(_ request: WakeRequest, to address: PushAddress) async -> PushOutcome

    /// Tells a device that something happened that is no request, without saying what.
    func notify(_ address: PushAddress) async -> PushOutcome

    /// Closes the connections; nothing is sent afterwards.
    func close() async
}

/// What a push service said.
public enum PushOutcome: Hashable, Sendable {
    /// It took the message.
    case delivered
    /// The address is no more, as far as registrations before a moment go; `nil` for all.
    case gone(seenBefore: Int64?)
    /// It wants fewer messages for this device.
    case later(Duration)
    /// It refused the message for a reason of ours: a wrong key, topic or payload.
    case refused(status: Int, reason: String)
    /// It could not be reached or did not answer.
    case failed(String)
}
