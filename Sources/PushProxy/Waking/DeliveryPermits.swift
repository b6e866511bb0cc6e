internal import AsyncPrimitives
internal import NostrCore
internal import NostrStore

/// How many messages may be on their way to which push service; a value without socket or clock.
///
/// Endpoints cost nothing to invent, nor do hosts below a domain, and all of them may be slow on purpose. So
/// a service gets a share of the permits that are free, the smaller the fewer are left, and half of them are for services
/// that took a message before. Apple's, which the operator chose, has permits of its own.
struct DeliveryPermits: Sendable {
    /// Whose slowness devices share.
    enum Service: Hashable, Sendable {
        case apple
        /// A domain (the last two labels of its hosts' names), or the network of an address.
        case web(String)
    }

    /// For one message, to be given back.
    struct Permit: Sendable {
        let service: Service
        fileprivate let isNewcomers: Bool
    }

    /// How many there are for Apple's devices.
    static let forApple = 2048
    /// How many there are for all others.
    static let forWeb = 2048
    /// How many of those services may take that took no message yet.
    static let forNewcomers = 1024
    /// A service may have one for so many that are free.
    static let freeForOne = 8

    private var open: [Service: Int] = [:]
    private var openOfWeb = 0
    private var openOfNewcomers = 0
    /// Services that took a message, as far as remembered.
    private var proven = RecentValues<Service, Bool>(capacity: 4096)

    /// Hands out a permit; `nil` when the service has as many as it may have now.
    mutating func acquire(for service: Service) -> Permit? {
        let taken = open[service, default: 0]
        var isNewcomers = false
        switch service {
        case .apple: guard taken < Self.forApple else { return nil }
        case .web:
            isNewcomers = proven[service] == nil
            var free = Self.forWeb - openOfWeb
            if isNewcomers { free = min(free, Self.forNewcomers - openOfNewcomers) }
            guard free > 0, taken < max(free / Self.freeForOne, 1) else { return nil }
            openOfWeb += 1
            if isNewcomers { openOfNewcomers += 1 }
        }
        open[service] = taken + 1
        return Permit(service: service, isNewcomers: isNewcomers)
    }

    /// Gives a permit back.
    ///
    /// - Parameter delivered: whether the service took the message.
    mutating func giveBack(_ permit: Permit, delivered: Bool) {
        let left = open[permit.service, default: 1] - 1
        open[permit.service] = left > 0 ? left : nil
        guard case .web = permit.service else { return }
        openOfWeb -= 1
        if permit.isNewcomers { openOfNewcomers -= 1 }
        if delivered { proven.set(true, for: permit.service) }
    }
}

extension DeliveryPermits.Service {
    /// The service of an address.
    init(_ address: PushAddress) {
        switch address {
        case .apns: self = .apple
        case .webPush(let to), .unifiedPush(let to):
            let host = PushEndpoint(to.endpoint, allowsPrivate: true)?.host ?? ""
            if let address = IPAddress(host.filter { $0 != "[" && $0 != "]" }) {
                self = .web("\(address.network)")
            } else {
                // Where more names of strangers lie below two labels than one (co.uk, dynamic names) they share.
                self = .web(host.split(separator: ".").suffix(2).joined(separator: "."))
            }
        }
    }
}
