/// What is to be known of a proposal type outside RFC 9420.
///
/// It may stand in a commit only if every member who stays lists it in their capabilities. Source: RFC 9420 §12.4, §13.2.
public struct CustomProposal: Hashable, Sendable {
    /// How the body is laid out.
    public enum Body: Sendable {
        /// No bytes at all, as in SelfRemove.
        case empty
        /// One variable-length vector.
        case vector
    }

    /// How the body is laid out.
    public var body: Body
    /// Whether a commit of it needs a path.
    public var requiresPath: Bool
    /// Whether a sender outside the group may send it.
    public var isForExternalSenders: Bool

    /// A type with this layout and these rules; a type that says nothing needs a path and comes from members.
    public init(body: Body, requiresPath: Bool = true, isForExternalSenders: Bool = false) {
        self.body = body
        self.requiresPath = requiresPath
        self.isForExternalSenders = isForExternalSenders
    }

    /// SelfRemove: nothing but its type, from members only, and a path with it.
    public static let selfRemove = CustomProposal(body: .empty)

    func fits(_ bytes: [UInt8]?) -> Bool { (bytes == nil) == (body == .empty) }
}
