import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("BUD-02 descriptors")
struct BlobDescriptorTests {
    static let hash = BlobHash(of: Array("picture".utf8))

    @Test("what is written is read again, its tags too")
    func roundTrip() {
        var blob = BlobDescriptor(
            url: "https://cdn.example.com/\(Self.hash.hex).png", hash: Self.hash, size: 7, type: "image/png",
            uploaded: Timestamp(seconds: 1_700_000_000))
        #expect(BlobDescriptor(json: blob.json) == blob)
        #expect(!String(decoding: blob.json, as: UTF8.self).contains("nip94"))
        blob.tags = blob.fieldTags
        #expect(BlobDescriptor(json: blob.json) == blob)
        #expect(blob.tags == [["url", blob.url], ["m", "image/png"], ["x", Self.hash.hex], ["size", "7"]])
    }

    @Test(
        "a descriptor without a name, an address or a size is none; the rest may be missing",
        arguments: [
            (#"{"url":"u","sha256":"\#(hash.hex)","size":0}"#, true),
            (#"{"url":"u","sha256":"\#(hash.hex)","size":3,"type":7,"uploaded":"x","nip94":"y"}"#, true),
            (#"{"url":"u","sha256":"\#(hash.hex)","size":-1}"#, false),
            (#"{"url":"u","sha256":"\#(hash.hex)","size":"3"}"#, false),
            (#"{"url":"u","sha256":"\#(hash.hex.uppercased())","size":3}"#, false),
            (#"{"sha256":"\#(hash.hex)","size":3}"#, false),
            ("[]", false), ("", false), ("{", false),
        ])
    func messy(json: String, isOne: Bool) {
        #expect((BlobDescriptor(json: Array(json.utf8)) != nil) == isOne)
    }

    @Test("only 64 lowercase hex characters are a hash")
    func hashes() {
        #expect(Self.hash.hex.count == 64 && BlobHash(hex: Self.hash.hex) == Self.hash)
        for bad in ["", "ab", Self.hash.hex.uppercased(), Self.hash.hex + "0", String(repeating: "g", count: 64)] {
            #expect(BlobHash(hex: bad) == nil)
        }
        #expect(BlobHash(digest: [1, 2]) == nil)
    }
}
