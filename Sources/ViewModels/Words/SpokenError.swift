/// An error that carries its own plain sentence for a person.
public protocol SpokenError: Error {
    /// One plain sentence; no content, no secret.
    var sentence: String { get }
}
