internal import ViewModels

/// Where the account writes and reads, to be changed, relay by relay.
struct OwnRelaysForm {
    let editor: OwnRelaysEditor
    /// What went wrong with what was just sent, and what was written then.
    let problem: String?
    let written: String
    let canSign: Bool
    let token: FormToken

    /// The section of the relays page.
    var view: HTML {
        """
        <section aria-labelledby="own-list-title"><h2 class="list-title" id="own-list-title">Where you write and read</h2>
        <p class="list-lead">\(if: editor.isPublished, "Others look for your notes where you write, and send you replies where you read. A relay on this list may ask who you are, and is told.", else: "You have not told others yet where you write and read, so people on other relays cannot find you. These relays are used until you do.")</p>
        <div class="sheet own-list">
        \(each: editor.advice, { "<p class=\"hint\">\($0)</p>" })
        \(some: problem, { "<p class=\"problem\" role=\"alert\" id=\"own-problem\">\($0)</p>" })
        <ul class="plain own-relays">\(each: editor.rows, row)</ul>
        \(if: !editor.isPublished && !editor.rows.isEmpty && canSign, publishForm)
        \(if: canSign, addForm)
        </div></section>
        """
    }

    private func row(_ row: OwnRelaysEditor.Row) -> HTML {
        guard canSign, editor.isPublished else {
            return
                "<li><span class=\"relay-name\">\(row.name)</span> <span class=\"relay-uses\">\(row.use.words)</span>\(some: row.note, { " <span class=\"hint\">\($0)</span>" })</li>"
        }
        return """
            <li><form method="post" action="/relays/own">\(token.field)<input type="hidden" name="relay" value="\(row.address)"><span class="relay-name">\(row.name)</span> \(useChoice(row.use, label: "What \(row.name) is for", uses: OwnRelaysEditor.Use.allCases)) <button class="button quiet" aria-label="Change \(row.name)">Change</button></form></li>
            """
    }

    private func useChoice(_ chosen: OwnRelaysEditor.Use, label: String, uses: [OwnRelaysEditor.Use]) -> HTML {
        """
        <span class="field"><select name="use" aria-label="\(label)">\(each: uses, { use in
            "<option value=\"\(use.rawValue)\"\(flag: "selected", if: use == chosen)>\(use.words)</option>"
        })</select></span>
        """
    }

    private var publishForm: HTML {
        """
        <form method="post" action="/relays/own/publish">\(token.field)<button class="button">Tell others</button></form>
        """
    }

    private var addForm: HTML {
        """
        <form class="add-relay" method="post" action="/relays/own">\(token.field)<div class="field"><label for="own-relay">Add a relay</label><input id="own-relay" name="relay" value="\(written)" maxlength="300" placeholder="wss://relay.example" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="url" required\(if: problem != nil, " aria-invalid=\"true\" aria-describedby=\"own-problem\"")></div>\(useChoice(.both, label: "What it is for", uses: OwnRelaysEditor.Use.allCases.filter { $0 != .none })) <button class="button">Add</button></form>
        """
    }
}
