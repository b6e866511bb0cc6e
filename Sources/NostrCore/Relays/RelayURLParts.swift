/// The parts of a relay's address, each normalised.
///
/// Source: RFC 3986.
struct RelayURLParts {
    let isSecure: Bool
    let host: String
    let port: Int
    let target: String

    init(_ text: String) throws(RelayURLError) {
        let trimmed = trim(text)
        guard trimmed.count <= 512 else { throw .tooLong }
        let rest: ArraySlice<UInt8>
        if hasScheme("wss://", trimmed) {
            (isSecure, rest) = (true, trimmed.dropFirst(6))
        } else if hasScheme("ws://", trimmed) {
            (isSecure, rest) = (false, trimmed.dropFirst(5))
        } else {
            throw .notWebSocket
        }
        let end = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let authority = rest[..<(end ?? rest.endIndex)]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .hasCredentials }
        let (hostBytes, portBytes) = try split(authority)
        host = try normalisedHost(hostBytes)
        port = try portNumber(portBytes) ?? (isSecure ? 443 : 80)
        target = try normalisedTarget(rest[(end ?? rest.endIndex)...])
    }
}

private func trim(_ text: String) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
        let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
}

private func hasScheme(_ scheme: StaticString, _ text: ArraySlice<UInt8>) -> Bool {
    text.prefix(scheme.utf8CodeUnitCount).map(lowercase).elementsEqual("\(scheme)".utf8)
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte + 32 : byte
}

/// Splits `host:port`; brackets around an IPv6 address stay on it.
private func split(_ authority: ArraySlice<UInt8>) throws(RelayURLError) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    guard authority.first == UInt8(ascii: "[") else {
        guard let colon = authority.firstIndex(of: UInt8(ascii: ":")) else { return (authority, []) }
        return (authority[..<colon], authority[(colon + 1)...])
    }
    guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidHost }
    let after = authority[(close + 1)...]
    guard after.isEmpty || after.first == UInt8(ascii: ":") else { throw .invalidHost }
    return (authority[...close], after.dropFirst())
}

private func portNumber(_ digits: ArraySlice<UInt8>) throws(RelayURLError) -> Int? {
    if digits.isEmpty { return nil }
    guard digits.count <= 5, digits.allSatisfy({ (48...57).contains($0) }),
        let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
    else { throw .invalidPort }
    return port
}

private func normalisedHost(_ bytes: ArraySlice<UInt8>) throws(RelayURLError) -> String {
    if bytes.first == UInt8(ascii: "[") {
        let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        guard case .v6(let groups) = IPAddress(inner) else { throw .invalidHost }
        return ipv6Text(groups)
    }
    var name = bytes.map(lowercase)
    if name.last == UInt8(ascii: ".") { name.removeLast() }
    guard (1...253).contains(name.count) else { throw .invalidHost }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels {
        let isName = label.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 0x2D || $0 == 0x5F }
        guard isName, (1...63).contains(label.count), label.first != 0x2D, label.last != 0x2D else {
            throw .invalidHost
        }
    }
    let host = String(decoding: name, as: UTF8.self)
    // A last label that is a number makes it an IPv4 address to every resolver, also in short, octal and hex forms;
    // only the plain form is taken, or `127.1` would pass for a public name.
    if let last = labels.last, last.allSatisfy({ (48...57).contains($0) }) || last.starts(with: Array("0x".utf8)) {
        guard IPAddress(host) != nil else { throw .invalidHost }
    }
    return host
}

/// The path and query with normal percent escapes; the fragment is dropped.
private func normalisedTarget(_ bytes: ArraySlice<UInt8>) throws(RelayURLError) -> String {
    let visible = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex)]
    var out: [UInt8] = visible.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    var index = visible.startIndex
    while index < visible.endIndex {
        let byte = visible[index]
        switch byte {
        case UInt8(ascii: "%"):
            guard index + 2 < visible.endIndex, let high = hexValue(visible[index + 1] | 0x20),
                let low = hexValue(visible[index + 2] | 0x20)
            else { throw .invalidPath }
            appendPercent(high << 4 | low, to: &out)
            index += 2
        case 0x80...: out.append(contentsOf: percentEscape(byte))
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            throw .invalidPath
        default: out.append(byte)
        }
        index += 1
    }
    // Lists carry `wss://host//`, and no relay tells it from `wss://host`.
    if out.allSatisfy({ $0 == UInt8(ascii: "/") }) { return "/" }
    return String(decoding: out, as: UTF8.self)
}

/// Letters, digits and `-._~` never need an escape; RFC 3986 §6.2.2.2.
private func appendPercent(_ byte: UInt8, to out: inout [UInt8]) {
    let isUnreserved =
        (97...122).contains(lowercase(byte)) || (48...57).contains(byte)
        || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    if isUnreserved {
        out.append(byte)
    } else {
        out.append(contentsOf: percentEscape(byte))
    }
}

private func percentEscape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
}
