import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// What the account's own list of follows teaches, which is looked at again and again.
struct OwnFollowsTests {
    let alice = TestPerson.alice
    let bob = TestPerson.bob.publicKey
    let carol = TestPerson.carol.publicKey

    @Test("the list that was read last teaches nothing new, and every other does")
    func again() {
        let gossip = AccountBench().account.services.gossip
        let one = alice.event(kind: 3, tags: [["p", bob.hex]], at: seconds(-20))
        let other = alice.event(kind: 3, tags: [["p", bob.hex], ["p", carol.hex]], at: seconds(-10))
        for (list, follows) in [(one, [bob]), (other, [bob, carol]), (one, [bob])] {
            let (isNew, isNewAgain) = (gossip.learn(from: list), gossip.learn(from: list))
            #expect(isNew && !isNewAgain)
            #expect(gossip.follows == follows)
            #expect(gossip.homeAuthors == Set(follows + [alice.publicKey]))
        }
        // Another version of the same people changes no route.
        let same = gossip.learn(from: alice.event(kind: 3, tags: [["p", bob.hex]], at: seconds(-5)))
        #expect(!same && gossip.followed == [bob])
    }
}
