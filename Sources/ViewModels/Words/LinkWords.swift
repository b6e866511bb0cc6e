public import NostrSigner

// Why a signer link got no result, in words.

extension LinkError {
    /// One plain sentence; what another signer said comes in its own words.
    public var sentence: String {
        switch cause {
        case .notALink, .linkTooLong, .idTooLong, .payloadTooLong, .missing, .wrong, .callback, .version, .method,
            .packing, .repeated:
            cause.linkSentence
        case .noPasteboard: "There is no pasteboard here that could be read."
        case .pasteboardUnreadable: "The pasteboard could not be read."
        case .pasteboardEmpty: "There is nothing under this token."
        case .pasteboardUnwritable: "The pasteboard could not be written."
        case .tooManyLinks: "Too many links within a minute."
        case .tooManyWaiting: "Too many requests are waiting already."
        case .noAccount: "There is no account with a key here."
        case .otherUser: "The current user has no key here."
        case .noKey: "The account's key is not here."
        case .noChoice: "No account was chosen."
        case .refused(let rule): rule.refusal
        case .locked: "The key is locked."
        case .impossible: "The signer cannot do that with what it was given."
        case .resultTooLong: "The result does not fit into a URL."
        case .noSignature: "The signer gave no signature."
        case .failed: "The signer could not do it."
        case .answerUnreadable: "The signer's answer cannot be read."
        case .said(let words): words
        }
    }
}

extension LinkError.Cause {
    /// What is wrong with the link itself.
    fileprivate var linkSentence: String {
        switch self {
        case .linkTooLong(let limit): "The link is longer than \(limit) bytes."
        case .idTooLong(let limit): "The id is longer than \(limit) bytes."
        case .payloadTooLong(let limit): "The payload is longer than \(limit) bytes."
        case .missing(let name): "\(name) is missing."
        case .wrong(let name, let form): "\(name) \(form.words)."
        case .callback(.refusedScheme(let scheme)): "Answers are not sent to \(scheme): URLs."
        case .callback(.userInformation): "The callback holds a user name."
        case .callback: "The callback is not a URL that can be used."
        case .version(let version): "Version \(version) of signer links is not known here."
        case .method: "There is no such method for links."
        case .packing: "The packed part cannot be unpacked."
        case .repeated: "This request came before, with this id."
        default: "This is not a signer link."
        }
    }
}

extension LinkError.Form {
    fileprivate var words: String {
        switch self {
        case .key: "is not a public key in hex"
        case .object: "is not a JSON object"
        case .array: "is not a JSON array"
        case .token: "is not a token"
        case .compression: "is neither none nor gzip"
        case .returnable(let method): "does not fit \(method)"
        }
    }
}

extension Rule {
    /// Why a request was refused, to the person at the app that asked.
    fileprivate var refusal: String {
        switch self {
        case .person: "The request was refused."
        case .unanswered: "Nobody answered in time."
        case .tooOften: "Too many requests within the hour."
        case .locked: "The key is locked."
        case .invalid: "The request cannot be understood."
        case .repeated: "The request was made before."
        case .harmless, .notPaired, .trust, .protectedKind, .grant, .grantExpired, .outsideHours, .paused,
            .losesEntries, .reachesServer:
            "The signer does not allow this."
        }
    }
}
