/// What pages say about a signer elsewhere and about a browser's extension.
enum SigningElsewhereWords {
    static let proofNotSigned = "What the extension returned is not signed correctly."
    static let proofOfSomethingElse = "What the extension returned is not what it was asked for."
    static let proofTooOld = "The extension's signature is too old. Is this machine's clock right?"

    // How a try to pair stands

    static let connecting = "Reaching the relays…"
    static let waitingForInvitation = "Waiting for your signer to accept the invitation."
    static let waitingForToken = "Waiting for your signer; check whether it is asking you."
    static let confirm = "Your signer wants you to confirm on a page of its own."
    static let unreachable = "No relay answers yet. Linnet keeps trying."
    static let paired = "Paired."

    // How it stands with the signer of an open account

    static let waiting = "Waiting for your signer. It may be asking you to approve something."
    static let silent = "Your signer does not answer. You can read; writing waits until it is back."
}
