import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

@Suite("What a group says of itself (MIP-01)") struct GroupDataTests {
    private static let id = String(repeating: "ab", count: 32)
    private static let key = String(repeating: "cd", count: 32)

    /// What MDK 0.8.0 wrote into the context of a group.
    private static let written =
        "00026414578e37584ae710784263eed6f3f4152e57ce894d7540f29fcce6be94cfb90a546573742067726f7570046465736320"
        + "a64db41e2968c849c2a5615ba0d6e816734a6d3e6ea6ecd6f3acb7d59daa9102"
        + "32177773733a2f2f72656c61792e6578616d706c652e636f6d197773733a2f2f72656c6179322e6578616d706c652e636f6d2f"
        + "00000000"

    private static func bytes(_ hex: String) throws -> [UInt8] { try decodeHex(hex, byteCount: hex.utf8.count / 2) }

    @Test("reads and writes MDK's bytes")
    func sample() throws {
        let data = try GroupData(bytes: Self.bytes(Self.written))
        #expect(data.version == 2 && data.name == "Test group" && data.description == "desc")
        #expect(data.nostrGroupID.hex == "6414578e37584ae710784263eed6f3f4152e57ce894d7540f29fcce6be94cfb9")
        #expect(data.admins.map(\.hex) == ["a64db41e2968c849c2a5615ba0d6e816734a6d3e6ea6ecd6f3acb7d59daa9102"])
        #expect(data.relays == ["wss://relay.example.com", "wss://relay2.example.com/"])
        #expect(data.relayURLs.map(\.text) == ["wss://relay.example.com", "wss://relay2.example.com"])
        #expect(data.image == nil && data.disappearance == nil)
        #expect(encodeHex(data.encoded) == Self.written)
    }

    @Test(
        "the capture's group has these bytes, and what it requires",
        .enabled(if: Vectors.hold(Capture.path), Capture.reason))
    func capture() throws {
        let capture = try Capture()
        let group = try capture.invitation().join(policy: MarmotPolicy.at(capture.now))
        let extensions = group.mls.context.extensions
        #expect(extensions.map(\.type) == [.marmotGroupData, .requiredCapabilities])
        #expect(extensions.first.map { encodeHex($0.data) } == Self.written)
        let ours = try GenerationB().extensions(
            founding: group.roster.data, with: [capture.own().keyPackage])
        #expect(ours == extensions)
    }

    /// The fields, one after the other, in hex.
    private static func body(
        version: String = "0002", admins: String = "20" + key, image: String = "00000000", rest: String = ""
    ) -> String {
        version + id + "0141" + "00" + admins + "0908" + encodeHex(Array("wss://a.".utf8)) + image + rest
    }

    private static let picture = "20" + key + "20" + id + "0c" + String(repeating: "11", count: 12)

    @Test(
        "reads every version and writes the lowest that says all",
        arguments: [
            (body(), "0002"),
            (body(version: "0001"), "0002"),
            (body(version: "0001", image: picture), "0001"),
            (body(version: "0001", image: picture + "00"), "0001"),
            (body(image: picture + "20" + id), "0002"),
            (body(version: "0003", rest: "00"), "0002"),
            (body(version: "0003", rest: "080000000000000e10"), "0003"),
            (body(version: "0007", rest: "00" + "c0ffee"), "0007"),
        ])
    func versions(hex: String, version: String) throws {
        let data = try GroupData(bytes: Self.bytes(hex))
        let again = encodeHex(data.encoded)
        #expect(again.hasPrefix(version))
        if hex.hasPrefix(version), !hex.hasSuffix(Self.picture) { #expect(again == hex) }
        let second = try GroupData(bytes: data.encoded)
        #expect(second.encoded == data.encoded)
        #expect(second.disappearance == data.disappearance && second.imageKey == data.imageKey)
    }

    @Test(
        "refuses what has no meaning",
        arguments: [
            "", "0002", body(version: "0000"), body(rest: "00"), body(version: "0001", rest: "00"),
            body(version: "0003"), body(version: "0003", rest: "080000000000000000"),
            body(version: "0003", rest: "08ffffffffffffffff"), body(version: "0003", rest: "0101"),
            body(version: "0003", rest: "0000"), body(admins: "1f" + String(repeating: "cd", count: 31)),
            body(admins: "01cd"), body(image: "01ff000000"), body(image: "000001ff00"),
            body(image: "00000d" + key + "00"),
            "0002" + id + "01ff" + "00" + "00" + "00" + "00000000",
            "0002" + id + "0141" + "00" + "00" + "0201ff" + "00000000",
            "0002" + id + "bfffffff", "0002" + id + "400141",
        ])
    func refusesBytes(hex: String) throws {
        let bytes = try Self.bytes(hex)
        #expect(throws: MLSError.self) { try GroupData(bytes: bytes) }
    }

    @Test("refuses a group that says nothing, requires nothing, or has no admin")
    func refusesContext() throws {
        let profile = GenerationB()
        let data = Extension(type: .marmotGroupData, data: try Self.bytes(Self.body()))
        func required(_ types: [ExtensionType]) -> Extension {
            Extension(
                type: .requiredCapabilities,
                data: RequiredCapabilities(extensions: types, proposals: [], credentials: []).encoded)
        }
        let all = required([.marmotGroupData])
        #expect(try profile.groupData(in: [data, all]).name == "A")
        refuses(.unsupported) { _ = try profile.groupData(in: [all]) }
        refuses(.unsupported) { _ = try profile.groupData(in: [data]) }
        refuses(.unsupported) { _ = try profile.groupData(in: [data, required([])]) }
        let broken = Extension(type: .requiredCapabilities, data: [9])
        refuses(.malformed) { _ = try profile.groupData(in: [data, broken]) }
        let short = Extension(type: .marmotGroupData, data: [0])
        refuses(.malformed) { _ = try profile.groupData(in: [short, all]) }
        let nobody = Extension(type: .marmotGroupData, data: try Self.bytes(Self.body(admins: "00")))
        refuses(.noAdminLeft) { _ = try profile.groupData(in: [nobody, all]) }
    }

    @Test("writes nothing that others cannot store")
    func bounds() throws {
        let good = try Circle.data()
        try good.checkForWriting()
        let changes: [(MarmotError.Code, (inout GroupData) -> Void)] = [
            (.tooLarge, { $0.name = String(repeating: "é", count: 128) }),
            (.tooLarge, { $0.description = String(repeating: "x", count: 2_001) }),
            (.tooLarge, { $0.relays = (0...20).map { "wss://relay\($0).example.com" } }),
            (.noAdminLeft, { $0.admins = [] }),
            (.badTag, { $0.relays = ["nonsense"] }),
        ]
        for (code, change) in changes {
            var data = good
            change(&data)
            refuses(code) { _ = try GenerationB().extensions(founding: data, with: []) }
            refuses(code) { _ = try GenerationB().extensions([], with: data) }
        }
    }

    @Test("never traps on noise")
    func noise() throws {
        for hex in [Self.written, Self.body(version: "0003", image: Self.picture + "00", rest: "080000000000000e10")] {
            try Noise.run(Self.bytes(hex), rounds: 2_000) { damaged in
                // What is read is written and read again to the same.
                guard let data = try? GroupData(bytes: damaged) else { return }
                let again = try GroupData(bytes: data.encoded)
                #expect(again.encoded == data.encoded)
            }
        }
    }
}
