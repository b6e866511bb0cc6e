extension MLSMessage {
    /// Whether it is data of the application; nothing of it is verified.
    ///
    /// That stands outside of what is encrypted. Source: RFC 9420 §6.3.
    package var isApplication: Bool { contentType == .application }

    /// Whether it is a commit; nothing of it is verified.
    package var isCommit: Bool { contentType == .commit }

    private var contentType: ContentType? {
        switch body {
        case .privateMessage(let message): message.contentType
        case .publicMessage(let message): message.content.content.type
        case .welcome, .groupInfo, .keyPackage: nil
        }
    }
}
