// Signs a note, sends it through its wire form, and believes it only after checking it again.
import NostrCore

var random = SystemRandomNumberGenerator()
let key = SecretKey.generate(using: &random)
let note = Event(
    signing: EventDraft(
        kind: 1, tags: [["t", "linnet"]], content: "Hello, Nostr!", createdAt: Timestamp(seconds: 1_700_000_000)),
    with: key, using: &random)
let wire = note.unverified.json
print(String(decoding: wire, as: UTF8.self))

let claimed = try UnverifiedEvent(json: wire)
let checked = try Event(verifying: claimed)
print("verified \(checked.id) by \(checked.pubkey)")

var forged = claimed
forged.content = "Hello, forger!"
do {
    _ = try Event(verifying: forged)
} catch {
    print("a changed note is refused: \(error)")
}
