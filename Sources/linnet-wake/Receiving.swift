import NostrSigner

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The next bytes of standard input; none at its end.
private func readBytes() -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
    return buffer.prefix(max(count, 0))
}

/// Standard input to its end, or to one byte more than a message may have.
func readMessage() -> [UInt8] {
    var text: [UInt8] = []
    while text.count <= WakeMessage.longest {
        let more = readBytes()
        guard !more.isEmpty else { break }
        text += more
    }
    return text
}

/// Reads a push as a request of HTTP, answers that it came, and opens it; ends the program when it is none.
///
/// A sender that is slow is left to the service's own time limit. The answer goes out before the signer wakes: a push
/// service waits for no more than that the message was taken.
func receivePush(_ directory: String) -> [UInt8] {
    guard let receiver = PushReceiver(text: readFile("\(directory)/push-receiver")) else {
        answer(503)
        leave(1, "this machine is not registered: linnet signer push register begins it")
    }
    var bytes: [UInt8] = []
    while true {
        let more = readBytes()
        bytes += more
        switch PushDelivery.read(bytes) {
        case .more:
            guard !more.isEmpty else { leave(2, "the request broke off") }
        case .refused(let status):
            answer(status)
            leave(2, "this is not a push: \(status)")
        case .complete(let push):
            guard receiver.isMeant(by: push.path) else {
                answer(404)
                leave(2, "this is not for us")
            }
            answer(201)
            do { return try receiver.key.open(push.body) } catch { leave(2, "the push could not be opened: \(error)") }
        }
    }
}

/// Answers on standard output, which is the socket, and says that no more comes.
private func answer(_ status: Int) {
    let text = PushDelivery.answer(status)
    // Whoever hung up reads no answer, and the push counts all the same.
    _ = unsafe text.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
    shutdown(1, Int32(SHUT_WR))
}

/// A small file; empty when it cannot be read.
private func readFile(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
}
