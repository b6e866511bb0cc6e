import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-11 relay information")
struct RelayInformationTests {
    @Test("reads a real document and writes it back with the same meaning")
    func roundTrip() throws {
        let json = """
            {"contact":"wino@nostr.wine","description":"A paid relay","fees":{"admission":[{"amount":1,"unit":"msats"}]},
            "limitation":{"auth_required":false,"created_at_lower_limit":94608000,"max_event_tags":4000,"max_limit":1000,
            "max_message_length":524288,"max_subid_length":71,"max_subscriptions":50,"min_pow_difficulty":0,
            "payment_required":true,"restricted_writes":true},"name":"nostr.wine","payments_url":"https://nostr.wine/i",
            "pubkey":"\(TestPerson.bob.publicKey.hex)","supported_nips":[1,2,4,"42",50.0,77.5,-1e400],"version":"0.3.3"}
            """
        let information = try #require(RelayInformation(json: Array(json.utf8)))
        #expect(information.supportedNIPs == [1, 2, 4, 42, 50])
        #expect(information.pubkey == TestPerson.bob.publicKey)
        #expect(information.limitation.maxSubscriptions == 50)
        #expect(information.limitation.authRequired == false)
        #expect(information.limitation.defaultLimit == nil)
        #expect(RelayInformation(json: information.json) == information)
    }

    @Test("wrong types count as missing")
    func wrongTypes() throws {
        let json =
            #"{"name":7,"pubkey":"","supported_nips":"all","limitation":{"max_limit":"5","max_subscriptions":-1},"version":null}"#
        let information = try #require(RelayInformation(json: Array(json.utf8)))
        #expect(information == RelayInformation())
        #expect(RelayInformation(json: Array("[1]".utf8)) == nil)
    }
}
