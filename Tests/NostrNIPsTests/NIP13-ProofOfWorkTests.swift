import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-13 proof of work")
struct ProofOfWorkTests {
    @Test("counts leading zero bits as the NIP does")
    func difficulty() throws {
        #expect(try EventID(hex: "000000000e9d97a1ab09fc381030b346cdd7a142ad57e6df0b46dc9bef6c7e2d").difficulty == 36)
        #expect(try EventID(hex: "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358").difficulty == 21)
        #expect(try EventID(hex: String(repeating: "0", count: 64)).difficulty == 256)
        #expect(repeatedID("f").difficulty == 0)
    }

    @Test("a commitment below the demand does not count, however lucky the id")
    func commitment() throws {
        let mined = UnverifiedEvent(
            id: try EventID(hex: "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358"),
            pubkey: try PublicKey(hex: "a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243"),
            createdAt: Timestamp(seconds: 1_651_794_653), kind: 1, tags: [["nonce", "776797", "20"]],
            content: "It's just me mining my own business",
            signature: try Signature(
                hex: "284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0"
                    + "c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"))
        let work = ProofOfWork(try Event(verifying: mined))
        #expect(work.difficulty == 21)
        #expect(work.committedTarget == 20)
        #expect(work.meets(20))
        #expect(!work.meets(21))
        #expect(ProofOfWork(TestPerson.alice.event()).meets(0))
        #expect(!ProofOfWork(TestPerson.alice.event()).meets(250))
    }
}
