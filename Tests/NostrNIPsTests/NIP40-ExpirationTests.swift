import NostrCore
import NostrNIPs
import Testing

@Suite("NIP-40 expiration")
struct ExpirationTests {
    @Test("expiration counts at its very second and ignores garbage")
    func expiration() {
        let tags: [Tag] = [.expiration(moment)]
        #expect(tags.expiration == moment)
        #expect(tags.isExpired(now: moment))
        #expect(!tags.isExpired(now: moment - .seconds(1)))
        for garbage in ["", "soon", "-5", "1e9", "99999999999999999999", "٣"] {
            #expect([["expiration", garbage]].expiration == nil, "\(garbage)")
        }
    }
}
