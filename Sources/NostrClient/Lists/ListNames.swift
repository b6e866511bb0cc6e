internal import NostrCore
internal import NostrNIPs

/// The identifier of a set by its title: lowercase letters and digits of ASCII, one hyphen for all else between them.
///
/// A title without any such letter gives `set-` and the moment.
func setIdentifier(_ title: String, now: Timestamp) -> String {
    var word: [UInt8] = []
    for byte in title.lowercased().utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
        default: if word.last != UInt8(ascii: "-"), !word.isEmpty { word.append(UInt8(ascii: "-")) }
        }
    }
    while word.last == UInt8(ascii: "-") { word.removeLast() }
    return word.isEmpty ? "set-\(now.seconds)" : String(decoding: word.prefix(64), as: UTF8.self)
}
