internal import NostrClient
public import NostrCore

/// Which picture somebody shows in a circle, or a circle has; its bytes are read apart.
public struct CirclePicture: Hashable, Sendable {
    /// Whom it shows; nil for the circle's own.
    public var person: PublicKey?
    /// Another one for every picture; 64 hex digits.
    public var version: String

    /// Takes both.
    public init(person: PublicKey?, version: String) { (self.person, self.version) = (person, version) }

    /// The name it rests under.
    var word: String { person?.hex ?? CircleStep.circle }
}

extension CircleRecord {
    /// Which picture a member shows; that of the circle for nil.
    func picture(of person: PublicKey?) -> CirclePicture? {
        guard let known = pictures?[person?.hex ?? CircleStep.circle], !known.isGone else { return nil }
        return CirclePicture(person: person, version: known.id)
    }
}
