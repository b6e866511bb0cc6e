import NostrCore
import NostrNIPs
import Testing

@Suite("NIP-70 protected events")
struct ProtectedEventsTests {
    @Test("the tag - protects, whatever follows it")
    func recognises() {
        #expect([Tag.protected].isProtected)
        #expect([["p", repeatedHex("a")], ["-", "x"]].isProtected)
        #expect(![["p", "-"], []].isProtected)
    }
}
