public import NostrClient
internal import NostrNIPs

/// Words about files on media servers.
public enum FileWords {
    /// What is said where this Linnet keeps no files.
    public static let none = "This account keeps no files."
    /// What is said of a file that is not known.
    public static let unknown = "This file is not known here."
    /// What is said of a file that no server has.
    public static let nowhere = "No server that was asked has this file."
    /// What is said where there is no server to bring files to.
    public static let noServers = "You have no media servers yet. Add one first."
    /// What is said of what is no server.
    public static let noServer = "This is not the address of a server, such as https://blossom.example."
    /// What is said where there are as many servers as there can be.
    public static let tooManyServers = "You cannot add more media servers; take one off first."
    /// What is said of a form without a file.
    public static let noFile = "Choose a file first."
    /// What is said of too many files.
    public static let tooMany = "Those are too many files for one upload."
    /// What is said of files that are too large together.
    public static let tooLarge = "These files are too large: 512 MB each, 1 GB together."
    /// What is said of a form that cannot be read.
    public static let broken = "The upload was cut off or is damaged. Try again."
    /// What is said where the disk has no room.
    public static let noRoom = "The file could not be kept on this machine. Is its disk full?"
    /// What is said while a file waits for the key.
    static let awaitsSigner = "Waits until your key can sign for it."
    static let isUnsigned = "Your key did not sign for it."
    static let waiting = "Waiting"
    /// What is said after files were put in the queue.
    public static let queued = "The upload continues even if you leave this page."
    /// What is said after a list of servers changed.
    public static let serversKept = "Your media servers are published."
    /// What is said after a description changed.
    public static let described = "Saved. Notes that are already published do not change."
    /// What is said after a file was published as an event of its own.
    public static let published = "Published. Others find this file by its own event now."
    /// What is said after a copy was asked for.
    public static let mirroring = "The other servers are asked to copy it."

    /// What is said of servers of a person's own network.
    public static func near(_ names: [String]) -> String {
        let (are, them) = names.count == 1 ? ("is", "it") : ("are", "them")
        return names.joined(separator: ", ")
            + " \(are) on your own machine or network: only there can files be loaded from \(them). For others, add a "
            + "public server to your list, too."
    }

    static func sent(_ percent: Int) -> String { "\(percent)% sent" }

    /// What is said of files that did not arrive.
    static func missing(_ names: [String]) -> String {
        "Not uploaded: " + names.joined(separator: ", ") + ". Your note was not published."
    }

    static func notYet(_ names: [String]) -> String {
        "Still uploading: " + names.joined(separator: ", ") + ". Publish again in a moment."
    }

    /// What is said after a deletion.
    public static func deleted(_ outcomes: [ServerOutcome]) -> String {
        let failed = outcomes.filter { $0.refusal != nil }
        if failed.isEmpty { return "Deleted. Others may have copied it meanwhile." }
        return failed.map { "\($0.server.domain): \($0.refusal?.sentence ?? "")" }.joined(separator: " ")
    }

    /// A length for people.
    public static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) bytes"
        case ..<1_000_000: "\((bytes + 500) / 1000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }
}

extension ServerRefusal: SpokenError {
    /// What a person is told; what the server says is shown as its words.
    public var sentence: String {
        let said = reason.map { oneLine($0, limit: 200) }.flatMap { $0.isEmpty ? nil : " It says: “\($0)”" } ?? ""
        return meaning + (price.map { " \($0)" } ?? "") + said
    }

    private var meaning: String {
        switch code {
        case .notAllowed:
            "This address is not contacted: only servers of the open web over https are, and servers of your own "
                + "network that you add here yourself."
        case .unreachable: "The server does not answer."
        case .timedOut: "The server took too long."
        case .redirected: "The server redirects elsewhere, and Linnet does not follow that."
        case .brokenOff: "The connection broke off."
        case .malformed: "The server does not understand the request."
        case .unauthorized: "The server did not accept the signature."
        case .paymentRequired: "The server wants to be paid first."
        case .forbidden: "The server does not take files from you."
        case .notThere: "The server has no such file, or cannot do this."
        case .conflict: "The file arrived changed."
        case .tooLarge: "The file is too large for this server."
        case .wrongType: "The server does not take files of this type."
        case .tooMany: "The server asks to slow down."
        case .failed: "The server failed."
        case .wrongHash: "The server says it has a different file from the one that was sent, so it is not believed."
        case .wrongAnswer: "The server's answer makes no sense."
        }
    }

    /// What it costs, as far as the server says.
    private var price: String? {
        if let invoice {
            // What is no invoice names no price.
            if let amount = (try? LightningInvoice(invoice))?.millisatoshis {
                return amount % 1000 == 0 ? "Price: \(amount / 1000) sats." : "Price: \(amount) thousandths of a sat."
            }
            return "Price: " + oneLine(invoice, limit: 80)
        }
        return cashu.map { "Price (Cashu): " + oneLine($0, limit: 80) }
    }
}
