/// A signer that can be told to forget what it signs with.
public protocol EndingSigner: EventSigner {
    /// Whether it signs nothing any more.
    var isLocked: Bool { get }
    /// Forgets it; from now on everything is refused.
    func lock()
}

extension LocalSigner: EndingSigner {}
