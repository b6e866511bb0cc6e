import Testing

@testable import BlossomServer

@Suite("ranges of bytes")
struct ByteRangeTests {
    @Test(
        "a range is read as RFC 9110 writes it; what cannot be meant is not there, what is not ours to read is all of it",
        arguments: [
            (nil, 100, .whole), ("bytes=0-0", 100, .part(0..<1)), ("bytes=0-99", 100, .part(0..<100)),
            ("bytes=0-", 100, .part(0..<100)), ("bytes=99-", 100, .part(99..<100)),
            ("bytes=10-19", 100, .part(10..<20)),
            ("bytes=10-1000", 100, .part(10..<100)), ("bytes=-1", 100, .part(99..<100)),
            ("bytes=-1000", 100, .part(0..<100)), ("Bytes = 1 - 2 ", 100, .part(1..<3)),
            ("bytes=10-99999999999999999999999", 100, .part(10..<100)),
            ("bytes=100-", 100, .notThere), ("bytes=100-200", 100, .notThere), ("bytes=-0", 100, .notThere),
            ("bytes=20-10", 100, .notThere), ("bytes=", 100, .notThere), ("bytes=-", 100, .notThere),
            ("bytes=a-b", 100, .notThere), ("bytes=+1-2", 100, .notThere), ("bytes=1-2-3", 100, .notThere),
            ("bytes=0-", 0, .notThere), ("bytes=-1", 0, .notThere),
            ("bytes=99999999999999999999999-", 100, .notThere),
            ("bytes=0-1,5-6", 100, .whole), ("lines=1-2", 100, .whole), ("", 100, .whole), ("bytes", 100, .whole),
        ] as [(String?, Int, ByteRange)])
    func reads(header: String?, size: Int, expected: ByteRange) {
        #expect(ByteRange(header: header, size: size) == expected)
    }
}
