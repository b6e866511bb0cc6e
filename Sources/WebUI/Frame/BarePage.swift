internal import NostrCore
internal import ViewModels

/// A page outside the frame.
struct BarePage {
    let title: String
    let look: Look
    /// The page's script; without scripts it works all the same.
    let script: String?
    /// After how many seconds a browser without scripts asks again.
    let refresh: Int?
    /// The open account, for a script that works for it.
    let account: PublicKey?
    let token: FormToken?
    /// Style sheets besides those of every such page, by name.
    var styles: [String] = []
}

/// A whole page outside the frame, for those who are not in yet.
func barePage(_ page: BarePage, _ main: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en"\(lookAttributes(page.look))>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>\(page.title) · Linnet</title>
    \(lookScheme(page.look))
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="manifest" href="/manifest.webmanifest">
    \(styleSheets(["linnet", "notes", "pages"] + page.styles))\(lookSheet(page.look))
    \(some: page.refresh, { "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>" })
    \(some: page.script, { "<script type=\"module\" src=\"\(Assets.address)/\($0)\"></script>" })
    </head>
    <body\(some: page.account, { " data-csrf=\"\(page.token?.word ?? "")\" data-account=\"\($0.hex)\" data-signer=\"browser\"" })>
    <a class="skip" href="#main">Skip to content</a>
    <div class="bare">
    <header class="bare-head"><a class="brand" href="/">\(bird())<span>Linnet</span></a></header>
    <main id="main" tabindex="-1">
    \(main)
    </main>
    </div>
    </body>
    </html>
    """
}
