import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import NostrRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension TransportFailure {
    /// Names an error of the network layer, without anything a peer wrote.
    init(_ error: any Error, frameLimit: Int = 0) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let failure as NIOConnectionError: self.init(connecting: failure)
        case is SocketAddressError: self = .nameNotFound
        case let failure as IOError: self.init(errno: failure.errnoCode)
        case let failure as NIOSSLError: self.init(tls: failure)
        case is NIOSSLExtraError: self = .certificate(.wrongHost)
        case let failure as BoringSSLError: self = .certificate(Self.certificateProblem("\(failure)"))
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            self = .frameTooLong(limit: frameLimit)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is FrameError:
            self = .io("WebSocket protocol error")
        case is HTTPParserError: self = .io("the answer is not HTTP")
        case let failure as ChannelError: self.init(channel: failure)
        case is CancellationError: self = .io("cancelled")
        default: self = .io("\(type(of: error))")
        }
    }

    private init(connecting failure: NIOConnectionError) {
        let errors = failure.connectionErrors.map(\.error)
        if errors.contains(where: { $0 as? TransportFailure == .privateAddress }) {
            // What else failed does not matter: this one a person can allow.
            self = .privateAddress
        } else if let first = errors.first {
            self.init(first)
        } else {
            self = .nameNotFound
        }
    }

    private init(errno code: CInt) {
        switch code {
        case ECONNREFUSED: self = .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .unreachable
        case ETIMEDOUT: self = .timedOut
        case ECONNRESET, EPIPE, ENOTCONN: self = .closed(code: nil)
        default: self = .io("errno \(code)")
        }
    }

    private init(tls failure: NIOSSLError) {
        switch failure {
        case .handshakeFailed(let cause): self = .certificate(Self.certificateProblem("\(cause)"))
        case .uncleanShutdown: self = .closed(code: nil)
        default: self = .io("TLS")
        }
    }

    private init(channel failure: ChannelError) {
        switch failure {
        case .connectTimeout: self = .timedOut
        case .ioOnClosedChannel, .alreadyClosed, .eof, .inputClosed, .outputClosed, .connectPending:
            self = .closed(code: nil)
        default: self = .io("channel")
        }
    }

    private static func certificateProblem(_ words: String) -> CertificateProblem {
        words.contains("CERTIFICATE_VERIFY_FAILED") ? .untrusted : .handshakeFailed
    }
}
