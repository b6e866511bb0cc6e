import Crypto
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("As Bob through a conversation of MDK 0.8.0") struct CaptureTests {
    @Test(
        "reads his published key package, as 30443 and as 443", .enabled(if: Vectors.hold(Capture.path), Capture.reason)
    )
    func keyPackages() throws {
        let capture = try Capture()
        for event in [capture.keyPackage, capture.legacyKeyPackage] {
            let package = try GenerationB().keyPackage(in: event, now: capture.now)
            #expect(package.owner == event.pubkey && package.eventID == event.id)
            #expect(encodeHex(package.reference.bytes) == event.tags.firstValue("i"))
            #expect(package.isLastResort && package.knowsSelfRemove)
            #expect(package.slot == event.tags.firstValue("d"))
            #expect(package.client == "MDK/0.8.0")
        }
    }

    @Test(
        "joins by the gift-wrapped Welcome and follows every event",
        .enabled(if: Vectors.hold(Capture.path), Capture.reason))
    func follows() throws {
        let capture = try Capture()
        let invitation = try capture.invitation()
        #expect(invitation.data.name == "Test group" && invitation.data.description == "desc")
        #expect(invitation.rumor.inviter == (try capture.person("alice").publicKey))
        var bob = try invitation.join(policy: MarmotPolicy.at(capture.now))
        #expect(bob.mls.epoch == 1 && bob.roster.people.count == 2)

        var texts: [String] = []
        var happened: [String] = []
        for step in capture.steps {
            guard step.sender != "bob" else {
                // What he sent himself he cannot decrypt twice; the envelope around it opens.
                let opened = try GenerationB().open(step.event, with: bob.keyring, now: step.event.createdAt)
                #expect(opened.message.epoch?.epoch == opened.epoch)
                continue
            }
            switch try bob.read(step.event, now: step.event.createdAt) {
            case .message(let message):
                texts.append(message.rumor.content)
                #expect(message.rumor.pubkey == (try capture.person(step.sender).publicKey))
            case .proposal(let proposal, _, let handling):
                #expect(proposal.type == .selfRemove && handling == .commit)
                happened.append("asks to leave")
            case .unripe: Issue.record("not to be read yet")
            case .commit(let commit):
                #expect(commit.committer == (try capture.person(step.sender).publicKey))
                happened.append(
                    "+\(commit.added.count) -\(commit.removed.count) left \(commit.left.count) \(commit.after.data.name)"
                )
                guard !commit.removesUs else {
                    #expect(throws: MarmotError(.refusedByMLS, "")) { try bob.merge(commit) }
                    continue
                }
                try bob.merge(commit)
            }
            for one in step.exporters where one.epoch == bob.mls.epoch {
                let keys = try #require(bob.keyring.current)
                let key = one.label == "group-event" ? keys.groupEvent : keys.media
                #expect(key == SymmetricKey(data: one.secret), "\(step.name), \(one.label)")
            }
        }
        #expect(texts == ["hello bob", "unicode \u{2705} \u{1F9AB}"])
        #expect(
            happened == [
                "+1 -0 left 0 Test group", "+0 -0 left 0 Test group", "+0 -0 left 0 Test group",
                "+0 -0 left 0 Renamed", "asks to leave", "+0 -0 left 1 Renamed", "+0 -1 left 0 Renamed",
            ])
        #expect(bob.mls.epoch == 6)
    }
}
