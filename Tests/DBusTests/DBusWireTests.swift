import NostrCore
import NostrTesting
import Testing

@testable import DBus

/// What goes over the wire; the samples were written by dbus-fast 5.2.0.
@Suite("D-Bus on the wire", .timeLimit(.minutes(10)))
struct DBusWireTests {
    private static let hello = """
        6c01000100000000010000006d00000001016f00150000002f6f72672f667265656465736b746f702f4442757300000002017300140000006f\
        72672e667265656465736b746f702e4442757300000000030173000500000048656c6c6f00000006017300140000006f72672e667265656465\
        736b746f702e4442757300000000
        """
    private static let properties = """
        6c020001d00000000900000023000000050175000700000006017300040000003a312e36000000000801670005617b73767d000000000000c8\
        00000000000000080000004c61746974756465000164000000000000a047400900000054696d657374616d70000428747429000000000000f1\
        53650000000005000000000000000b0000004465736372697074696f6e00017300000300000068c3a90000000000030000004f6464000f6128\
        79626e7169757874646f67762900000000480000000100000001000000feff0300fcffffff0500000000000000faffffffffffffff07000000\
        00000000000000000000e03f040000002f612f620005617b73767d000261690000000000
        """

    private static func bytes(_ hex: String) throws -> [UInt8] {
        try decodeHex(hex, byteCount: hex.utf8.count / 2)
    }

    @Test("a call is read, and written byte for byte as another library writes it")
    func hello() throws {
        let bytes = try Self.bytes(Self.hello)
        let call = try DBusMessage(bytes)
        var expected = DBusMessage(.methodCall, serial: 1)
        (expected.path, expected.member) = ("/org/freedesktop/DBus", "Hello")
        (expected.interface, expected.destination) = ("org.freedesktop.DBus", "org.freedesktop.DBus")
        #expect(call == expected)
        #expect(call.bytes == bytes)
        #expect(try DBusMessage.length(bytes) == bytes.count)
    }

