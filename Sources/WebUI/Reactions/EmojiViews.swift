internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// What the pages of emoji are drawn with.
struct EmojiView {
    let token: FormToken
    let style: NoteStyle
    /// Whether the account has lists of its own to change.
    let canChange: Bool
}

/// The account's emoji: packs it uses, packs it made, and what else there is.
func emojiPage(_ page: EmojiPage, problem: String?, _ view: EmojiView) -> HTML {
    """
    <div class="head"><h1>Emoji</h1></div>
    <p class="list-lead">Packs are lists of small pictures with names. What you use here is offered when you write <kbd>:</kbd> and when you react. Which packs you use is public.</p>
    \(problemLine(problem))
    \(packSection("used-title", "Packs you use", page.adopted, nothing: "None yet.", view))
    \(if: !page.missing.isEmpty, missingPacks(page.missing, view))
    \(if: !page.loose.isEmpty, looseEmoji(page.loose, view))
    \(if: !page.own.isEmpty, packSection("own-title", "Packs you made and do not use", page.own, nothing: "", view))
    \(some: page.found, { packSection("found-title", "Packs of people you follow", $0, nothing: "None found yet.", view) })
    \(if: page.found == nil, "<p class=\"list-lead\"><a href=\"/emoji/find\">Find packs of people you follow</a></p>")
    \(if: view.canChange, "\(adoptForm(view))\(makeForm(view))")
    """
}

/// One pack with all of its emoji.
func packPage(_ pack: EmojiPackItem, _ view: EmojiView) -> HTML {
    let author: Path = "/people/\(pack.author.key)"
    return """
        <div class="head"><a class="back" href="/emoji" aria-label="Your emoji">\(icon(.back))</a><h1>\(pack.title)</h1></div>
        <div class="sheet pack"><p class="hint">A pack of emoji by <a href="\(author)">\(pack.author.name)</a>\(if: !pack.about.isEmpty, " · \(pack.about)")</p>
        <ul class="pack-emoji">\(each: pack.emoji, { namedEmoji($0, of: pack, view.style) })</ul>
        \(if: pack.emoji.isEmpty, "<p class=\"hint\">There is no emoji in it.</p>")
        \(packActs(pack, back: pack.code.map { "/emoji/\($0)" }, view))</div>
        """
}

/// A pack among notes; its page says more, and has the button to use it.
func emojiPackCard(_ pack: EmojiPackCard, of note: NoteItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/emoji/\(pack.code)"
    return """
        <div class="card"><p class="card-head"><a class="name" href="\(path)">\(pack.title)</a><span class="hint">\(pack.count) emoji</span></p><p>\(each: pack.emoji, { one in
            "\(emojiView(one, style, loads: { style.loads($0, of: note.author, own: note.isOwn) })) "
        })</p></div>
        """
}

private func packSection(
    _ id: HTML, _ title: HTML, _ packs: [EmojiPackItem], nothing: HTML, _ view: EmojiView
) -> HTML {
    """
    <section class="part" aria-labelledby="\(id)"><h2 class="list-title" id="\(id)">\(title)</h2>
    \(if: packs.isEmpty, "<p class=\"part-empty\">\(nothing)</p>", else: "<ul class=\"rows\">\(each: packs, { packRow($0, view) })</ul>")
    </section>
    """
}

private func packRow(_ pack: EmojiPackItem, _ view: EmojiView) -> HTML {
    let path: Path? = pack.code.map { "/emoji/\($0)" }
    let name: HTML =
        path.map { path -> HTML in "<a class=\"name\" href=\"\(path)\">\(pack.title)</a>" }
        ?? "<span class=\"name\">\(pack.title)</span>"
    return """
        <li class="entry pack-row"><span class="row-words">\(name)<span class="hint">by \(pack.author.name) · \(pack.emoji.count) emoji</span><span class="pack-some" aria-hidden="true">\(each: pack.emoji.prefix(10), { emojiView($0, view.style, loads: loads(of: pack, view.style)) })</span></span>\(packActs(pack, back: nil, view))</li>
        """
}

