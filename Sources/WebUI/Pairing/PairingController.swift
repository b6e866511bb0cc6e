internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Waiting for a signer elsewhere: what to show it, how it stands, and in once it has answered.
struct PairingController {
    let pages: PageRenderer
    let elsewhere: any SigningElsewhere
    let opening: any AccountOpening

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/pairing/:id", use: show)
        router.get("/pairing/:id/step", use: step)
        router.post("/pairing/:id/end", use: end)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let session = try context.requireSession()
        guard let progress = await elsewhere.pairing(id) else { return redirect(to: "/welcome") }
        if case .paired(let key) = progress.step {
            await elsewhere.giveUp(id)
            session.browser.open(try await opening.open(key))
            return redirect(to: "/home")
        }
        var response = pages.bare(
            title: "Your signer", pairingView(id, progress, session.formToken), context, script: "pairing.js",
            refresh: progress.step.isOver ? nil : 4)
        // The invitation holds a secret.
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The step in one word, for the page's script.
    @Sendable private func step(_ request: Request, _ context: WebContext) async throws -> Response {
        let progress = await elsewhere.pairing(try context.parameters.require("id"))
        var response = plainText(progress?.step.word ?? "gone")
        response.headers[.cacheControl] = "no-store"
        return response
    }

    @Sendable private func end(_ request: Request, _ context: WebContext) async throws -> Response {
        await elsewhere.giveUp(try context.parameters.require("id"))
        return redirect(to: "/welcome")
    }
}

extension PairingProgress.Step {
    /// The step in one word, by which a script sees that it is another.
    fileprivate var word: String {
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

/// The body of the page that waits for a signer elsewhere.
func pairingView(_ id: String, _ progress: PairingProgress, _ token: FormToken) -> HTML {
    let step = progress.step
    let isInvitation = progress.invitation != nil
    let end: Path = "/pairing/\(id)/end"
    let title: HTML = step.isOver ? "Not paired" : (isInvitation ? "Invite your signer" : "Asking your signer")
    return """
        <section class="sheet narrow" id="pairing" data-step="\(step.word)"><h1>\(title)</h1>
        <p\(if: step.isOver, " class=\"problem\" role=\"alert\"", else: " role=\"status\"")>\(step.sentence(isInvitation: isInvitation))</p>
        \(approvalLink(step))
        \(some: step.isOver ? nil : progress.invitation, invitationView)
        <form method="post" action="\(end)">\(token.field)<p class="sheet-end"><button class="button quiet">\(if: step.isOver, "Back", else: "Give up")</button></p></form>
        \(if: !step.isOver, "<noscript><p class=\"hint\">This page looks again every few seconds.</p></noscript>")</section>
        """
}

/// The page on which a signer wants to be told yes.
private func approvalLink(_ step: PairingProgress.Step) -> HTML {
    guard case .approval(let page) = step else { return HTML() }
    let link: HTML? = ForeignURL(page).map { url -> HTML in
        """
        <p><a class="button" href="\(url: url)" target="_blank" rel="noopener noreferrer">Open your signer's page</a></p>
        """
    }
    return "\(link)<p class=\"hint\">\(page)</p>"
}

private func invitationView(_ invitation: String) -> HTML {
    """
    \(some: qrCode(invitation, title: "The invitation as a QR code"), { "<div class=\"qr-frame\">\($0)</div>" })
    <div class="field"><label for="invitation">Show this to your signer, and to nobody else</label><textarea id="invitation" class="secret" rows="5" readonly spellcheck="false" autocomplete="off">\(invitation)</textarea></div>
    <p class="sheet-end">\(some: ForeignURL(invitation, schemes: .signer), { "<a class=\"button\" href=\"\(url: $0)\">Open in a signer on this device</a>" })<button class="button quiet" type="button" data-copy="invitation" hidden>Copy</button></p>
    """
}
