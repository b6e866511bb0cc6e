import Foundation
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A port of an address, held so that no other program answers there; this one does not either.
///
/// Browsers look a name below `localhost` up as `127.0.0.1` and as `::1`. A home listens on one of them; a program of
/// somebody else on the other would be sent the browser's cookies. The system refuses connections to a socket that is
/// bound and does not listen, and browsers go on to the address that answers; without `SO_REUSEADDR` nobody else can bind it.
final class ReservedPort: Sendable {
    /// Another program has the port.
    struct Taken: Error {}

    private let descriptor: Int32

    /// Reserves it; `nil` on a machine that has no such address.
    ///
    /// - Throws: ``Taken``, also where the system does not say why not.
    init?(_ address: SocketAddress) throws(Taken) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let opened = socket(CInt(address.protocol.rawValue), kind, 0)
        guard opened >= 0 else {
            if errno == EAFNOSUPPORT { return nil }
            throw Taken()
        }
        let status = unsafe address.withSockAddr { unsafe bind(opened, $0, socklen_t($1)) }
        let reason = errno
        guard status == 0 else {
            close(opened)
            if reason == EADDRNOTAVAIL { return nil }
            throw Taken()
        }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }
}
