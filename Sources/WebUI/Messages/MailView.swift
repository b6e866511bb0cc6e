internal import NostrCore
internal import ViewModels

/// The two columns of a page of messages or circles.
struct MailColumns {
    let section: MailRenderer.Section
    /// Empty where there is none to show.
    let list: HTML
    let main: HTML
    /// Whether a small screen shows what is open, not the list.
    let isOpen: Bool
    let unread: UnreadItem
}

/// Two columns; a script compares what they carry with what it hears.
func mailView(_ mail: MailColumns) -> HTML {
    """
    <div class="mail\(if: mail.isOpen, " is-open")\(if: mail.list.isEmpty, " is-alone")" data-mail\(if: mail.section == .circles, " data-hint=\"linnet:circle\"") data-access="\(mail.unread.access.word)" data-counts="\(mail.unread.known) \(mail.unread.requests)">
    \(if: !mail.list.isEmpty, """
        <section class="mail-side" id="mail-list" aria-label="\(if: mail.section == .circles, "Circles", else: "Conversations")">
        \(mail.list)
        </section>
        """)
    <div class="mail-main">
    \(mail.main)
    </div>
    </div>
    """
}

/// What stands in place of messages that cannot be read now.
struct MessageGate {
    let access: MessageAccess
    /// Whether it stands before circles, not before messages.
    let isOfCircles: Bool
    let key: PublicKey
    let name: String
    /// Where to go on once they can be read.
    let back: Path
    let asksForPassphrase: Bool
    let token: FormToken
}

/// Why messages cannot be read now, and what to do about it; nothing where they can.
func messageGateView(_ gate: MessageGate) -> HTML {
    switch gate.access {
    case .open: HTML()
    case .locked: lockedView(gate)
    case .opening:
        """
        <div class="empty">\(bird(isLooking: true))<h1 class="empty-title">Opening your messages</h1><p>They are being decrypted. This page continues by itself.</p><p><a class="button quiet" href="\(gate.back)">Look again</a></p></div>
        """
    case .noKey:
        """
        <div class="empty">\(bird())<h1 class="empty-title">No key, no messages</h1><p>This account is read-only here. To read and write its private messages, bring its key.</p><p><a class="button" href="/welcome">Bring a key</a></p></div>
        """
    case .damaged(let sentence):
        """
        <div class="empty is-trouble">\(icon(.alert))<h1 class="empty-title">Your messages cannot be read</h1><p>\(sentence)</p></div>
        """
    }
}

private func lockedView(_ gate: MessageGate) -> HTML {
    """
    <section class="sheet narrow mail-gate">\(icon(.lock))<h1>\(gate.isOfCircles ? "Your circles are locked" : "Your messages are locked")</h1><p>They are encrypted on this machine. \(if: gate.asksForPassphrase, "Your passphrase opens them.", else: "Your key is in this system's keyring.")</p>
    <form method="post" action="/welcome/unlock">\(gate.token.field)\(hidden("key", gate.key.hex))\(hidden("back", gate.back.text))\(if: gate.asksForPassphrase, """
        <div class="field"><label for="passphrase">Passphrase of \(gate.name)</label><input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus></div>
        """)<p class="sheet-end"><button class="button">Unlock</button></p></form></section>
    """
}

/// What is wrong with what was written, in a place that a script can fill.
func problemPlace(_ sentence: String?, isScripted: Bool = false) -> HTML {
    """
    <p class="problem" role="alert"\(flag: "data-problem", if: isScripted)\(flag: "hidden", if: sentence == nil)>\(sentence ?? "")</p>
    """
}

/// The first words of a list entry: who it is with, and when something was last said.
func mailRow(
    _ path: Path, pictures: HTML, title: String, moment: HTML?, excerpt: HTML, count: HTML?, isOpen: Bool = false
) -> HTML {
    """
    <li><a class="mail-row\(if: count != nil, " is-unread")" href="\(path)"\(currentPage(isOpen))>\(pictures)<span class="mail-words"><span class="mail-top"><span class="name" dir="auto">\(title)</span>\(moment)</span><span class="mail-bottom"><span class="mail-excerpt" dir="auto">\(excerpt)</span>\(count)</span></span></a></li>
    """
}

/// A count beside an entry, and what it counts for a screen reader; `nil` for none.
func mailCount(_ count: Int, _ words: HTML) -> HTML? {
    guard count > 0 else { return nil }
    return "<b class=\"mail-count\">\(spoken(count: count))<span class=\"visually-hidden\"> \(words)</span></b>"
}

/// Two of a group's people, one over the other.
func groupPicture(_ people: [PersonItem], _ style: NoteStyle) -> HTML {
    "<span class=\"avatars\">\(each: people.prefix(2), { avatar($0, .small, style, loading: .lazyPicture) })</span>"
}
