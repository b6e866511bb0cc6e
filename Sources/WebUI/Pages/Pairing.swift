internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Waiting for a signer elsewhere: what to show it, how it stands, and in once it has answered.
func addPairing(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let elsewhere = house.elsewhere else { return }
    router.get("/pairing/:id") { _, context in
        let id = try context.parameters.require("id")
        guard let progress = await elsewhere.pairing(id) else { return redirect(to: "/welcome") }
        if case .paired(let key) = progress.step {
            await elsewhere.giveUp(id)
            try context.requireSession().browser.sit(at: Desk(try await house.opening.open(key)))
            return redirect(to: "/home")
        }
        var response = house.bare(
            title: "Your signer", house.templates.render("pairing", try pairingValues(progress, id, context)), context,
            script: "pairing.js", refresh: progress.step.isOver ? nil : 4)
        // The invitation holds a secret.
        response.headers[.cacheControl] = "no-store"
        return response
    }
    router.get("/pairing/:id/step") { _, context in
        let progress = await elsewhere.pairing(try context.parameters.require("id"))
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(string: progress?.step.word ?? "gone")))
    }
    router.post("/pairing/:id/end") { _, context in
        await elsewhere.giveUp(try context.parameters.require("id"))
        return redirect(to: "/welcome")
    }
}

private func pairingValues(
    _ progress: PairingProgress, _ id: String, _ context: WebContext
) throws -> [String: Any] {
    let isInvitation = progress.invitation != nil
    var values: [String: Any] = [
        "id": id, "csrf": try context.requireSession().formToken, "step": progress.step.word,
        "isOver": progress.step.isOver, "sentence": progress.step.sentence(isInvitation: isInvitation),
        "title": progress.step.isOver ? "Not paired" : (isInvitation ? "Invite your signer" : "Asking your signer"),
    ]
    values["invitation"] = progress.invitation
    values["qrHTML"] = progress.invitation.flatMap { qrCode($0, title: "The invitation as a QR code") }
    if case .approval(let page) = progress.step { values["page"] = page }
    return values
}

extension PairingProgress.Step {
    /// The step in one word, by which a script sees that it is another.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .waiting: "waiting"
        case .approval: "approval"
        case .unreachable: "unreachable"
        case .paired: "paired"
        case .failed: "failed"
        }
    }
}

/// What a browser's extension has to sign to prove its key to this session; tells nothing of the session's own secret.
func browserChallenge(_ session: Session) -> String {
    encodeHex(Array(SHA256.hash(data: Array("linnet browser login \(session.formToken.word)".utf8))))
}
