internal import NostrCore
internal import NostrRelay

/// How an answer lies on disk: a code, and its facts where it has some.
///
/// Shape: an object, `{"code":"rejected","text":"blocked: no"}`; older versions wrote a plain string of words.
struct PublishAnswerRecord: Hashable {
    /// Which answer it is; what goes wrong on the way has codes of its own.
    enum Code: String, CaseIterable {
        case accepted, rejected, tooLong, unauthenticated, timedOut, blocked, shuttingDown, said
        case nameNotFound, refused, unreachable, privateAddress, connectTimedOut, certificate, handshake, closed
        case frameTooLong, io
    }

    var code: Code
    /// What the relay wrote, or the name of a problem.
    var text: String?
    /// A limit in bytes, a status of HTTP, a code of WebSocket.
    var number: Int?
}

extension PublishAnswerRecord: Codable {
    private enum CodingKeys: String, CodingKey { case code, text, number }

    init(from decoder: any Decoder) throws {
        // A string fails to give a container of keys, and anything else fails to give a string.
        if let words = try? decoder.singleValueContainer().decode(String.self) {
            self.init(code: .said, text: words)
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .code)
        let code = Code(rawValue: name)
        self.init(
            code: code ?? .said,
            text: try values.decodeIfPresent(String.self, forKey: .text) ?? (code == nil ? name : nil),
            number: try values.decodeIfPresent(Int.self, forKey: .number))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encodeIfPresent(text, forKey: .text)
        try values.encodeIfPresent(number, forKey: .number)
    }
}

extension PublishAnswerRecord {
    init(_ answer: PublishAnswer) {
        switch answer {
        case .said(let words): self.init(code: .said, text: words)
        case .outcome(.accepted(let reason)): self.init(code: .accepted, text: reason.description)
        case .outcome(.rejected(let reason)): self.init(code: .rejected, text: reason.description)
        case .outcome(.tooLong(let limit)): self.init(code: .tooLong, number: limit)
        case .outcome(.unauthenticated(let why)): self.init(code: .unauthenticated, text: why.rawValue)
        case .outcome(.timedOut): self.init(code: .timedOut)
        case .outcome(.failed(let failure)): self.init(failure)
        case .outcome(.blocked): self.init(code: .blocked)
        case .outcome(.shuttingDown): self.init(code: .shuttingDown)
        }
    }

    private init(_ failure: TransportFailure) {
        switch failure {
        case .nameNotFound: self.init(code: .nameNotFound)
        case .refused: self.init(code: .refused)
        case .unreachable: self.init(code: .unreachable)
        case .privateAddress: self.init(code: .privateAddress)
        case .blocked: self.init(code: .blocked)
        case .timedOut: self.init(code: .connectTimedOut)
        case .certificate(let problem): self.init(code: .certificate, text: problem.rawValue)
        case .handshake(let status): self.init(code: .handshake, number: status)
        case .closed(let code): self.init(code: .closed, number: code)
        case .frameTooLong(let limit): self.init(code: .frameTooLong, number: limit)
        case .io(let what): self.init(code: .io, text: what)
        }
    }

    /// The answer as it was; words, where a later version wrote what this one does not know.
    var answer: PublishAnswer {
        switch code {
        case .said: .said(text ?? "")
        case .accepted: .outcome(.accepted(Reason(wire: text ?? "")))
        case .rejected: .outcome(.rejected(Reason(wire: text ?? "")))
        case .tooLong: .outcome(.tooLong(limit: number ?? 0))
        case .unauthenticated:
            text.flatMap(AuthenticationFailure.init).map { .outcome(.unauthenticated($0)) } ?? .said(text ?? "")
        case .timedOut: .outcome(.timedOut)
        case .blocked: .outcome(.blocked)
        case .shuttingDown: .outcome(.shuttingDown)
        case .nameNotFound, .refused, .unreachable, .privateAddress, .connectTimedOut, .certificate, .handshake,
            .closed, .frameTooLong, .io:
            .outcome(.failed(failure))
        }
    }

    private var failure: TransportFailure {
        switch code {
        case .nameNotFound: .nameNotFound
        case .refused: .refused
        case .unreachable: .unreachable
        case .privateAddress: .privateAddress
        case .connectTimedOut: .timedOut
        case .certificate: text.flatMap(CertificateProblem.init).map { .certificate($0) } ?? .io(text ?? "")
        case .handshake: .handshake(status: number ?? 0)
        case .closed: .closed(code: number)
        case .frameTooLong: .frameTooLong(limit: number ?? 0)
        default: .io(text ?? "")
        }
    }
}
