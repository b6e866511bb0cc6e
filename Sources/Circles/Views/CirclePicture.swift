public import NostrCore

/// Which picture somebody shows in a circle, or a circle has; its bytes are read apart.
public struct CirclePicture: Hashable, Sendable {
    /// Whom it shows; nil for the circle's own.
    public var person: PublicKey?
    /// Another one for every picture; 64 hex digits.
    public var version: String

    /// Names one version of a picture; without a person the circle's own.
    public init(person: PublicKey?, version: String) { (self.person, self.version) = (person, version) }

    /// The name it rests under.
    var word: String { Self.word(for: person) }

    /// The name that the picture of somebody rests under, or that of the circle for nil.
    static func word(for person: PublicKey?) -> String { person?.hex ?? "circle" }
}
