/// An answer too long for an address, which a page posts to the callback itself, and so to its origin alone.
///
/// Shape: the fields are what stands in the query otherwise, `application/x-www-form-urlencoded`; none holds a line break,
/// since forms change those. Source: NIP-155, "Large Payloads", HTTPS Callback POST.
public struct PostedAnswer: Hashable, Sendable {
    /// One field of the form.
    public struct Field: Hashable, Sendable {
        /// Its name, as a callback's parameter has it.
        public let name: String
        /// Its value.
        public let value: String

        /// A field.
        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Where it is posted: the link's `x-success`, as the app wrote it.
    public let address: String
    /// `https://host` of the address; nowhere else may the form go.
    public let origin: String
    /// What is posted.
    public let fields: [Field]

    /// An answer that was handed over, as between a program and its command.
    ///
    /// - Returns: `nil` for an address that is no callback by `https`.
    public init?(to address: String, _ fields: [Field]) {
        // Why it is none does not matter.
        guard let place = try? LinkCallback(address), place.reachesServer else { return nil }
        self.address = place.text
        origin = place.origin
        self.fields = fields
    }

    /// - Returns: `nil` where a form would change what it carries.
    init?(_ items: [(String, String)], to place: LinkCallback) {
        guard place.reachesServer, items.allSatisfy({ !$0.1.utf8.contains { $0 == 0x0A || $0 == 0x0D } }) else {
            return nil
        }
        address = place.text
        origin = place.origin
        fields = items.map { Field($0.0, $0.1) }
    }
}
