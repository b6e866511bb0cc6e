import NIOCore
import Synchronization

/// Where browsers of this machine find the pages, once those are up.
final class PageAddress: ReachablePages {
    private struct Known: Sendable {
        let plain: String
        let port: Int
        let name: LoopbackName?
        /// Keeps others from answering by that name.
        let reserved: ReservedPort?
    }

    private let known = Mutex<Known?>(nil)

    /// `http://host:port`, by the home's own name where it has one; `nil` before that is known.
    var text: String? {
        known.withLock { known in
            known.map { known in known.name.map { "http://\($0.host):\(known.port)" } ?? known.plain }
        }
    }

    /// The same without that name, for programs that cannot look it up; `nil` where ``text`` is so already.
    var plain: String? { known.withLock { $0?.name == nil ? nil : $0?.plain } }

    /// The port; `nil` before that is known.
    var port: Int? { known.withLock { $0?.port } }

    /// Takes note of where a home listens.
    ///
    /// - Returns: `false` when its own name is not used, because another program has the port at the other address that
    ///   browsers try, and would be sent the cookies.
    func set(_ serving: ServingConfiguration, port: Int, listening: SocketAddress?) -> Bool {
        let plain = "http://\(serving.written):\(port)"
        do {
            let reserved = try serving.loopbackName.flatMap { _ in try Self.reserve(besides: listening, port: port) }
            known.withLock { $0 = Known(plain: plain, port: port, name: serving.loopbackName, reserved: reserved) }
            return true
        } catch {
            known.withLock { $0 = Known(plain: plain, port: port, name: nil, reserved: nil) }
            return false
        }
    }

    /// Reserves the port at the other of the two loopback addresses; `nil` where the machine has only one.
    private static func reserve(besides listening: SocketAddress?, port: Int) throws -> ReservedPort? {
        let other = listening?.ipAddress == "::1" ? "127.0.0.1" : "::1"
        return try ReservedPort(try SocketAddress(ipAddress: other, port: port))
    }
}
