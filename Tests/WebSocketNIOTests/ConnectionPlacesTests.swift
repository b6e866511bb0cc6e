import Testing

@testable import WebSocketNIO

@Suite("Connection places")
struct ConnectionPlacesTests {
    let limits = ConnectionLimits(all: 6, perAddress: 3, kept: 2, loggedIn: 1)

    @Test("one address takes its share and no more; what it leaves is free again")
    func perAddress() {
        let places = Port(limits)
        for _ in 0..<3 { #expect(places.admit("203.0.113.1") == .welcome) }
        #expect(places.admit("203.0.113.1") == .refused)
        #expect(places.admit("203.0.113.2") == .welcome)
        places.leave("203.0.113.1")
        places.leave("203.0.113.2")
        #expect(places.admit("203.0.113.1") == .welcome)
        #expect(places.count == 3)
        places.leave("198.51.100.1")
        #expect(places.count == 3)
    }

    @Test("a proxy of ours, which stands for many, has more than one address's share, and leaves what is kept")
    func proxy() {
        let places = Port(limits)
        for _ in 0..<4 { #expect(places.admit("203.0.113.1", isProxy: true) == .welcome) }
        #expect(places.admit("203.0.113.1", isProxy: true) == .refused)
        #expect(places.admit("127.0.0.1") == .welcome)
    }

    @Test("strangers leave places to this machine and to addresses of those who logged in")
    func kept() {
        let places = Port(limits)
        for number in 0..<4 { #expect(places.admit("203.0.113.\(number)") == .welcome) }
        #expect(places.admit("203.0.113.9") == .refused)
        #expect(places.admit("127.0.0.2") == .refused)
        #expect(places.admit("127.0.0.1") == .welcome)
        #expect(places.admit("192.168.1.7") == .refused)
        places.meet("192.168.1.7")
        #expect(places.admit("192.168.1.7") == .welcome)
    }

    @Test("when all is full there is room for a browser that is logged in, and for nobody else")
    func loggedIn() {
        let places = Port(limits)
        for _ in 0..<6 { #expect(places.admit("127.0.0.1") == .welcome) }
        #expect(places.admit("203.0.113.1") == .refused)
        #expect(places.admit("::1") == .ifLoggedIn)
        #expect(places.admit("127.0.0.1") == .refused)
        #expect(places.count == 7)
    }

    @Test("an address that is known can take more than its share only by logging in, and few are remembered")
    func known() {
        let places = Port(ConnectionLimits(all: 100, perAddress: 1, kept: 2, loggedIn: 4))
        places.meet("192.168.1.7")
        #expect(places.admit("192.168.1.7") == .welcome)
        #expect(places.admit("192.168.1.7") == .ifLoggedIn)
        for number in 0..<16 { places.meet("192.168.2.\(number)") }
        #expect(places.admit("192.168.1.7") == .refused)
    }

    @Test(
        "what one household has counts as one address",
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"), ("::1", "::1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("unknown", "unknown"), ("::ffff:127.0.0.1", "127.0.0.1"),
        ])
    func keys(peer: String, key: String) {
        #expect(ConnectionPlaces.key(of: peer) == key)
    }

    @Test("few descriptors bear few sockets")
    func descriptors() {
        #expect(ConnectionLimits().fitting(descriptors: 65_536) == ConnectionLimits())
        #expect(
            ConnectionLimits().fitting(descriptors: 1024)
                == ConnectionLimits(all: 448, perAddress: 512, kept: 112, loggedIn: 64))
        let least = ConnectionLimits().fitting(descriptors: 0)
        #expect(least.all == 1 && least.loggedIn == 0)
    }
}

/// Places that a test changes within its expectations.
private final class Port {
    private var places: ConnectionPlaces

    init(_ limits: ConnectionLimits) { places = ConnectionPlaces(limits) }

    var count: Int { places.count }
    func admit(_ address: String, isProxy: Bool = false) -> ConnectionAdmission {
        places.admit(address, isProxy: isProxy)
    }
    func leave(_ address: String) { places.leave(address) }
    func meet(_ address: String) { places.meet(address) }
}
