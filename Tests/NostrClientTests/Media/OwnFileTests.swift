import NostrCore
import NostrNIPs
import Testing

@testable import NostrClient

/// How a file stands at its servers, and when one is asked again.
@Suite("files and the servers that copy them")
struct OwnFileTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let servers = ["https://a.example", "https://b.example"].compactMap { MediaServer($0) }

    /// A file that the first server has, and that the second is to copy.
    private func stored() throws -> (file: OwnFile, other: MediaServer) {
        let (first, other) = (try #require(Self.servers.first), try #require(Self.servers.last))
        let hash = BlobHash(of: [1])
        var file = OwnFile(
            id: "x", FileFacts(name: "a.png", type: "image/png"), size: 1, hash: hash.hex, addedAt: Self.now,
            to: Self.servers)
        file.isStored(
            BlobDescriptor(
                url: first.address(of: hash, type: "image/png"), hash: hash, size: 1, type: "image/png",
                uploaded: Self.now), at: first)
        return (file, other)
    }

    @Test("a server that does not answer is asked again after half a minute, two, eight, until it is given up")
    func retries() throws {
        let (kept, other) = try stored()
        var file = kept
        #expect(file.due == 0 && file.needsItsBytes)
        var pauses: [Int64] = []
        while let due = file.due, pauses.count < 20 {
            if due > 0 { pauses.append(due - Self.now.seconds) }
            file.isRefused(ServerRefusal(.unreachable), at: other, now: Self.now, triesAgain: true)
        }
        #expect(pauses == [30, 120, 480, 1920, 7680, 21_600, 21_600])
        #expect(file.places.last?.standing == .failed && file.standing == .stored && !file.needsItsBytes)
        // The person has it asked again.
        file.ask([other])
        #expect(file.due == 0 && file.places.last?.refusal == nil)
    }

    @Test("a film says how long it plays, and how many bits a second of it takes")
    func film() throws {
        let server = try #require(Self.servers.first)
        let hash = BlobHash(of: [1])
        var file = OwnFile(
            id: "x", FileFacts(name: "a.mp4", type: "video/mp4"), size: 13_000, hash: hash.hex, addedAt: Self.now,
            to: [server])
        file.milliseconds = 6500
        file.isStored(
            BlobDescriptor(
                url: server.address(of: hash, type: "video/mp4"), hash: hash, size: 13_000, type: "video/mp4",
                uploaded: Self.now), at: server)
        let told = try #require(file.attachment.flatMap { MediaAttachment($0) })
        #expect(told.duration == .milliseconds(6500) && told.bitrate == 16_000)
    }

    @Test(
        "what will not change by waiting is not asked again",
        arguments: [
            ServerRefusal.Code.paymentRequired, .tooLarge, .wrongType, .forbidden, .wrongHash, .redirected, .notAllowed,
        ])
    func givenUp(code: ServerRefusal.Code) throws {
        let (kept, other) = try stored()
        var file = kept
        file.isRefused(ServerRefusal(code), at: other, now: Self.now, triesAgain: true)
        #expect(file.due == nil && file.places.last?.standing == .failed && file.places.last?.refusal?.code == code)
    }
}
