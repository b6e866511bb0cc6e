import NIOCore
import NIOSSL
public import NostrCore

extension WebSocketServer {
    /// Where a server listens and what it bears.
    public struct Configuration: Sendable {
        /// The address to listen on.
        public var host: String
        /// The port; 0 takes a free one.
        public var port: Int
        /// A certificate and its key, to speak `wss`.
        public var tls: Certificate?
        /// How many sockets at once, and of whom.
        public var connections: ConnectionLimits
        /// How long a peer may take to say what it wants, TLS included.
        public var headerTimeout: Duration
        /// How long a shutdown waits for connections to end by themselves.
        public var drainDeadline: Duration
        /// Whose word for where a request comes from is believed.
        public var proxies: TrustedProxies

        /// Defaults: loopback, a free port, no TLS, 4096 connections, 512 of them of one address, 10 s, 5 s, no proxy.
        public init(
            host: String = "127.0.0.1", port: Int = 0, tls: Certificate? = nil,
            connections: ConnectionLimits = ConnectionLimits(), headerTimeout: Duration = .seconds(10),
            drainDeadline: Duration = .seconds(5), proxies: TrustedProxies = TrustedProxies()
        ) {
            self.host = host
            self.port = port
            self.tls = tls
            self.connections = connections
            self.headerTimeout = headerTimeout
            self.drainDeadline = drainDeadline
            self.proxies = proxies
        }
    }

    /// A certificate chain and its private key, both in PEM.
    public struct Certificate: Sendable {
        private let chain: [UInt8]
        private let key: [UInt8]

        /// A certificate and its key; they are read when the port opens.
        public init(chainPEM: [UInt8], keyPEM: [UInt8]) {
            chain = chainPEM
            key = keyPEM
        }

        func context() throws -> NIOSSLContext {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            configuration.shutdownTimeout = .milliseconds(400)
            return try NIOSSLContext(configuration: configuration)
        }
    }
}
