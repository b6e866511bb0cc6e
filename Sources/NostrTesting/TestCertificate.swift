internal import Foundation

/// A throw-away certificate of a host, made by openssl, that nobody believes but who is told to.
public struct TestCertificate: Sendable {
    /// The certificate, PEM.
    public let chain: [UInt8]
    /// Its secret key, PEM.
    public let key: [UInt8]

    /// openssl made none.
    public struct NotMade: Error {}

    /// Makes one for a host.
    ///
    /// - Throws: ``NotMade``, or why openssl could not be started.
    public init(for host: String = "localhost") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A left-over folder in the temporary directory harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        let openssl = try ChildProcess(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)",
                "-keyout", folder.appendingPathComponent("key.pem").path,
                "-out", folder.appendingPathComponent("cert.pem").path,
            ])
        guard openssl.wait() == 0 else { throw NotMade() }
        chain = [UInt8](try Data(contentsOf: folder.appendingPathComponent("cert.pem")))
        key = [UInt8](try Data(contentsOf: folder.appendingPathComponent("key.pem")))
    }
}
