internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// What the pages of the signer share: the signer of the open account, and the tabs above.
struct SignerPages: Sendable {
    let pages: PageRenderer
    let signers: any SignerHosting

    /// The signer of the open account, for a person who typed the passphrase that a form brings, if any.
    func service(_ context: WebContext) async throws -> AccountSigner {
        guard let service = await signers.signer(of: try context.requireAccount().publicKey) else {
            throw HTTPError(.notFound, message: SignerWords.noSigner)
        }
        return service.typing(context.form["passphrase"])
    }

    /// A page of the signer: its tabs above, never cached.
    ///
    /// - Parameter back: the page it belongs under, for a page that is no tab's own.
    func page(
        _ title: String, at tab: SignerTab, back: Path? = nil, _ body: HTML, _ request: Request, _ context: WebContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let waiting = await BacklogItem.load(of: try await service(context)).count
        return try await pages.page(
            title: title, at: .signer, signerView(title, at: tab, back: back, waiting: waiting, body),
            beside: signerAside, request: request, context: context, status: status)
    }
}

/// The pages of the signer, as its tabs name them.
enum SignerTab: CaseIterable {
    case waiting, apps, connect, activity, relays, settings

    fileprivate var title: HTML {
        switch self {
        case .waiting: "Pending"
        case .apps: "Apps"
        case .connect: "Connect"
        case .activity: "Activity"
        case .relays: "Relays"
        case .settings: "Settings"
        }
    }

    fileprivate var path: Path {
        switch self {
        case .waiting: "/signer"
        case .apps: "/signer/apps"
        case .connect: "/signer/connect"
        case .activity: "/signer/activity"
        case .relays: "/signer/relays"
        case .settings: "/signer/settings"
        }
    }
}

private func signerView(_ title: String, at tab: SignerTab, back: Path?, waiting: Int, _ body: HTML) -> HTML {
    """
    <div class="head">\(some: back, { "<a class=\"back\" href=\"\($0)\" aria-label=\"Back\">\(icon(.back))</a>" })<h1>\(title)</h1></div>
    <nav class="signer-tabs" aria-label="Signer"><ul>\(each: SignerTab.allCases, { each in
        """
        <li><a href="\(each.path)"\(currentPage(each == tab))>\(each.title)\(if: each == .waiting, """
            <b class="tab-badge" data-signer-badge\(flag: "hidden", if: waiting == 0)><i data-count>\(waiting)</i><span class="visually-hidden"> to approve</span></b>
            """)</a></li>
        """
    })</ul></nav>
    \(body)
    """
}

private let signerAside: HTML = """
    <section class="side"><h2>One key, many apps</h2><p>Apps never get your key. They ask, Linnet signs what you allow, and every request stands in the <a href="/signer/activity">activity log</a>.</p></section>
    <section class="side"><h2>Names are claims</h2><p>Anybody can call their app anything. What is marked “claims” was said by the app itself. Give your apps names of your own.</p></section>
    <section class="side" data-notify hidden><h2>When you look elsewhere</h2><p>This browser can tell you when a request is pending. It never says what is asked.</p><p><button class="button quiet small" type="button" data-notify-ask>Notify me</button></p></section>
    """
