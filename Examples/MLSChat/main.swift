// Alice and Bob talk, Carol comes, Bob goes. Between them travel bytes that nobody else can read.
import MLS

/// Who people are: a name counts only with the key that is known for it.
struct AddressBook: GroupPolicy {
    let keys: [String: SignaturePublicKey]
    func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { keys[credential.name] == key }
}

extension Credential {
    var name: String { if case .basic(let identity) = self { String(decoding: identity, as: UTF8.self) } else { "" } }
}

/// Somebody with a key for signatures.
struct Person {
    let name: String
    let signer: SignaturePrivateKey

    /// What it takes to be in a group; its public half is for others, who add us by it.
    func keyPackage() throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: signer, credential: .basic(identity: Array(name.utf8)),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }
}

/// A person in the group.
///
/// A program that may end at any time saves `group` before a message of it leaves.
struct Member {
    let name: String
    var group: Group
    /// Our own commit: it counts once it comes back to us like everybody else's.
    var own: OwnCommit?

    mutating func receive(_ bytes: [UInt8]) throws {
        let message = try MLSMessage(bytes: bytes)
        if let own, own.message == message {
            self.own = nil
            return try group.merge(own.staged)
        }
        switch try group.process(message) {
        case .application(let received):
            print("\(received.credential.name) to \(name): \(String(decoding: received.data, as: UTF8.self))")
        case .commit(let staged) where staged.removesUs: print("\(name) is out")
        case .commit(let staged): try group.merge(staged)
        case .proposal: break
        }
    }

    mutating func commit(_ changes: [Proposal]) throws -> OwnCommit {
        let commit = try group.commit(changes)
        own = commit
        return commit
    }
}

/// What carries messages: all of them to everybody, in one order.
var room: [Member] = []
@MainActor func deliver(_ message: MLSMessage, besides sender: String = "") {
    for place in room.indices where room[place].name != sender {
        do { try room[place].receive(message.encoded) } catch { print("\(room[place].name) reads nothing: \(error)") }
    }
}
@MainActor func say(_ text: String, by place: Int) throws {
    deliver(try room[place].group.encrypt(Array(text.utf8)), besides: room[place].name)
}
/// Adds somebody; the commit goes to its author too, who merges it then, and the Welcome goes out last.
@MainActor func add(_ new: Person, by place: Int) throws {
    let package = try new.keyPackage()
    let commit = try room[place].commit([.add(package.keyPackage)])
    deliver(commit.message)
    if let welcome = commit.welcome {
        room.append(Member(name: new.name, group: try Group(joining: welcome, with: package, policy: book)))
    }
}

let keys = try ["Alice", "Bob", "Carol"].map { ($0, try SignaturePrivateKey(for: .x25519AES128)) }
let book = AddressBook(keys: Dictionary(uniqueKeysWithValues: keys.map { ($0, $1.publicKey) }))
let people = keys.map { Person(name: $0, signer: $1) }
let (alice, bob, carol) = (0, 1, 2)
let founded = try Group(creating: [1], with: people[alice].keyPackage(), policy: book)
room = [Member(name: people[alice].name, group: founded)]
try add(people[bob], by: alice)
try say("Hello, Bob!", by: alice)
try add(people[carol], by: bob)
try say("Hello, both of you!", by: carol)
let bobsPlace = room[bob].group.ownIndex
deliver(try room[alice].commit([.remove(bobsPlace)]).message)
try say("Just us two now.", by: alice)
