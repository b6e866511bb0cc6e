internal import Circles
internal import NostrClient
public import NostrCore

/// Which picture somebody shows in a circle, or a circle has.
public struct CirclePictureItem: Hashable, Sendable {
    /// Whom it shows; nil for the circle's own.
    public let person: PublicKey?
    /// Another one for every picture; 64 hex digits.
    public let version: String

    /// One that an address names; nobody need have it.
    public init(person: PublicKey?, version: String) { (self.person, self.version) = (person, version) }

    init(_ picture: CirclePicture) { self.init(person: picture.person, version: picture.version) }
}
