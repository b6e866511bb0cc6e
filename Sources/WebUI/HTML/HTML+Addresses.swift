extension HTML {
    /// Whether a plain text may be put in here.
    ///
    /// Not at the beginning of an address (`href`, `src`, `action` and their like), where it would choose the scheme and
    /// the host; behind that only what ``Path`` would leave as it is.
    func takesText(_ text: some StringProtocol) -> Bool {
        guard let begun = addressBegun else { return true }
        return !begun.isEmpty && text.utf8.allSatisfy(isUnreservedInAddress)
    }

    /// What stands already of the address that is being written; `nil` where none is.
    private var addressBegun: ArraySlice<UInt8>? {
        guard let quote = bytes.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
        let before = bytes[..<quote]
        guard Self.addressAttributes.contains(where: { before.suffix($0.count).elementsEqual($0) }) else { return nil }
        return bytes[(quote + 1)...]
    }

    private static let addressAttributes = ["href=", "src=", "srcset=", "action=", "poster=", "cite="].map {
        Array($0.utf8)
    }
}

/// Whether a byte stands in an address as it is: a letter, a digit or one of `-._~`.
func isUnreservedInAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        true
    default: false
    }
}
