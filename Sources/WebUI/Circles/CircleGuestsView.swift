internal import NostrCore
internal import ViewModels

/// Guest links on the page of a circle's settings.
///
/// - Parameter page: the page that a new one opens, if nothing else is typed.
func guestsSection(_ settings: CircleSettingsItem, _ page: String, _ frame: CirclePageFrame) -> HTML {
    let guests = settings.guests
    return """
        <section aria-labelledby="guests"><h2 id="guests">Guest links</h2><p>Somebody without Linnet sees your location in a browser for a while, as this circle does: with its precision and its pauses. They see nothing of the circle.\(if: !settings.sharing.isOn, " You are not sharing your location now; they see it once you do.")</p>\(each: guests, { guestLinkView($0, frame) })<details\(flag: "open", if: guests.isEmpty)><summary>New guest link</summary>\(frame.form("guests", """
            <div class="circle-pair"><div class="field"><label for="guest-hours">It works for</label><select id="guest-hours" name="hours">\(each: GuestLinkItem.hours, { hours in
                option(String(hours), GuestWords.lifetime(hours: hours), isChosen: hours == 1)
            })</select></div><div class="field"><label for="guest-note">Who it is for (only you see this)</label><input id="guest-note" name="note" maxlength="80" autocomplete="off"></div></div><div class="field"><label for="guest-page">Page it opens</label><input id="guest-page" name="page" type="url" value="\(page)" required autocomplete="off" spellcheck="false"></div><p class="hint">Your guest must be able to reach it; the address you use now may be known to this machine only. The page of any other Linnet will do: its server learns nothing of the link. Whoever is given the link can pass it on.</p><p><button class="button small">Make a guest link</button></p>
            """))</details></section>
        """
}

private func guestLinkView(_ guest: GuestLinkItem, _ frame: CirclePageFrame) -> HTML {
    let field = "guest-link-\(guest.id)"
    return """
        <div class="guest-link"><h3 dir="auto">\(guest.name)</h3>\(if: guest.isRevoked, """
            <p>Taken back; guests are told nothing more. A relay has not answered yet that it deleted the location, and is asked again.</p>
            """, else: """
            <p>Ends \(fullMoment(guest.endsAt)). <span class="hint">\(some: guest.shownAt, { "Location last sent \(moment($0, now: frame.style.now))." })\(if: guest.shownAt == nil, "No location was sent for it yet.")</span></p><div class="field"><label for="\(field)">Link</label><textarea id="\(field)" rows="3" readonly spellcheck="false">\(guest.address)</textarea></div><div class="guest-acts"><button class="button quiet small" type="button" data-copy="\(field)" hidden>Copy</button><details><summary>Code to scan</summary><div class="circle-code">\(qrCode(guest.address, title: "Guest link"))</div></details>\(frame.form("guests/revoke", "\(hidden("link", guest.id))<button class=\"button quiet small\">Take it back</button>"))</div>
            """)</div>
        """
}
