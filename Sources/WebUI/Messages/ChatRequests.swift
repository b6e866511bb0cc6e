internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// What the pages of a conversation and of a circle's chat do alike.
extension ScreenModel where S: ChatScreen {
    /// Opens the stretch that a request names.
    nonisolated func open(_ request: Request) async -> S {
        let form = request.query
        // What names no message is left out; the page then shows the newest.
        return await open(
            before: MessageCursor(mark: form["before"]), isSeen: !isFragment(request) || form.has("seen"),
            draft: MessageDraft(replyTo: try? EventID(hex: form["reply"])))
    }

    /// Opens the chat at its newest message.
    nonisolated func open(
        before cursor: MessageCursor? = nil, isSeen: Bool = true, draft: MessageDraft = MessageDraft()
    ) async -> S {
        await send(S.input(.opened(before: cursor, isSeen: isSeen, draft: draft)))
    }

    /// Sends what was written; a script is told what is wrong with it.
    ///
    /// - Returns: the screen afterwards; it has sent something, keeps it, or says why not.
    nonisolated func send(_ form: Form, _ request: Request) async throws -> S {
        _ = await open()
        let state = await send(S.input(.send(messageDraft(form))))
        if !state.pen.isDone, isFragment(request), let problem = state.pen.problem {
            throw HTTPError(.unprocessableContent, message: problem)
        }
        return state
    }

    /// After an act: the chat as it is now, to a script, or the way back to it.
    nonisolated func answer(
        _ request: Request, at path: Path, _ log: (S) async throws -> HTML
    ) async throws -> Response {
        guard isFragment(request) else { return redirect(to: path) }
        return try await log(await open()).response()
    }
}

extension ChatScreen {
    /// The status of its page.
    var status: HTTPResponse.Status { pen.problem == nil ? .ok : .unprocessableContent }

    /// Refuses to show a script what cannot be read.
    func requireOpen() throws {
        guard access == .open else { throw HTTPError(.conflict, message: ConversationWords.locked) }
    }
}

/// What a posted form says about a message.
func messageDraft(_ form: Form) -> MessageDraft {
    var draft = MessageDraft(
        text: form["text"], mentions: mentionFields(form),
        // What is no message is not answered.
        replyTo: try? EventID(hex: form["reply"]), subject: form["subject"],
        lifetime: MessageLifetime(rawValue: form["lifetime"]))
    draft.file = (form.file("file") ?? form.file("camera")).map {
        OutgoingFile(bytes: $0.bytes, name: $0.name, description: form["alt"])
    }
    // What is no such word tells nothing apart.
    if (try? decodeHex(form["once"], byteCount: 16)) != nil { draft.file?.once = form["once"] }
    return draft
}

/// The hidden field that tells one pressing of Send from another: a file takes a while, and would else go out twice.
func onceField() -> HTML { hidden("once", randomWord(bytes: 16)) }

/// The message that a part of an address names.
func messageID(_ context: WebContext, _ part: String) throws -> EventID {
    guard let id = try? EventID(hex: try context.parameters.require(part)) else {
        throw HTTPError(.notFound, message: ConversationWords.noMessage)
    }
    return id
}