    @Test("values of every type are read, and come back the same")
    func values() throws {
        let answer = try DBusMessage(try Self.bytes(Self.properties))
        #expect(answer.kind == .methodReturn && answer.replySerial == 7 && answer.destination == ":1.6")
        let properties = try #require(answer.body.first?.properties)
        #expect(properties["Latitude"] == .double(47.25))
        #expect(properties["Timestamp"] == .structure([.uint64(1_700_000_000), .uint64(5)]))
        #expect(properties["Description"] == .string("hé"))
        let odd: [DBusValue] = [
            .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6), .uint64(7),
            .double(0.5), .objectPath("/a/b"), .signature("a{sv}"), .variant(.array(.int32, [])),
        ]
        let types = odd.map(\.type)
        #expect(properties["Odd"] == .array(.structure(types), [.structure(odd)]))
        #expect(try DBusMessage(answer.bytes) == answer)
    }

    @Test("a machine that counts from the other end is understood")
    func bigEndian() throws {
        var bytes: [UInt8] = [UInt8(ascii: "B"), 2, 0, 1, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 15]
        bytes += [5, 1, 0x75, 0, 0, 0, 0, 7, 8, 1, 0x67, 0, 1, 0x75, 0, 0, 0, 0, 1, 2]
        let answer = try DBusMessage(bytes)
        #expect(answer.replySerial == 7 && answer.serial == 9 && answer.body == [.uint32(258)])
    }

    private static let signatureTable: [(String, Int?)] = [
        ("", 0), ("a{sv}", 1), ("(tt)", 1), ("oo", 2), ("a(ii)v", 2), ("a", nil), ("()", nil), ("(i", nil), (")", nil),
        ("{sv}", nil), ("a{vs}", nil), ("a{sv", nil), ("a{s}", nil), ("a{svv}", nil), ("z", nil), ("r", nil),
        (String(repeating: "a", count: 32) + "y", 1), (String(repeating: "a", count: 33) + "y", nil),
        (String(repeating: "(", count: 32) + "y" + String(repeating: ")", count: 32), 1),
        (String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33), nil),
        (String(repeating: "y", count: 255), 255), (String(repeating: "y", count: 256), nil),
    ]

    @Test("signatures are read within their bounds", arguments: signatureTable)
    func signatures(text: String, count: Int?) {
        var reader = DBusSignatureReader(text.utf8)
        #expect((try? reader.types())?.count == count)
        if let count {
            var again = DBusSignatureReader(text.utf8)
            let types = (try? again.types()) ?? []
            #expect(types.count == count && types.map(\.code).joined() == text)
        }
    }

    private static let broken: [(String, DBusType, [UInt8])] = [
        ("boolean", .boolean, [2, 0, 0, 0]), ("text without its end", .string, [1, 0, 0, 0, 97, 98]),
        ("a length beyond the end", .string, [0xFF, 0xFF, 0xFF, 0xFF, 97, 0]),
        ("a NUL within", .string, [2, 0, 0, 0, 97, 0, 0]), ("no UTF-8", .string, [1, 0, 0, 0, 0xFF, 0]),
        ("half a path", .objectPath, [3, 0, 0, 0, 47, 97, 47, 0]), ("no path", .objectPath, [0, 0, 0, 0, 0]),
        ("an array that ends within an element", .array(.uint32), [3, 0, 0, 0, 1, 0, 0, 0]),
        ("a long array", .array(.byte), [0xFF, 0xFF, 0xFF, 0x7F, 1]),
        ("a variant of two", .variant, [2, 0x79, 0x79, 0, 1, 1]), ("a variant of none", .variant, [0, 0]),
        ("padding that says something", .structure([.byte, .uint32]), [1, 9, 0, 0, 1, 0, 0, 0]),
        ("nothing", .double, [0]),
    ]

    @Test("what breaks the rules is refused", arguments: broken)
    func refused(what: String, type: DBusType, bytes: [UInt8]) {
        var reader = DBusReader(bytes)
        #expect(throws: DBusProblem.malformed, "\(what)") { _ = try reader.value(type) }
    }

    @Test("variants inside variants are read to their bound, and no deeper")
    func depth() throws {
        for (count, isRead) in [(60, true), (70, false), (40_000, false)] {
            var nested: [UInt8] = []
            for _ in 0..<count { nested += [1, 0x76, 0] }
            nested += [1, 0x79, 0, 7]
            var reader = DBusReader(nested)
            #expect(((try? reader.value(.variant)) != nil) == isRead, "\(count)")
        }
    }

    @Test("messages that are too long, of no order or of another version are refused by their first bytes")
    func starts() {
        for bytes: [UInt8] in [
            [UInt8(ascii: "l"), 1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 1, 0, 0, 0],
            [UInt8(ascii: "l"), 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [UInt8(ascii: "l"), 1, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            [UInt8(ascii: "x"), 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [],
        ] {
            #expect(throws: DBusProblem.malformed) { _ = try DBusMessage.length(bytes) }
            #expect(throws: DBusProblem.malformed) { _ = try DBusMessage(bytes) }
        }
    }

    @Test("noise never traps: cut, changed and made-up messages are read or refused")
    func noise() throws {
        var random = SeededRandom(seed: 6)
        let samples = [try Self.bytes(Self.hello), try Self.bytes(Self.properties)]
        for sample in samples {
            for end in sample.indices { _ = try? DBusMessage(Array(sample[..<end])) }
        }
        var read = 0
        for round in 0..<6000 {
            var bytes = samples[round % 2]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? DBusMessage(bytes)) != nil { read += 1 }
            var input = DBusInput()
            input.append(bytes)
            while let message = try? input.message() { _ = message }
        }
        #expect(read > 0 && read < 6000)
        for _ in 0..<6000 {
            let count = Int.random(in: 0...80, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var reader = DBusReader(bytes)
            _ = try? reader.value(.variant)
            var signature = DBusSignatureReader(bytes.map { Array("yabsv(){}toi".utf8)[Int($0) % 12] })
            _ = try? signature.types()
        }
    }

    @Test("messages come out whole however the bytes were cut; lines of authentication are short")
    func input() throws {
        let bytes = try Self.bytes(Self.hello) + Self.bytes(Self.properties)
        for size in [1, 7, 4096] {
            var input = DBusInput()
            var serials: [UInt32] = []
            input.append(Array("OK 1234\r\n".utf8))
            let line = try #require(try input.line())
            #expect(DBusAuthentication.isAccepted(line))
            for start in stride(from: 0, to: bytes.count, by: size) {
                input.append(Array(bytes[start..<min(start + size, bytes.count)]))
                while let message = try input.message() { serials.append(message.serial) }
            }
            #expect(serials == [1, 9])
        }
        for refusal in ["REJECTED EXTERNAL", "ERROR", "OKAY", "DATA", ""] {
            #expect(!DBusAuthentication.isAccepted(refusal))
        }
        for noise in ["OK\n", "\u{E9}\r\n", String(repeating: "x", count: 600)] {
            var input = DBusInput()
            input.append(Array(noise.utf8))
            #expect(throws: DBusProblem.malformed) { _ = try input.line() }
        }
        #expect(DBusAuthentication.opening(user: 1000) == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
    }

    @Test(
        "addresses name sockets",
        arguments: [
            (DBusAddress.standardSystemBus, ["/var/run/dbus/system_bus_socket"]),
            ("unix:path=/a%20b,guid=1;unix:guid=2,path=/c", ["/a b", "/c"]), ("unix:abstract=/x", []),
            ("tcp:host=a,port=1;unix:path=/d", ["/d"]), ("unix:path=/a%2", []), ("unix:path=%00", []), ("", []),
            ("unix:path=", []), ("unix:path=%ff", []),
        ])
    func addresses(address: String, paths: [String]) {
        #expect(DBusAddress.socketPaths(address) == paths)
    }
}