/// Use it, use it no longer, or change a pack of the account's own.
private func packActs(_ pack: EmojiPackItem, back: Path?, _ view: EmojiView) -> HTML {
    guard view.canChange, let code = pack.code else { return HTML() }
    let action: Path = pack.isAdopted ? "/emoji/leave" : "/emoji/adopt"
    let edit = listPath(.emojiSets, pack.identifier)
    return """
        <form method="post" action="\(action)">\(view.token.field)\(hidden("pack", code))\(some: back, { hidden("back", $0.text) })\(if: pack.isOwn, "<a class=\"button quiet small\" href=\"\(edit)\" aria-label=\"Change \(pack.title)\">Change</a>")\(if: pack.isAdopted, "<button class=\"button quiet small\" aria-label=\"Stop using \(pack.title)\">Stop using</button>", else: "<button class=\"button small\" aria-label=\"Use \(pack.title)\">Use</button>")</form>
        """
}

private func missingPacks(_ codes: [String], _ view: EmojiView) -> HTML {
    """
    <section class="part" aria-labelledby="missing-title"><h2 class="list-title" id="missing-title">On your list, but not found</h2><ul class="rows">\(each: codes, { code in
        """
        <li class="entry"><span class="row-words"><span class="name">\(code.prefix(24))…</span><span class="hint">None of the relays that were asked has it.</span></span>\(if: view.canChange, "<form method=\"post\" action=\"/emoji/leave\">\(view.token.field)\(hidden("pack", code))<button class=\"button quiet small\" aria-label=\"Take \(code.prefix(16)) off the list\">Take off</button></form>")</li>
        """
    })</ul></section>
    """
}

private func looseEmoji(_ emoji: [EmojiItem], _ view: EmojiView) -> HTML {
    let path = listPath(.emojiList, "")
    return """
        <section class="part" aria-labelledby="loose-title"><h2 class="list-title" id="loose-title">Single emoji</h2><ul class="pack-emoji">\(each: emoji, { one in
            "<li>\(emojiView(one, view.style, loads: view.style.loadsOwn))<span class=\"hint\">\(one.content)</span></li>"
        })</ul><p class="list-lead"><a href="\(path)">Change them</a></p></section>
        """
}

private func namedEmoji(_ emoji: EmojiItem, of pack: EmojiPackItem, _ style: NoteStyle) -> HTML {
    "<li>\(emojiView(emoji, style, loads: loads(of: pack, style)))<span class=\"hint\">\(emoji.name)</span></li>"
}

/// A pack in use was chosen by the person; others follow the setting for their makers' media.
private func loads(of pack: EmojiPackItem, _ style: NoteStyle) -> (String) -> Bool {
    { pack.isAdopted ? style.loadsOwn($0) : style.loads($0, of: pack.author, own: pack.isOwn) }
}

private func adoptForm(_ view: EmojiView) -> HTML {
    """
    <form class="sheet" method="post" action="/emoji/adopt">\(view.token.field)<h2>Use a pack</h2>
    <div class="field"><label for="pack">Its address</label><input id="pack" name="pack" autocomplete="off" spellcheck="false" required placeholder="naddr1…"></div>
    <p class="sheet-end"><button class="button">Use it</button></p></form>
    """
}

private func makeForm(_ view: EmojiView) -> HTML {
    """
    <form class="sheet" method="post" action="/emoji">\(view.token.field)<h2>Make a pack</h2>
    <div class="field"><label for="pack-title">Name</label><input id="pack-title" name="title" maxlength="80" required autocomplete="off"></div>
    <div class="field"><label for="pack-about">What it is about</label><input id="pack-about" name="about" maxlength="200" autocomplete="off"></div>
    <p class="sheet-end"><button class="button">Make it</button><span class="hint">Its emoji are added on the next page, each as a :name: and the address of its picture.</span></p></form>
    """
}
