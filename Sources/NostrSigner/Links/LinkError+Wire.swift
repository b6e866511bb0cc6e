// What an app is told by the `reason` of an error callback (NIP-155, "Error Semantics"). These texts are part of the
// protocol, for those who write apps: they are made here and never translated. What a person reads is in
// `ViewModels/Words/LinkWords.swift`.

extension LinkError {
    /// The reason as it goes to the app: a few words of ASCII, and a fact where there is one.
    var reason: String { cause.reason }
}

extension LinkError.Cause {
    fileprivate var reason: String {
        switch self {
        case .notALink: "not a signer link"
        case .linkTooLong(let limit): "link longer than \(limit) bytes"
        case .idTooLong(let limit): "id longer than \(limit) bytes"
        case .payloadTooLong(let limit): "payload longer than \(limit) bytes"
        case .missing(let name): "\(name) is missing"
        case .wrong(let name, let form): "\(name) is not \(form.reason)"
        case .callback(let problem): problem.reason
        case .version(let version): "version \(version) is not supported"
        case .method: "method is not supported"
        case .packing: "payload cannot be unpacked"
        case .repeated: "repeated request"
        case .tooManyLinks: "too many links within a minute"
        case .tooManyWaiting: "too many requests are waiting"
        case .noPasteboard: "no pasteboard here"
        case .pasteboardUnreadable: "pasteboard cannot be read"
        case .pasteboardEmpty: "nothing under this token"
        case .pasteboardUnwritable: "pasteboard cannot be written"
        case .noAccount: "no account with a key"
        case .otherUser: "current_user has no key here"
        case .noKey: "no key of this account"
        case .noChoice: "no account was chosen"
        case .refused(let rule): rule.reason
        case .locked: "key is locked"
        case .impossible: "cannot be done with these parameters"
        case .resultTooLong: "result does not fit into a URL"
        case .noSignature, .failed: "signer failed"
        case .answerUnreadable: "answer cannot be read"
        case .said(let words): words
        }
    }
}

extension LinkError.Form {
    fileprivate var reason: String {
        switch self {
        case .key: "a public key in hex"
        case .object: "a JSON object"
        case .array: "a JSON array"
        case .token: "a pasteboard token"
        case .compression: "none or gzip"
        case .returnable(let method): "something \(method) returns"
        }
    }
}

extension LinkCallback.Problem {
    fileprivate var reason: String {
        switch self {
        case .refusedScheme(let scheme): "callback scheme \(scheme) is refused"
        case .userInformation: "callback holds a user name"
        case .tooLong, .notAURL: "callback is not a usable URL"
        }
    }
}

extension Rule {
    fileprivate var reason: String {
        switch self {
        case .person: "user rejected"
        case .unanswered: "user did not answer in time"
        case .tooOften: "too many requests within the hour"
        case .locked: "key is locked"
        case .invalid: "request cannot be understood"
        case .repeated: "repeated request"
        case .harmless, .notPaired, .trust, .protectedKind, .grant, .grantExpired, .outsideHours, .paused,
            .losesEntries, .reachesServer:
            "not allowed"
        }
    }
}
