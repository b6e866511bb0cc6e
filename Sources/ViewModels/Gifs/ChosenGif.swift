public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A GIF that was chosen for a note: brought to the person's media servers, or left where it was found.
public struct ChosenGif: Hashable, Sendable {
    /// What the note says of it.
    public let attachment: Tag
    /// Why it stays where it was found; `nil` where it was brought.
    public let notice: String?

    /// How long a page waits until a server has it.
    private static let patience = Duration.seconds(30)

    /// Brings a GIF to the person's media servers, in the way of every file.
    ///
    /// Where that fails the note names where it was found; what is no GIF, or another file, is not taken at all.
    ///
    /// - Parameter tag: what a page said of it: an `imeta` tag.
    /// - Throws: a ``Trouble``.
    public static func load(_ tag: Tag, of account: any Account) async throws(Trouble) -> ChosenGif {
        guard let gifs = account.gifs else { throw Trouble(GifWords.none, canRetry: false) }
        guard
            let item = MediaAttachment(tag).flatMap({ file in
                GifItem(Gif(file, title: file.description ?? "", source: .relays))
            }), let file = MediaAttachment(item.tag)
        else { throw Trouble(GifWords.unknown, canRetry: false) }
        let gif = Gif(file, title: item.title, source: .relays)
        let original = ChosenGif(attachment: item.tag, notice: GifWords.notBrought)
        do {
            let intake = try await gifs.download(gif)
            let chosen = NewFiles.Chosen(
                intake, name: item.title + ".gif", type: FileMetadata.gifType, description: item.title)
            let ids = try await NewFiles.add([chosen], of: account).map(\.id)
            guard let brought = try await account.files?.wait(for: ids, atMost: patience) else { return original }
            if let attachment = brought.map(UploadItem.init).compactMap(\.attachment).first {
                return ChosenGif(attachment: attachment, notice: nil)
            }
            // The note does not wait for it any longer, so it is not brought later either.
            for id in ids { try? await account.files?.cancel(id) }
            return original
        } catch let problem as GifProblem where problem != .notThere {
            throw Trouble(problem.sentence, canRetry: false)
        } catch {
            return original
        }
    }
}

extension ComposeState.Draft {
    /// Puts a GIF into the note; what is wrong, else `nil`.
    public mutating func add(_ gif: ChosenGif) -> String? {
        guard attachments.count < Self.mostFiles else { return ComposeWords.tooManyFiles(Self.mostFiles) }
        attachments.removeAll { $0.mediaAddress == gif.attachment.mediaAddress }
        attachments.append(gif.attachment)
        return nil
    }
}
