import Testing

@testable import MLS

@Suite struct CodecTests {
    struct LengthCase: Decodable {
        let vlbytesHeader: Hex
        let length: Int
    }

    @Test("reads and writes the length headers of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func lengths() throws {
        let cases = try MLSVectors.all("deserialization.json", as: LengthCase.self)
        for one in cases {
            var reader = Reader(one.vlbytesHeader.bytes)
            #expect(try reader.length() == one.length)
            var writer = Writer()
            writer.length(one.length)
            #expect(writer.bytes == one.vlbytesHeader.bytes)
        }
        print("deserialization.json: \(cases.count) cases")
    }

    struct TreeCase: Decodable {
        let nLeaves: Int
        let nNodes: Int
        let root: Int
        let left: [Int?]
        let right: [Int?]
        let parent: [Int?]
        let sibling: [Int?]
    }

    @Test("computes the tree shapes of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func treeMath() throws {
        let cases = try MLSVectors.all("tree-math.json", as: TreeCase.self)
        for one in cases {
            let size = TreeSize(holding: one.nLeaves)
            #expect(size.nodes == one.nNodes)
            #expect(size.root.value == one.root)
            let nodes = (0..<size.nodes).map(NodeIndex.init)
            #expect(nodes.map { $0.left?.value } == one.left)
            #expect(nodes.map { $0.right?.value } == one.right)
            #expect(nodes.map { size.parent(of: $0)?.value } == one.parent)
            #expect(nodes.map { size.sibling(of: $0)?.value } == one.sibling)
        }
        print("tree-math.json: \(cases.count) cases")
    }

    struct MessagesCase: Decodable {
        let mlsWelcome: Hex
        let mlsGroupInfo: Hex
        let mlsKeyPackage: Hex
        let ratchetTree: Hex
        let groupSecrets: Hex
        let addProposal: Hex
        let updateProposal: Hex
        let removeProposal: Hex
        let preSharedKeyProposal: Hex
        let reInitProposal: Hex
        let externalInitProposal: Hex
        let groupContextExtensionsProposal: Hex
        let commit: Hex
        let publicMessageApplication: Hex
        let publicMessageProposal: Hex
        let publicMessageCommit: Hex
        let privateMessage: Hex
    }

    @Test("reads every structure and writes the same bytes", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func messages() throws {
        let cases = try MLSVectors.all("messages.json", as: MessagesCase.self)
        for one in cases {
            for message in [
                one.mlsWelcome, one.mlsGroupInfo, one.mlsKeyPackage, one.publicMessageApplication,
                one.publicMessageProposal, one.publicMessageCommit, one.privateMessage,
            ] {
                try roundTrip(message, as: MLSMessage.self)
            }
            try roundTrip(one.ratchetTree, as: NodeList.self)
            try roundTrip(one.groupSecrets, as: GroupSecrets.self)
            try roundTrip(one.commit, as: Commit.self)
            // The vectors hold the bodies of proposals, without the type before them.
            let proposals: [(ProposalType, Hex)] = [
                (.add, one.addProposal), (.update, one.updateProposal), (.remove, one.removeProposal),
                (.preSharedKey, one.preSharedKeyProposal), (.reInit, one.reInitProposal),
                (.externalInit, one.externalInitProposal),
                (.groupContextExtensions, one.groupContextExtensionsProposal),
            ]
            for (type, body) in proposals {
                let bytes = type.encoded + body.bytes
                #expect(try Proposal(bytes: bytes).encoded == bytes)
            }
        }
        print("messages.json: \(cases.count) cases")
    }

    private func roundTrip<Value: MLSCodable>(_ hex: Hex, as _: Value.Type) throws {
        #expect(try Value(bytes: hex.bytes).encoded == hex.bytes)
        #expect(throws: MLSError.self) { try Value(bytes: hex.bytes + [0]) }
        #expect(throws: MLSError.self) { try Value(bytes: hex.bytes.dropLast()) }
    }

    @Test(
        "refuses lengths that are not in their shortest form, or reserved",
        arguments: [[0x40, 0x01], [0x40, 0x3f], [0x80, 0, 0, 1], [0x80, 0, 0x3f, 0xff], [0xc0, 0, 0, 0]] as [[UInt8]])
    func refusesLength(bytes: [UInt8]) {
        #expect(throws: MLSError(.malformed)) {
            var reader = Reader(bytes)
            _ = try reader.length()
        }
    }

    @Test("reads what it writes at the edges of the length forms", arguments: [0, 63, 64, 0x3fff, 0x4000])
    func edges(count: Int) throws {
        var writer = Writer()
        writer.opaque([UInt8](repeating: 7, count: count))
        var reader = Reader(writer.bytes)
        #expect(try reader.opaque().count == count)
        #expect(reader.isAtEnd)
    }

    @Test("refuses a vector beyond the limit")
    func refusesLongVector() {
        var options = CodecOptions()
        options.maximumVectorLength = 10
        #expect(throws: MLSError(.limitExceeded)) {
            var reader = Reader([11] + [UInt8](repeating: 0, count: 11), options: options)
            _ = try reader.opaque()
        }
    }

    @Test("never traps on noise", arguments: 0..<20)
    func noise(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        for _ in 0..<500 {
            let bytes = (0..<200).map { _ -> UInt8 in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24) & (state & 1 == 0 ? 0x07 : 0xff)
            }
            #expect(throws: MLSError.self) { try MLSMessage(bytes: [0, 1, 0, bytes[0] % 6] + bytes) }
            #expect(throws: MLSError.self) { try Commit(bytes: bytes) }
        }
    }
}
