import Foundation
import NostrCore

/// Secrets that a test plants, and the search for them in every form they could leak in.
struct PlantedSecrets {
    struct Secret {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
    }

    private let needles: [(name: String, bytes: Data)]

    init(_ secrets: [Secret]) {
        needles = secrets.flatMap { secret in
            Self.forms(of: secret.bytes).map { ("\(secret.name), \($0.form)", Data($0.bytes)) }
        }
    }

    /// What of the secrets shows in some bytes, each as its name and form.
    func found(in haystack: Data) -> [String] {
        needles.filter { Self.holds(haystack, $0.bytes) }.map(\.name)
    }

    /// Whether some bytes stand in others; the system's own search, since whole databases are looked through.
    private static func holds(_ haystack: Data, _ needle: Data) -> Bool {
        unsafe haystack.withUnsafeBytes { all in
            unsafe needle.withUnsafeBytes { wanted in
                guard var start = all.baseAddress, let first = wanted.baseAddress else { return false }
                let end = unsafe start + all.count - wanted.count
                while unsafe start <= end, let hit = unsafe memchr(start, Int32(wanted[0]), end - start + 1) {
                    if unsafe memcmp(hit, first, wanted.count) == 0 { return true }
                    unsafe start = UnsafeRawPointer(hit) + 1
                }
                return false
            }
        }
    }

    /// What of the secrets shows in any file below a directory, or in a file's name.
    func found(below directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).flatMap { name in
            let inName = found(in: Data(name.utf8)).map { "the name \(name): \($0)" }
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return inName }
            return inName + found(in: bytes).map { "\(name): \($0)" }
        }
    }

    /// What of the secrets the system's list of processes shows of one.
    func found(inProcess id: Int32) -> [String] {
        ["cmdline", "environ"].flatMap { name in
            // A system without such a list has none to look through.
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/\(name)") else { return [String]() }
            return found(in: bytes).map { "\(name): \($0)" }
        }
    }

    /// A secret as it is, as hex, and as base64 and bech32 wherever it may begin within what is encoded.
    static func forms(of bytes: [UInt8]) -> [(form: String, bytes: [UInt8])] {
        let hex = encodeHex(bytes)
        var forms = [("plain", bytes), ("hex", Array(hex.utf8)), ("upper case hex", Array(hex.uppercased().utf8))]
        let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let base64url = base64.dropLast(2) + Array("-_".utf8)
        let bech32 = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
        for offset in 0..<3 {
            forms.append(("base64 at \(offset)", encoded(bytes, bits: 6, offset: offset, base64)))
            forms.append(("base64url at \(offset)", encoded(bytes, bits: 6, offset: offset, Array(base64url))))
        }
        for offset in 0..<5 {
            forms.append(("bech32 at \(offset)", encoded(bytes, bits: 5, offset: offset, bech32)))
        }
        return forms
    }

    /// The characters that depend on these bytes alone when they stand `offset` bytes behind the beginning.
    private static func encoded(_ bytes: [UInt8], bits: Int, offset: Int, _ alphabet: [UInt8]) -> [UInt8] {
        func bit(_ place: Int) -> Int { Int(bytes[place / 8] >> (7 - place % 8) & 1) }
        let first = (offset * 8 + bits - 1) / bits * bits - offset * 8
        return stride(from: first, through: bytes.count * 8 - bits, by: bits).map { start in
            alphabet[(0..<bits).reduce(0) { $0 << 1 | bit(start + $1) }]
        }
    }
}
