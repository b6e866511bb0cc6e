/// What a Welcome tells one new member: the way into the key schedule and, after a path, into the tree.
///
/// Source: RFC 9420 §12.4.3.1.
struct GroupSecrets: MLSCodable, Sendable {
    let joinerSecret: JoinerSecret
    let pathSecret: PathSecret?
    let psks: [PreSharedKeyID]

    init(joinerSecret: JoinerSecret, pathSecret: PathSecret?, psks: [PreSharedKeyID]) {
        self.joinerSecret = joinerSecret
        self.pathSecret = pathSecret
        self.psks = psks
    }

    init(from reader: inout Reader) throws(MLSError) {
        joinerSecret = try JoinerSecret(from: &reader)
        pathSecret = try reader.optional()
        psks = try reader.vector()
    }

    func write(to writer: inout Writer) {
        joinerSecret.write(to: &writer)
        writer.optional(pathSecret)
        writer.vector(psks)
    }
}
