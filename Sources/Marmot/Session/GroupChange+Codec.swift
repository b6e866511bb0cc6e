public import MLS
internal import NostrCore

/// The form in which a change rests on the disk; it is ours alone.
extension GroupChange: MLSCodable {
    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Throws: `malformed`.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .add(try reader.vector { (one) throws(MLSError) in try one.event() })
        case 2: self = .remove(try reader.people())
        case 3: self = .readmit(try reader.event())
        case 4: self = .edit(try GroupEdit(from: &reader))
        case 5: self = .stepDown
        case 6: self = .freshKeys
        case 7: self = .letGo
        case 8: self = .removeOthers
        case 9:
            // Apart from 4, so that what earlier versions left on a disk still reads.
            var edit = try GroupEdit(from: &reader)
            edit.image = try GroupImageEdit(from: &reader)
            self = .edit(edit)
        default: throw MLSError.malformed("a change of another version")
        }
    }

    /// Appends the change.
    public func write(to writer: inout Writer) {
        switch self {
        case .add(let events):
            writer.integer(UInt8(1))
            writer.vector(events) { $0.event($1) }
        case .remove(let people):
            writer.integer(UInt8(2))
            writer.people(people)
        case .readmit(let event):
            writer.integer(UInt8(3))
            writer.event(event)
        case .edit(let edit):
            writer.integer(UInt8(edit.image == nil ? 4 : 9))
            edit.write(to: &writer)
            edit.image?.write(to: &writer)
        case .stepDown: writer.integer(UInt8(5))
        case .freshKeys: writer.integer(UInt8(6))
        case .letGo: writer.integer(UInt8(7))
        case .removeOthers: writer.integer(UInt8(8))
        }
    }
}

extension GroupEdit {
    init(from reader: inout Reader) throws(MLSError) {
        self.init()
        name = try reader.maybe { (one) throws(MLSError) in try one.text() }
        description = try reader.maybe { (one) throws(MLSError) in try one.text() }
        relays = try reader.maybe { (list) throws(MLSError) in
            try list.vector { (one) throws(MLSError) in
                let text = try one.text()
                do { return try RelayURL(text) } catch { throw MLSError.malformed("a relay that has no address") }
            }
        }
        nostrGroupID = try reader.maybe { (one) throws(MLSError) in try one.bytes32() }
        promoted = try reader.people()
        demoted = try reader.people()
    }

    func write(to writer: inout Writer) {
        writer.maybe(name) { $0.text($1) }
        writer.maybe(description) { $0.text($1) }
        writer.maybe(relays) { $0.vector($1) { $0.text($1.text) } }
        writer.maybe(nostrGroupID) { $0.fixed($1.array) }
        writer.people(promoted)
        writer.people(demoted)
    }
}

extension GroupImageEdit {
    init(from reader: inout Reader) throws(MLSError) {
        let image = try reader.maybe { (one) throws(MLSError) in try GroupImage(from: &one) }
        self = image.map(Self.set) ?? .remove
    }

    func write(to writer: inout Writer) {
        let image: GroupImage? = if case .set(let image) = self { image } else { nil }
        writer.maybe(image) { $1.write(to: &$0) }
    }
}

extension GroupImage {
    fileprivate init(from reader: inout Reader) throws(MLSError) {
        let (hash, seed) = (try reader.bytes32(), try reader.bytes32())
        let nonce = try reader.fixed(12)
        let uploadSeed = try reader.bytes32()
        self.init(hash: hash, seed: seed, nonce: nonce, uploadSeed: uploadSeed)
    }

    /// A picture that we made ourselves, which always has all of it.
    fileprivate func write(to writer: inout Writer) {
        writer.fixed(hash.array)
        writer.fixed(seed.array)
        writer.fixed(nonce)
        writer.fixed((uploadSeed ?? seed).array)
    }
}

extension Reader {
    mutating func text() throws(MLSError) -> String {
        guard let text = String(validating: try opaque(), as: UTF8.self) else {
            throw MLSError.malformed("text that is not UTF-8")
        }
        return text
    }

    mutating func people() throws(MLSError) -> Set<PublicKey> {
        Set(try vector { (one) throws(MLSError) in PublicKey(try one.bytes32()) })
    }

    /// An event that was verified before it was saved, and is once more: a wrong one must not pass for a disk's error.
    mutating func event() throws(MLSError) -> Event {
        do {
            return try Event(verifying: UnverifiedEvent(json: opaque()))
        } catch { throw MLSError.malformed("an event that is none") }
    }
}

extension Writer {
    mutating func text(_ value: String) { opaque(Array(value.utf8)) }

    mutating func people(_ value: Set<PublicKey>) { vector(value.sorted()) { $0.fixed($1.bytes.array) } }

    mutating func event(_ value: Event) { opaque(value.json) }
}
