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

/// Somebody with a key for signatures, and a store where every step rests before its message leaves.
struct Person {
    let name: String
    let signer: SignaturePrivateKey
    let store: MLSStore

    /// What it takes to be in a group; its public half is for others, who add us by it.
    func keyPackage() throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: signer, credential: .basic(identity: Array(name.utf8)),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }
}

/// A person in the group.
struct Member {
    let name: String
    let group: StoredGroup

    func receive(_ bytes: [UInt8]) async throws {
        let message = try MLSMessage(bytes: bytes)
        switch try await group.process(message) {
        case .application(let received):
            print("\(received.credential.name) to \(name): \(String(decoding: received.data, as: UTF8.self))")
            await group.finish(message)
        case .commit(let staged) where staged.removesUs: print("\(name) is out")
        case .commit(let staged): try await group.merge(staged)
        case .proposal: break
        }
    }
}

/// What carries messages: all of them to everybody, in one order.
var room: [Member] = []
@MainActor func deliver(_ message: MLSMessage, besides sender: String = "") async {
    for member in room where member.name != sender {
        do { try await member.receive(message.encoded) } catch { print("\(member.name) reads nothing: \(error)") }
    }
}
@MainActor func say(_ text: String, by member: Member) async throws {
    await deliver(try await member.group.encrypt(Array(text.utf8)), besides: member.name)
}
/// Adds somebody; the commit goes to its author too, who merges it then, and the Welcome goes out last.
@MainActor func add(_ new: Person, by member: Member) async throws {
    let package = try new.keyPackage()
    try await new.store.keep(package)
    let commit = try await member.group.commit([.add(package.keyPackage)])
    await deliver(commit.message)
    if let welcome = commit.welcome { room.append(Member(name: new.name, group: try await new.store.join(welcome))) }
}

let keys = try ["Alice", "Bob", "Carol"].map { ($0, try SignaturePrivateKey(for: .x25519AES128)) }
let book = AddressBook(keys: Dictionary(uniqueKeysWithValues: keys.map { ($0, $1.publicKey) }))
let people = keys.map { Person(name: $0, signer: $1, store: MLSStore(MemoryStorage(), policy: book)) }
let (alice, bob, carol) = (0, 1, 2)
let founded = try await people[alice].store.create([1], with: people[alice].keyPackage())
room = [Member(name: people[alice].name, group: founded)]
try await add(people[bob], by: room[alice])
try await say("Hello, Bob!", by: room[alice])
try await add(people[carol], by: room[bob])
try await say("Hello, both of you!", by: room[carol])
let bobsPlace = await room[bob].group.ownIndex
await deliver(try await room[alice].group.commit([.remove(bobsPlace)]).message)
try await say("Just us two now.", by: room[alice])
