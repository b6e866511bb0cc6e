import NostrCore
import Testing

@Suite("NIP-45 counts")
struct CountsTests {
    @Test("a HyperLogLog value beside the number is read over")
    func hyperLogLog() throws {
        let answer =
            #"["COUNT","q",{"count":16578,"hll":"\#(String(repeating: "07", count: 256))","approximate":true}]"#
        let id = try #require(SubscriptionID("q"))
        #expect(try RelayMessage(json: Array(answer.utf8)) == .count(id, 16_578, approximate: true))
        let plain = try RelayMessage(json: Array(#"["COUNT","q",{"count":0,"hll":null}]"#.utf8))
        #expect(plain == .count(id, 0, approximate: false))
    }
}
