public import NostrClient
internal import NostrNIPs

/// Why a sealed file could not be sent or opened, in words.
extension SealedFileError: SpokenError {
    /// One plain sentence a person can act on; no content, no secret.
    public var sentence: String {
        switch self {
        case .empty: "This file is empty; choose another one."
        case .tooLarge(let limit): "Files of up to \(ConversationWords.size(limit)) can be sent; choose a smaller one."
        case .noServer: "There is no media server to put the file on; name one in your settings first."
        case .notUploaded: "No media server took the file; name another server if this goes on."
        case .refused(let outcomes):
            (["No media server took the file."]
                + outcomes.map { "\($0.server.domain): \($0.refusal?.sentence ?? "")" }).joined(separator: " ")
        case .notSigned: "Your signer did not sign for the upload, so no media server took the file."
        case .signerAway: "Your signer has not signed for this yet."
        case .notSent: "The message with this file could not be sent."
        case .membersChanged: "Somebody came into the circle since. Try again sends it to them, too."
        case .onItsWay: "This file was already on its way, so it could not be taken back."
        case .tooManyWait(let limit):
            "At most \(limit) files wait for a media server at a time. Remove some, or wait until they are sent."
        case .gone: "Nobody has this file any more, or its server does not answer."
        case .another: "The file at this address is not the one that was sent, so it is not shown."
        case .doesNotOpen: "This file does not open with the key that came with it."
        case .noFile: "There is no file in this message."
        case .noKey: "The key for this file is not kept here: it was sent before you came, or too long ago."
        case .unavailable: "Files are neither sent nor opened here."
        case .tellsTooMuch:
            "Linnet cannot take out of this file where and when it was made. Save it in another format, such as JPEG or MP4, "
                + "and send that."
        case .notTaken: "Other programs would not take a file of this name or sort; rename it first."
        }
    }
}

/// What pages say about sealed files.
package enum SealedFileWords {
    /// Above files that no media server has taken yet.
    ///
    /// - Returns: how many there are; empty for none.
    package static func unsent(_ count: Int) -> String {
        switch count {
        case 0: ""
        case 1: "1 file is not sent yet"
        default: "\(count) files are not sent yet"
        }
    }
    /// Of one that is being brought to a server.
    static let underWay = "It is being brought to your media servers."
    /// Of one that is out; words that belong to it go as a message of their own.
    static let wordsFollow = "The file is sent; its words follow."
    /// Of one that is out, where nobody sends its words before the person wants it.
    static let wordsFailed = "The file is sent, but the words that belong to it are not."
    /// Of one whose turn has not come.
    ///
    /// - Parameter isCircle: whether those get it who are members when it goes, rather than whoever is one now.
    static func waiting(isCircle: Bool) -> String {
        isCircle
            ? "It is kept here, encrypted, and once a media server takes it sent to whoever is in the circle then."
            : "It is kept here, encrypted, and sent once a media server takes it."
    }
    /// Of one that is tried again, behind why it did not go.
    static func triedAgain(isCircle: Bool) -> String {
        isCircle
            ? "It is kept here, encrypted, tried again by itself, and sent to whoever is in the circle then."
            : "It is kept here, encrypted, and tried again by itself."
    }
    /// Where a file that was chosen cannot be kept in a form that is shown again.
    package static let chooseAgain = "Choose the file again: a page cannot keep it."
    /// What a picture is to who cannot see it, where its author says no more.
    package static let picture = "An encrypted picture"
    /// The same for one that has a name.
    package static func picture(named name: String) -> String { name.isEmpty ? picture : "\(picture): \(name)" }
    /// Asks what a file is to who cannot see or hear it.
    package static let description = "What can be seen or heard in it"
    /// Where pictures have no words of their own.
    package static let wordsInMessage =
        "Say in your message what can be seen in it: files of a circle have no words of their own."
    /// In place of a file for which no key is kept.
    package static let noKey = SealedFileError.noKey.sentence
    /// Where a file can be opened that is not shown within the page.
    package static func open(isPicture: Bool) -> String {
        isPicture ? "Show this picture" : "Save this file"
    }
    /// Below the choice of a file.
    package static let sealing =
        "It is encrypted on this machine before a media server gets it. Up to "
        + "\(ConversationWords.size(OutgoingFile.largest))."
}
