import NostrStore
import Testing

@testable import PushProxy

@Suite("permits for deliveries")
struct DeliveryPermitsTests {
    /// Making a browser's keys takes longer than everything else here, so there is one.
    private let receiver = WebPushReceiver()

    /// Takes permits for a service until it gets no more.
    private func fill(_ permits: inout DeliveryPermits, _ service: DeliveryPermits.Service) -> Int {
        var taken = 0
        while permits.acquire(for: service) != nil { taken += 1 }
        return taken
    }

    /// Has a service take a message.
    private func deliver(_ permits: inout DeliveryPermits, _ service: DeliveryPermits.Service) {
        if let permit = permits.acquire(for: service) { permits.giveBack(permit, delivered: true) }
    }

    private func service(_ endpoint: String) -> DeliveryPermits.Service {
        DeliveryPermits.Service(.webPush(receiver.subscription(endpoint)))
    }

    @Test(
        "slow services that strangers set up leave permits for Apple's, for those known, and for the next newcomer",
        arguments: [1, 32, 128, 900])
    func slow(count: Int) {
        var permits = DeliveryPermits()
        let known = service("https://push.example/x")
        deliver(&permits, known)
        let slow = (0..<count).map { service("https://slow\($0).test/x") }
        // Each takes one after the other, more than any may have, and gives none back.
        for _ in 0..<150 { for one in slow { _ = permits.acquire(for: one) } }
        #expect(fill(&permits, service("https://newcomer.test/x")) >= 1)
        #expect(fill(&permits, known) >= 64)
        #expect(fill(&permits, .apple) == DeliveryPermits.forApple)
    }

    @Test("as many hosts below one domain as somebody invents have one share")
    func hosts() {
        var permits = DeliveryPermits()
        let taken = (0..<1000).count { permits.acquire(for: service("https://h\($0).evil.example/x")) != nil }
        #expect(taken > 64 && taken < DeliveryPermits.forNewcomers / DeliveryPermits.freeForOne)
        #expect(fill(&permits, service("https://other.test/x")) > 64)
    }

    @Test("slow services that took a message once leave permits, too")
    func proven() {
        var permits = DeliveryPermits()
        let slow = (0..<500).map { service("https://slow\($0).test/x") }
        for one in slow { deliver(&permits, one) }
        for _ in 0..<300 { for one in slow { _ = permits.acquire(for: one) } }
        let known = service("https://push.example/x")
        #expect(fill(&permits, known) >= 1)
    }

    @Test("a permit that is given back can be taken again")
    func givenBack() {
        var permits = DeliveryPermits()
        let newcomer = service("https://push.example/x")
        var taken: [DeliveryPermits.Permit] = []
        while let permit = permits.acquire(for: newcomer) { taken.append(permit) }
        for permit in taken { permits.giveBack(permit, delivered: false) }
        #expect(fill(&permits, newcomer) == taken.count)
        deliver(&permits, .apple)
        #expect(fill(&permits, .apple) == DeliveryPermits.forApple)
    }

    @Test("an address counts by its network, and one that nobody can read as one service")
    func addresses() {
        #expect(service("https://[2001:db8::1]/x") == service("https://[2001:db8:0:0:9::9]:8443/x"))
        #expect(service("https://[2001:db8::1]/x") != service("https://[2001:db8:0:1::1]/x"))
        #expect(service("https://198.51.100.7/x") == service("https://198.51.100.7:8443/y"))
        #expect(service("https://198.51.100.7/x") != service("https://198.51.100.8/x"))
        #expect(service("ftp://x") == service(""))
        #expect(DeliveryPermits.Service(.apns(token: "a")) == .apple)
    }
}
