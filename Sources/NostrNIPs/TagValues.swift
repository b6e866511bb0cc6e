public import NostrCore

// What other people put into a tag is either well formed or not there: the typed readers below give `nil` for both a
// missing and a malformed element, and keep nothing of why.

extension Tag {
    /// The element at an offset as a public key.
    public func publicKey(at index: Int) -> PublicKey? {
        guard let text = self[index] else { return nil }
        // A malformed key is treated as missing, see above.
        return try? PublicKey(hex: text)
    }

    /// The element at an offset as an event id.
    public func eventID(at index: Int) -> EventID? {
        guard let text = self[index] else { return nil }
        // A malformed id is treated as missing, see above.
        return try? EventID(hex: text)
    }

    /// The element at an offset as a relay address, normalised.
    public func relay(at index: Int) -> RelayURL? {
        guard let text = self[index], !text.isEmpty else { return nil }
        // A malformed hint is treated as missing, see above.
        return try? RelayURL(text)
    }

    /// The element at an offset as an event address.
    public func address(at index: Int) -> EventAddress? {
        self[index].flatMap(EventAddress.init)
    }

    /// The element at an offset as a kind.
    public func kind(at index: Int) -> Kind? {
        self[index].flatMap { UInt16(decimal: $0) }.map { Kind($0) }
    }

    /// The element at an offset, unless it is missing or empty.
    public func text(at index: Int) -> String? {
        guard let text = self[index], !text.isEmpty else { return nil }
        return text
    }

    /// A tag whose trailing empty elements are left away.
    init(trimming elements: [String]) {
        var kept = elements
        while kept.count > 1, kept.last?.isEmpty == true { kept.removeLast() }
        self.init(kept)
    }
}

extension FixedWidthInteger {
    /// Parses plain decimal digits: no sign, no white space, no other script's digits.
    init?(decimal text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}

extension Sequence where Element: Hashable {
    /// The elements in order, each once.
    func withoutDuplicates() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
