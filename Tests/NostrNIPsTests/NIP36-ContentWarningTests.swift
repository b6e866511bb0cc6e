import NostrCore
import NostrNIPs
import Testing

@Suite("NIP-36 content warning")
struct ContentWarningTests {
    @Test("content warnings with and without a reason")
    func contentWarning() {
        #expect([Tag.contentWarning("spoiler")].contentWarning == "spoiler")
        #expect([Tag.contentWarning("")].contentWarning == "")
        #expect([Tag.contentWarning("")] == [["content-warning"]])
        #expect(([] as [Tag]).contentWarning == nil)
    }
}
