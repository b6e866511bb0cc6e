/// Where buses listen.
///
/// Source: D-Bus Specification, "Server Addresses" and "Well-known Message Bus Instances".
package enum DBusAddress {
    /// The system bus when the environment names no other.
    package static let standardSystemBus = "unix:path=/var/run/dbus/system_bus_socket"

    /// The paths of the sockets in the file system that an address names, in order; other transports are passed over.
    static func socketPaths(_ address: String) -> [String] {
        address.split(separator: ";").compactMap { one -> String? in
            guard one.hasPrefix("unix:") else { return nil }
            for pair in one.dropFirst("unix:".count).split(separator: ",") where pair.hasPrefix("path=") {
                return unescaped(pair.dropFirst("path=".count))
            }
            return nil
        }
    }

    /// Values write bytes that have a meaning here as `%` and two hex digits; `nil` for half of that.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
