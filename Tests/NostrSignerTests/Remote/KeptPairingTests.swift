import NostrCore
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("The file of a pairing with a signer elsewhere")
struct KeptPairingTests {
    private let one = rigRelay("one")
    private let two = rigRelay("two")

    private func pairing(_ relays: [RelayURL], named: [RelayURL]? = nil) -> RemotePairing {
        RemotePairing(
            signer: TestPerson.bob.publicKey, user: TestPerson.alice.publicKey, client: TestPerson.carol.publicKey,
            relays: relays, named: named)
    }

    @Test("keeps which relays the person named, also when the signer moved to others")
    func named() throws {
        var kept = KeptPairing(pairing([one]))
        kept.pairing.relays = [two]
        let read = try #require(KeptPairing(json: kept.json, user: TestPerson.alice.publicKey))
        #expect(read == kept && read.pairing.named == [one])
        #expect(read.pairing == pairing([two], named: [one]))
    }

    @Test("one from before that was noted counts all its relays as named, and none that it moves to later")
    func before() throws {
        let json = """
            {"version":1,"signer":"\(TestPerson.bob.publicKey.hex)","client":"\(TestPerson.carol.publicKey.hex)",\
            "relays":["\(one.text)"]}
            """
        var read = try #require(KeptPairing(json: Array(json.utf8), user: TestPerson.alice.publicKey))
        #expect(read.pairing.named == [one])
        read.pairing.relays = [two]
        let again = try #require(KeptPairing(json: read.json, user: TestPerson.alice.publicKey))
        #expect(again.pairing.relays == [two] && again.pairing.named == [one])
    }
}
