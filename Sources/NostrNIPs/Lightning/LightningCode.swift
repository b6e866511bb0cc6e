/// What a wallet reads in a text that asks to be paid: an invoice or an LNURL, without what may stand around it.
///
/// `lightning:` before it is taken away, and it is found behind `lightning=` in an address of Bitcoin or of the web. A
/// text without any of these is given back without its white space; nothing of it is checked. Source: BIP-21, LUD-01.
public func lightningCode(in text: String) -> String {
    let word = text.filter { !$0.isWhitespace }
    let lower = word.prefix(10).lowercased()
    if lower == "lightning:" { return String(word.dropFirst(10).drop { $0 == "/" }) }
    guard lower.hasPrefix("bitcoin:") || lower.hasPrefix("https://"), let mark = word.firstIndex(of: "?") else {
        return word
    }
    let query = URIQuery(parsing: word[word.index(after: mark)...].prefix { $0 != "#" })
    // Codes to scan are written in capitals, names and all.
    return query.items.first { $0.name.lowercased() == "lightning" && !$0.value.isEmpty }?.value ?? word
}
