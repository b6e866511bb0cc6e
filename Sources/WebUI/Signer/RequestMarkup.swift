internal import NostrCore
internal import ViewModels

/// What a request would do, for people: who asks, what changes, what goes; without the buttons.
///
/// Pages that ask in another way, as for signer links, put their own form below it.
func requestMarkup(_ detail: RequestDetail, _ style: NoteStyle) -> HTML {
    let item = detail.item
    return """
        \(askerView(item, style))
        <h2 class="ask-headline">\(item.headline)\(some: detail.peer, peerLink)</h2>
        \(if: item.needsSecondStep, "<p class=\"revision-alarm\">\(icon(.alert)) \(item.change.loss) would go.</p>")
        \(if: !item.text.isEmpty, textView(item))
        \(if: !item.change.fields.isEmpty, "<dl class=\"fields\">\(each: item.change.fields, fieldView)</dl>")
        \(if: item.change.lostCount > 0, """
            <details class="difference is-lost"\(flag: "open", if: item.needsSecondStep)><summary>\(entries(item.change.lostCount)) would go</summary>\(entryList(detail.lost, more: detail.moreLost, style))</details>
            """)
        \(if: item.change.wonCount > 0, """
            <details class="difference is-won"><summary>\(entries(item.change.wonCount)) would come</summary>\(entryList(detail.won, more: detail.moreWon, style))</details>
            """)
        \(if: !detail.deleted.isEmpty, """
            <section class="difference is-lost"><h3>It asks relays to delete</h3><ul class="rows is-inner">\(each: detail.deleted, { deletedView($0, style) })</ul></section>
            """)
        \(if: item.change.isCompared, comparedView(item.change, style))
        \(reasonView(item))
        \(if: item.sort != .pairing, pairingHint(item))
        \(if: !item.raw.isEmpty, """
            <details class="raw"\(flag: "open", if: item.isUnknownKind)><summary>The event itself</summary><pre tabindex="0" role="group" aria-label="The event as it would be signed"><code>\(item.raw)</code></pre></details>
            """)
        """
}

private func peerLink(_ person: PersonItem) -> HTML {
    let path: Path = "/people/\(person.key)"
    return " <a href=\"\(path)\">\(person.name)</a>"
}

private func textView(_ item: RequestItem) -> HTML {
    let id = item.id.hex
    return """
        <div class="field"><p class="field-label" id="text-\(id)">\(if: item.sort == .encryption, "The text it would encrypt", else: "What it says")</p><p class="ask-text is-whole" role="group" aria-labelledby="text-\(id)">\(item.text)</p></div>
        """
}

private func fieldView(_ field: RequestItem.FieldItem) -> HTML {
    let before = field.before ?? ""
    let after = field.after ?? ""
    return """
        <div><dt>\(field.name)</dt><dd>\(if: before.isEmpty, "<span class=\"hint\">not there now</span>", else: "<del><span class=\"visually-hidden\">now: </span>\(before)</del>")\(if: after.isEmpty, "<span class=\"hint\">would be gone</span>", else: "<ins><span class=\"visually-hidden\">then: </span>\(after)</ins>")</dd></div>
        """
}

private func entries(_ count: Int) -> HTML { count == 1 ? "1 entry" : "\(count) entries" }

private func entryList(_ list: [ListEntry], more: Int, _ style: NoteStyle) -> HTML {
    """
    <ul class="rows is-inner">\(each: list, { "<li class=\"entry\">\(listEntryView($0, style))</li>" })\(if: more > 0, "<li class=\"entry hint\">and \(more) that Linnet cannot name</li>")</ul>
    """
}

private func deletedView(_ item: RequestDetail.DeletedItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/note/\(item.id)"
    return """
        <li class="entry"><span class="row-words"><a class="name" href="\(path)">\(item.excerpt.isEmpty ? item.sort : item.excerpt)</a><span class="hint">\(item.sort) · \(moment(item.moment, now: style.now))</span></span></li>
        """
}

private func comparedView(_ change: RequestItem.ChangeItem, _ style: NoteStyle) -> HTML {
    """
    <p class="hint">\(if: change.isFresh, "Compared with the version your relays have now", else: "Your relays could not be asked just now; compared with the newest version known here")\(some: change.currentFrom, { ", of \(moment($0, now: style.now))" }).</p>
    """
}
