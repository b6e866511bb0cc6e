/// Base64 with `-` and `_` in place of `+` and `/`, written without padding.
///
/// What Web Push keys, JSON Web Tokens and many Nostr clients use. Source: RFC 4648 §5.
package enum Base64URL {
    /// The text of bytes, without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(Base64.length(ofBytes: bytes.count))
        for character in Base64.encode(bytes.span).utf8 {
            switch character {
            case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: text.append(character)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text in this alphabet or the standard one, with or without padding; `nil` for anything else.
    package static func decode(_ text: String) -> [UInt8]? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.utf8.count + 3)
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            default: standard.append(character)
            }
        }
        if standard.last != UInt8(ascii: "=") {
            while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        }
        return Base64.decode(String(decoding: standard, as: UTF8.self))
    }
}
