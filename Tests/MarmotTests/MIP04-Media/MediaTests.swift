import Crypto
import Foundation
import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// A file and a picture that MDK 0.8.0 encrypted.
private struct MediaVector: Decodable {
    struct File: Decodable {
        let exporter_secret, plaintext, mime, filename, file_key, nonce, aad, ciphertext: String
        let imeta: [[String]]
    }
    struct Picture: Decodable {
        let encrypted_data, encrypted_hash, image_key, image_nonce, upload_secret_key, plaintext: String
    }
    let mip04: File
    let group_image_v2: Picture

    static let path = "marmot/mdk-0.8.0-media.json"

    static func read() throws -> MediaVector { try Vectors.decode(MediaVector.self, from: path) }
}

private func bytes(_ hex: String) throws -> [UInt8] { try decodeHex(hex, byteCount: hex.utf8.count / 2) }

@Suite("Files of a group (MIP-04, MIP-01)") struct MediaTests {
    /// Keys whose media secret is given.
    private static func keys(_ secret: [UInt8]) throws -> EpochKeys {
        var writer = Writer()
        writer.integer(UInt64(1))
        writer.fixed([UInt8](repeating: 0, count: 64))
        writer.fixed(secret)
        return try EpochKeys(bytes: writer.bytes)
    }

    @Test("opens MDK's file and makes the same", .enabled(if: Vectors.hold(MediaVector.path), Capture.reason))
    func file() throws {
        let vector = try MediaVector.read().mip04
        let keys = try Self.keys(bytes(vector.exporter_secret))
        let tag = NostrCore.Tag(try #require(vector.imeta.first))
        let reference = try #require(try MediaReference(tag))
        #expect(reference.tag == tag)
        #expect(encodeHex(reference.context) == vector.aad)
        #expect(keys.fileKey(reference) == SymmetricKey(data: try bytes(vector.file_key)))
        let plain = try keys.open(bytes(vector.ciphertext), reference)
        #expect(encodeHex(plain) == vector.plaintext)
        let again = try seal(
            plain, under: keys.fileKey(reference), nonce: reference.nonce, authenticating: reference.context)
        #expect(encodeHex(again) == vector.ciphertext)
    }

    @Test("opens MDK's picture of a group", .enabled(if: Vectors.hold(MediaVector.path), Capture.reason))
    func picture() throws {
        let vector = try MediaVector.read().group_image_v2
        var data = try Circle.data()
        data.imageHash = try EventID(hex: vector.encrypted_hash).bytes
        data.imageKey = try EventID(hex: vector.image_key).bytes
        data.imageNonce = try bytes(vector.image_nonce)
        let image = try #require(data.image)
        #expect(try encodeHex(image.open(bytes(vector.encrypted_data))) == vector.plaintext)
        // What an older group says is read too.
        data.version = 1
        #expect(try encodeHex(#require(data.image).open(bytes(vector.encrypted_data))) == vector.plaintext)
    }

    @Test("a file goes to all and to nobody else")
    func seals() throws {
        let circle = try Circle.open()
        var random = SeededRandom(seed: 1)
        let keys = try #require(circle.alice.keyring.current)
        var (reference, encrypted) = try keys.seal(
            [1, 2, 3], type: " Image/PNG ; charset=x", filename: "a.png", using: &random)
        reference.url = "https://files.example.com/a"
        reference.dimensions = "1x2"
        reference.blurhash = "L2"
        reference.thumbhash = "T2"
        #expect(reference.type == "image/png" && !encrypted.contains([1, 2, 3]))
        #expect(try MediaReference(reference.tag) == reference)
        let theirs = try #require(circle.bob.keyring.current)
        #expect(try theirs.open(encrypted, reference) == [1, 2, 3])
        refuses(.undecryptable, "another epoch") {
            _ = try Self.keys([UInt8](repeating: 0, count: 32)).open(encrypted, reference)
        }
        let renamed = MediaReference(
            url: "", type: reference.type, filename: "b.png", hash: reference.hash, nonce: reference.nonce)
        refuses(.undecryptable, "another name") { _ = try theirs.open(encrypted, renamed) }
        encrypted[0] ^= 1
        refuses(.undecryptable, "damage") { _ = try theirs.open(encrypted, reference) }
        refuses(.undecryptable, "nothing") { _ = try theirs.open([], reference) }
    }

    @Test("the key of one file opens it when its epoch is forgotten, and opens nothing else")
    func keyOfOneFile() throws {
        var random = SeededRandom(seed: 2)
        let keys = try Self.keys([UInt8](repeating: 7, count: 32))
        let (one, sealedOne) = try keys.seal([1, 2, 3], type: "image/png", filename: "a.png", using: &random)
        let (other, sealedOther) = try keys.seal([4, 5], type: "image/png", filename: "b.png", using: &random)
        let kept = try #require(MediaKey(bytes: keys.key(of: one).bytes))
        #expect(try kept.open(sealedOne, one) == [1, 2, 3])
        refuses(.undecryptable) { _ = try kept.open(sealedOther, other) }
        #expect(MediaKey(bytes: []) == nil && MediaKey(bytes: [UInt8](repeating: 0, count: 31)) == nil)
    }

    @Test("a change of the picture rests on the disk and comes back as it was")
    func imageEdit() throws {
        var random = SeededRandom(seed: 3)
        let (image, encrypted) = try GroupImage.sealing([9, 9, 9], using: &random)
        for edit in [GroupImageEdit.set(image), .remove, nil] {
            var change = GroupEdit()
            (change.name, change.image) = ("Family", edit)
            let again = try GroupChange(bytes: GroupChange.edit(change).encoded)
            #expect(again == .edit(change))
        }
        var edit = GroupEdit()
        edit.image = .set(image)
        let data = edit.apply(to: try Circle.data())
        #expect(try data.image?.open(encrypted) == [9, 9, 9])
        #expect(try data.image?.uploadKey().publicKey == image.uploadKey().publicKey)
        edit.image = .remove
        #expect(edit.apply(to: data).image == nil)
    }

    @Test("refuses files nobody would take")
    func refusesFiles() throws {
        let keys = try Self.keys([UInt8](repeating: 0, count: 32))
        var random = SeededRandom(seed: 1)
        refuses(.unsupported) { _ = try keys.seal([], type: "text/html", filename: "a", using: &random) }
        refuses(.badTag) { _ = try keys.seal([], type: "text/plain", filename: "", using: &random) }
        refuses(.badTag) { _ = try keys.seal([], type: "text/plain", filename: "a\u{0}b", using: &random) }
        let long = String(repeating: "é", count: 106)
        refuses(.tooLarge) { _ = try keys.seal([], type: "text/plain", filename: long, using: &random) }
    }

    private static let hash = String(repeating: "ab", count: 32)
    private static let nonce = String(repeating: "cd", count: 12)

    @Test(
        "refuses references that lack something",
        arguments: [
            (["v mip04-v1"], MarmotError.Code.unsupported),
            (["v mip04-v2"], .badTag),
            (["url u", "m text/plain", "filename f", "x \(hash)", "v mip04-v2"], .badTag),
            (["url u", "m text/plain", "filename f", "x ab", "n \(nonce)", "v mip04-v2"], .badTag),
            (["url u", "m text/plain", "filename f", "x \(hash)", "n \(nonce)00", "v mip04-v2"], .badTag),
            (["url u", "m text/html", "filename f", "x \(hash)", "n \(nonce)", "v mip04-v2"], .unsupported),
            (["url u", "filename f", "x \(hash)", "n \(nonce)", "v mip04-v2"], .unsupported),
            (["url u", "m text/plain", "x \(hash)", "n \(nonce)", "v mip04-v2"], .badTag),
            (["m text/plain", "filename f", "x \(hash)", "n \(nonce)", "v mip04-v2"], .badTag),
        ])
    func refusesReferences(fields: [String], code: MarmotError.Code) {
        refuses(code, "\(fields)") { _ = try MediaReference(Tag(["imeta"] + fields)) }
    }

    @Test("a tag of another kind is no file of a group")
    func others() throws {
        #expect(try MediaReference(["t", "x"]) == nil)
        #expect(try MediaReference(["imeta", "url https://example.com/a.png", "m image/png"]) == nil)
        #expect(try MediaReference(["imeta", "", "v", "v  "]) == nil)
    }

    @Test("a picture is set, opened, and taken away")
    func ownPicture() throws {
        var random = SeededRandom(seed: 1)
        let (image, encrypted) = try GroupImage.sealing([1, 2, 3], using: &random)
        var data = try Circle.data()
        data.image = image
        let read = try #require(try GroupData(bytes: data.encoded).image)
        #expect(read == image)
        #expect(try read.open(encrypted) == [1, 2, 3])
        let (first, second) = (try read.uploadKey().publicKey, try image.uploadKey().publicKey)
        #expect(first == second)
        refuses(.undecryptable) { _ = try read.open(encrypted + [0]) }
        data.image = nil
        #expect(try GroupData(bytes: data.encoded).image == nil)
    }
}
