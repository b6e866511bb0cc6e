import NostrCore
import Testing

@Suite("Addresses written as numbers")
struct IPAddressTests {
    @Test(
        "belong to what one household or server has",
        arguments: [
            ("203.0.113.5", "203.0.113.5", true), ("203.0.113.5", "203.0.113.6", false),
            ("::ffff:203.0.113.5", "203.0.113.5", true), ("::ffff:203.0.113.5", "::ffff:203.0.113.6", false),
            ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", true), ("2001:db8:1:2::3", "2001:db8:1:3::3", false),
        ])
    func networks(one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try #require(IPAddress(one)), try #require(IPAddress(other)))
        #expect((one.network == other.network) == isSame)
    }
}
