import NostrSigner
import NostrTesting
import Testing

@Suite("Records of a signer in memory")
struct SignerRecordsTests {
    @Test("keep every promise", arguments: SignerRecordsContract.rules)
    func promise(rule: SignerRecordsContract.Rule) async throws {
        try await rule.check { _ in MemorySignerRecords() }
    }
}
