/// The two hashes that chain all commits of a group.
///
/// Source: RFC 9420 §8.2.
extension Algorithms {
    func confirmedTranscriptHash(after interim: [UInt8], _ commit: AuthenticatedContent) -> [UInt8] {
        var input = Writer()
        input.fixed(interim)
        commit.wireFormat.write(to: &input)
        commit.content.write(to: &input)
        input.opaque(commit.auth.signature)
        return digest(input.bytes)
    }

    func interimTranscriptHash(after confirmed: [UInt8], confirmationTag: [UInt8]) -> [UInt8] {
        var input = Writer()
        input.fixed(confirmed)
        input.opaque(confirmationTag)
        return digest(input.bytes)
    }
}
