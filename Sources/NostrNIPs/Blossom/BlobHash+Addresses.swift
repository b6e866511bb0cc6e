extension BlobHash {
    /// The blob that an address names: its last run of exactly 64 characters of hex; `nil` where there is none.
    ///
    /// Source: BUD-03.
    public init?(inAddress address: some StringProtocol) {
        let bytes = Array(address.utf8.prefix(4096))
        var end = bytes.count
        while end > 0 {
            guard Self.isHex(bytes[end - 1]) else {
                end -= 1
                continue
            }
            var start = end
            while start > 0, Self.isHex(bytes[start - 1]) { start -= 1 }
            if end - start == 64 {
                self.init(hex: String(decoding: bytes[start..<end], as: UTF8.self).lowercased())
                return
            }
            end = start
        }
        return nil
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
