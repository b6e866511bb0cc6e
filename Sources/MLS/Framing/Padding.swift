/// How much longer than needed a private message is made, to hide its length.
///
/// Source: RFC 9420 §15.1.
public enum Padding: Sendable, Hashable {
    /// Nothing is added.
    case none
    /// Zeros up to the next multiple.
    case multiple(of: Int)

    func count(after length: Int) -> Int {
        switch self {
        case .none: 0
        case .multiple(let block): block > 1 ? (block - length % block) % block : 0
        }
    }
}
