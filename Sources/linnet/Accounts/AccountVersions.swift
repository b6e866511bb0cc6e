import AsyncPrimitives
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner

/// What an account has published, for saying what a signature would change.
struct AccountVersions: PublishedVersions {
    let account: LiveAccount

    func current(_ address: EventAddress, deadline: Duration) async -> (event: Event?, isFresh: Bool) {
        // Too slow, or unknown for certain: then the version that is here counts, and is said to be old.
        do {
            let inForce = try await withDeadline(deadline, on: ContinuousClock(), throwing: TimedOut()) {
                try await account.services.replaceable.inForce(address)
            }
            return (inForce, true)
        } catch {
            return (await account.services.replaceable.known(address), false)
        }
    }

    func events(_ ids: [EventID]) async -> [Event] {
        await account.services.replaceable.known(ids)
    }

    func publish(_ event: Event) async -> Bool {
        // The queue on disk takes it or does not; relays come later.
        (try? await account.services.publishing.publish(signed: event)) != nil
    }
}
