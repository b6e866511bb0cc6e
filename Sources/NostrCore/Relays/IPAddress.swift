/// An address written as numbers: IPv4 dotted, IPv6 as RFC 4291 has it.
package enum IPAddress: Hashable {
    case v4(UInt32)
    /// Eight groups of 16 bits.
    case v6([UInt16])

    /// Parses the text of an address; `nil` for anything else, also for the short and octal forms of IPv4.
    package init?(_ text: String) {
        if let address = ipv4(Substring(text)) {
            self = .v4(address)
        } else if let groups = ipv6(text) {
            self = .v6(groups)
        } else {
            return nil
        }
    }

    /// What one household or server has, as one spends it: an IPv4 address, also where it is written inside IPv6
    /// (RFC 4291 §2.5.5.2), or the first 64 bits of an IPv6 address.
    package var network: IPAddress {
        guard case .v6(let groups) = self, groups.count == 8 else { return self }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            return .v4(UInt32(groups[6]) << 16 | UInt32(groups[7]))
        }
        return .v6(Array(groups.prefix(4)) + [0, 0, 0, 0])
    }

    /// The same address, as IPv4 where it is that, written inside IPv6.
    var plain: IPAddress {
        if case .v4 = network { network } else { self }
    }

    /// Whether no stranger should be able to send us there: this machine, near networks, reserved and multicast.
    ///
    /// Source: the IANA special-purpose address registries (RFC 6890).
    package var isPrivate: Bool {
        switch self {
        case .v4(let address): isPrivateIPv4(address)
        case .v6(let groups): isPrivateIPv6(groups)
        }
    }
}

private func isPrivateIPv4(_ address: UInt32) -> Bool {
    let blocks: [(UInt32, UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
        (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 4),
        (0xF000_0000, 4),
    ]
    return blocks.contains { block, length in (address ^ block) >> (32 - length) == 0 }
}

private func isPrivateIPv6(_ groups: [UInt16]) -> Bool {
    guard groups.count == 8 else { return true }
    let embedded = UInt32(groups[6]) << 16 | UInt32(groups[7])
    if groups[..<5].allSatisfy({ $0 == 0 }) {
        // `::`, `::1`, IPv4-compatible and IPv4-mapped addresses.
        return groups[5] == 0 || groups[5] != 0xFFFF || isPrivateIPv4(embedded)
    }
    // NAT64 reaches the IPv4 address inside.
    if groups[0] == 0x64, groups[1] == 0xFF9B { return groups[2] != 0 || isPrivateIPv4(embedded) }
    // 6to4 too.
    if groups[0] == 0x2002 { return isPrivateIPv4(UInt32(groups[1]) << 16 | UInt32(groups[2])) }
    return groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFFC0 == 0xFE80 || groups[0] & 0xFFC0 == 0xFEC0
        || groups[0] & 0xFF00 == 0xFF00
}

private func ipv4(_ text: Substring) -> UInt32? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
        guard (1...3).contains(part.count), part.allSatisfy({ (48...57).contains($0) }),
            part.count == 1 || part.first != UInt8(ascii: "0"), let value = UInt8(String(Substring(part)))
        else { return nil }
        address = address << 8 | UInt32(value)
    }
    return address
}

private func ipv6(_ text: String) -> [UInt16]? {
    guard text.utf8.count <= 45, text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let parts = Array(text.utf8)
    let gap = parts.indices.dropLast().first { parts[$0] == 0x3A && parts[$0 + 1] == 0x3A }
    guard let gap else {
        guard let groups = ipv6Groups(parts[...]), groups.count == 8 else { return nil }
        return groups
    }
    guard let head = ipv6Groups(parts[..<gap]), let tail = ipv6Groups(parts[(gap + 2)...]),
        head.count + tail.count <= 7
    else { return nil }
    return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
}

/// Groups between single colons; the last may be an IPv4 address, which counts as two.
private func ipv6Groups(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
    if bytes.isEmpty { return [] }
    var groups: [UInt16] = []
    let parts = bytes.split(separator: 0x3A, omittingEmptySubsequences: false)
    for (i, part) in parts.enumerated() {
        let text = String(decoding: part, as: UTF8.self)
        if i == parts.count - 1, part.contains(0x2E) {
            guard let address = ipv4(Substring(text)) else { return nil }
            groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
        } else {
            guard (1...4).contains(part.count), part.allSatisfy({ hexValue($0 | 0x20) != nil }),
                let group = UInt16(text, radix: 16)
            else { return nil }
            groups.append(group)
        }
    }
    return groups
}

/// The one text of an IPv6 address: lowercase, no leading zeros, the first longest run of zeros as `::`.
///
/// Source: RFC 5952 §4.
func ipv6Text(_ groups: [UInt16]) -> String {
    var best = 0..<0
    var start = 0
    while start < groups.count {
        let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
        if end - start > max(best.count, 1) { best = start..<end }
        start = max(end, start + 1)
    }
    let hex = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    return best.isEmpty ? hex(groups[...]) : "\(hex(groups[..<best.lowerBound]))::\(hex(groups[best.upperBound...]))"
}
