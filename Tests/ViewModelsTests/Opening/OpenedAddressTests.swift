import Testing

@testable import ViewModels

@Suite("An address that is opened here")
struct OpenedAddressTests {
    @Test(
        "leads to what its scheme means, with web+ before it or not",
        arguments: [
            ("nostr:npub1abc", OpenedAddress.name("npub1abc")), ("web+nostr:note1abc", .name("note1abc")),
            ("NOSTR://nevent1abc", .name("nevent1abc")), (" npub1abc\n", .name("npub1abc")),
            ("bunker://ab?relay=wss://r&secret=s", .signer(token: "bunker://ab?relay=wss://r&secret=s")),
            ("web+nostrconnect://ab?relay=wss://r", .app(token: "nostrconnect://ab?relay=wss://r")),
            ("whistle://invite/eyJ", .circle("whistle://invite/eyJ")),
            ("linnet-signer://get_public_key?a=1", .signerLink("linnet-signer://get_public_key?a=1")),
            ("web+nostrsigner:?type=x", .signerLink("nostrsigner:?type=x")),
            ("nostr:nsec1abc", .secret), ("ncryptsec1abc", .secret), ("", .unknown(scheme: "")),
            ("nostr:", .unknown(scheme: "")), ("lightning:lnbc1", .invoice("lnbc1")),
            ("javascript:alert(1)", .unknown(scheme: "javascript")),
        ])
    func leads(text: String, to address: OpenedAddress) {
        #expect(OpenedAddress(text) == address)
    }

    @Test("says why one leads nowhere, without what it holds")
    func words() {
        #expect(OpeningWords.unknown("nostr+walletconnect").contains("cannot pay yet"))
        #expect(!OpeningWords.secret.contains("nsec"))
    }
}
