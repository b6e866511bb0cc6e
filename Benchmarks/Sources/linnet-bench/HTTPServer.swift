import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server on this machine's loopback, asked over a socket of its own each time, so that nothing of a client's library
/// is measured with it.
struct HTTPServer {
    struct NoAnswer: Error {}

    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]

        /// The first header of a name in lower case.
        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
                .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        }
    }

    let port: UInt16

    /// Sends a request and reads to the end of the answer; two minutes at most.
    func answer(_ method: String, _ path: String, cookie: String = "", form: String? = nil) throws -> Answer {
        let descriptor = try connected()
        defer { close(descriptor) }
        var request = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if !cookie.isEmpty { request += "Cookie: \(cookie)\r\n" }
        if let form {
            request += "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n"
        }
        let bytes = Array((request + "\r\n" + (form ?? "")).utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw NoAnswer() }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else { throw NoAnswer() }
            if count == 0 { break }
            all += part.prefix(count)
        }
        guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else { throw NoAnswer() }
        let head = String(decoding: all[..<end.lowerBound], as: UTF8.self)
        guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw NoAnswer() }
        return Answer(status: status, head: head, body: Array(all[end.upperBound...]))
    }

    /// A socket to it, which whoever asks closes.
    func connected() throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw NoAnswer() }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw NoAnswer()
        }
        return descriptor
    }
}
