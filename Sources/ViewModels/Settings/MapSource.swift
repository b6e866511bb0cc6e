/// Where the pictures of maps come from, as a person named it.
///
/// The address may hold a key of the person's: it belongs in no log.
public struct MapSource: Codable, Hashable, Sendable {
    /// The address, with `{z}`, `{x}` and `{y}`.
    public var template: String
    /// Whose map it is, in plain words.
    public var attribution: String
    /// The nearest tiles it has.
    public var maxZoom: Int

    /// A source as a form names it.
    public init(template: String, attribution: String, maxZoom: Int) {
        (self.template, self.attribution, self.maxZoom) = (template, attribution, maxZoom)
    }
}
