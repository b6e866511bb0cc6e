internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// A step of the first run, with the way around it.
struct FirstStepsView {
    let steps: FirstRunSteps
    let step: FirstRunSteps.Step
    /// How what the step waits for stands; empty for nothing.
    let status: String
    /// Whether something is still looked for.
    let isWaiting: Bool
    /// What is wrong with what was filled in; empty where its field says so.
    let problem: String?
    let isLocked: Bool
    /// Whether the network is simulated.
    let isDemo: Bool
    let token: FormToken

    var title: String { steps.rows.first { $0.step == step }?.title ?? "" }
    /// The step after this one is the last way on.
    fileprivate var isLast: Bool { step.number == steps.rows.count }
}

/// The body of a step: how far it has come, what to do, and the ways to skip it.
func firstStepsView(_ view: FirstStepsView, _ body: HTML) -> HTML {
    let action: Path = "/start/\(view.step.rawValue)"
    let state: Path = "/start/\(view.step.rawValue)/state"
    return """
        \(if: view.isDemo, "<p class=\"strip\">Simulated Nostr: nothing here leaves this machine.</p>")
        \(stepsList(view))
        <section class="sheet first-step">
        <h1>\(heading(view.step))</h1>
        \(problemLine(view.problem.flatMap { $0.isEmpty ? nil : $0 }))
        \(if: view.isLocked, "<p class=\"problem\">Your key is locked, so nothing can be published. <a href=\"/unlock\">Unlock it</a></p>")
        <p class="hint first-status" id="step-status" role="status">\(view.status)</p>
        <form id="step" method="post" action="\(action)"\(if: view.isWaiting, " data-state=\"\(state)\"")>\(view.token.field)\(body)</form>
        </section>
        <div class="first-ways">
        <form method="post" action="/start/skip">\(view.token.field)\(hidden("step", view.step.rawValue))<button class="button quiet">Skip this step</button></form>
        \(if: !view.isLast, "<form method=\"post\" action=\"/start/leave\">\(view.token.field)<button class=\"button quiet\">Skip everything, go to Home</button></form>")
        </div>
        """
}

private func stepsList(_ view: FirstStepsView) -> HTML {
    """
    <nav class="first-steps" aria-label="Setting up"><p class="first-count">Step \(view.step.number) of \(view.steps.rows.count)</p>
    <ol>\(each: view.steps.rows, { stepMark($0, view) })</ol></nav>
    """
}

private func stepMark(_ row: FirstRunSteps.Row, _ view: FirstStepsView) -> HTML {
    let path: Path = "/start/\(row.step.rawValue)"
    let (state, words): (HTML, HTML) =
        switch row.standing {
        case .done: ("done", ", done")
        case .skipped: ("skipped", ", skipped")
        case .open: ("open", "")
        }
    return """
        <li class="is-\(state)"><a href="\(path)"\(if: row.step == view.step, " aria-current=\"step\"")><span class="first-mark" aria-hidden="true"></span><span class="first-title">\(row.title)<span class="visually-hidden">\(words)</span></span></a></li>
        """
}

private func heading(_ step: FirstRunSteps.Step) -> HTML {
    switch step {
    case .key: "Keep your key safe"
    case .relays: "Choose your relays"
    case .profile: "Say who you are"
    case .people: "Follow people"
    case .topics: "Choose topics"
    case .note: "Say hello"
    }
}

// MARK: The key

/// The key of a new account: encrypted, to be kept elsewhere, and its words.
func keyStepView(_ key: KeysPage, _ token: FormToken) -> HTML {
    var words: [Substring]?
    var encrypted: String?
    switch key.shown {
    case .words(let text): words = text.split(separator: " ")
    case .encrypted(let text): encrypted = text
    case .backup, nil: break
    }
    return """
        <p>Your key is your account: there is no other password, and nobody can reset it. Linnet keeps it here, encrypted. Keep a copy somewhere else too.</p>
        \(some: encrypted, encryptedKey)
        \(some: words, { words in
            """
            <p><strong>Write these words on paper, in this order.</strong> Whoever has them owns your account.</p><ol class="seed-words">\(each: words, { "<li>\($0)</li>" })</ol>
            """
        })
        \(if: key.problem != nil, "<p><a href=\"/start/key\">Show the encrypted key again</a></p>")
        \(if: encrypted == nil && words == nil && key.problem == nil, "<p class=\"hint\">Your key is shown here once. You find it again under <a href=\"/keys\">Keys and backup</a>.</p>")
        \(if: key.custody.hasMnemonic && words == nil, wordsField)
        <details class="first-more"><summary>What others know you by</summary><p class="npub">\(key.key.npub)</p><p class="hint">Your public key. You can give it to anybody.</p></details>
        <p class="sheet-end"><button class="button" name="do" value="next">I have a copy, continue</button></p>
        """
}

private func encryptedKey(_ text: String) -> HTML {
    """
    <div class="field"><label for="ncryptsec">Your key, encrypted with your passphrase</label><textarea id="ncryptsec" class="secret" rows="4" readonly spellcheck="false" autocomplete="off">\(text)</textarea></div>
    <p class="sheet-end"><button class="button quiet" name="do" value="file">Save as a file</button><button class="button quiet" type="button" data-copy="ncryptsec" hidden>Copy</button></p>
    """
}

private var wordsField: HTML {
    """
    <details class="first-more"><summary>Write it down as 12 words instead</summary><div class="field"><label for="words-pass">Passphrase</label><input id="words-pass" name="passphrase" type="password" autocomplete="current-password"></div><p class="sheet-end"><button class="button quiet" name="do" value="words">Show the words</button></p></details>
    """
}

// MARK: Relays

/// Relays to begin with, or what they answered to the list.
func relaysStepView(_ choice: RelaySelection, written: String) -> HTML {
    """
    <p>Relays are servers that keep what you write, and bring you what others write to you. No relay owns your account; three are enough, and you can change them whenever you like.</p>
    \(if: choice.isPublished, publishedRelays(choice), else: relayFields(choice, written))
    """
}

private func relayFields(_ choice: RelaySelection, _ written: String) -> HTML {
    if choice.isSearching { return searching }
    return """
        \(if: !choice.rows.isEmpty, "<ul class=\"plain first-relays\">\(each: Array(choice.rows.enumerated()), relayRow)</ul>")
        <div class="field"><label for="added">Add a relay</label><input id="added" name="added" value="\(written)" maxlength="300" placeholder="wss://relay.example" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="url"></div>
        <p class="sheet-end"><button class="button" name="do" value="publish">\(if: choice.isPublished, "Publish the changed list", else: "Publish these relays")</button>\(if: !choice.isPublished, "<button class=\"button quiet\" name=\"do\" value=\"again\">Search again</button>")</p>
        """
}

private func relayRow(_ place: (offset: Int, element: RelaySelection.Row)) -> HTML {
    let row = place.element
    return """
        <li><input type="hidden" name="relay-\(place.offset)" value="\(row.address)"><span class="first-relay"><span class="relay-name">\(row.name)</span>\(if: !row.facts.isEmpty, "<span class=\"hint\">\(row.facts)</span>")</span><span class="field"><select name="use-\(place.offset)" aria-label="What \(row.name) is for">\(each: OwnRelaysEditor.Use.allCases, { use in
            "<option value=\"\(use.rawValue)\"\(flag: "selected", if: use == row.use)>\(if: use == .none, "not used", else: "\(use.words)")</option>"
        })</select></span></li>
        """
}

private func publishedRelays(_ choice: RelaySelection) -> HTML {
    """
    \(if: !choice.receipts.isEmpty, "<ul class=\"receipt-list\">\(each: choice.receipts, { receiptLine($0) })</ul>")
    <p class="sheet-end"><a class="button" href="/start">Continue</a></p>
    <details class="first-more"\(flag: "open", if: choice.problem != nil)><summary>Change the list</summary>\(relayFields(choice, ""))</details>
    """
}

/// What stands where something is looked for.
private var searching: HTML {
    """
    <p class="first-wait" aria-hidden="true"><span></span><span></span><span></span></p><noscript><p class="hint">This page looks again every few seconds.</p></noscript>
    """
}

// MARK: Profile

/// The fields of a first profile.
func profileStepView(_ form: ProfileForm) -> HTML {
    """
    <p>What people see of you. All of it is public, and all but the name can stay empty.</p>
    \(each: profileFields.filter { ["display_name", "about", "picture", "lud16"].contains($0.name) }, { profileField($0, form) })
    <p class="sheet-end"><button class="button">Save and continue</button></p>
    """
}

// MARK: People

/// People to follow.
func peopleStepView(_ choice: PeopleChoice, _ style: NoteStyle) -> HTML {
    """
    <p>Home shows what the people you follow write. Begin with some, you can stop following anybody at any time.</p>
    \(if: choice.isSearching, searching)
    \(if: !choice.active.isEmpty, peopleGroup("Writing now", choice.active, style))
    \(if: !choice.creators.isEmpty, peopleGroup("People who make Nostr", choice.creators, style))
    \(if: !choice.isSearching, peopleButtons(isEmpty: choice.active.isEmpty && choice.creators.isEmpty))
    """
}

private func peopleButtons(isEmpty: Bool) -> HTML {
    """
    <p class="sheet-end">\(if: !isEmpty, "<button class=\"button\" name=\"do\" value=\"chosen\">Follow those you ticked</button><button class=\"button quiet\" name=\"do\" value=\"all\">Follow everybody here</button>")<button class="button quiet" name="do" value="again">Search again</button></p>
    """
}

private func peopleGroup(_ title: HTML, _ people: [PersonItem], _ style: NoteStyle) -> HTML {
    """
    <fieldset class="first-people"><legend>\(title)</legend>\(each: people, { personChoice($0, style) })</fieldset>
    """
}

private func personChoice(_ person: PersonItem, _ style: NoteStyle) -> HTML {
    """
    <label class="choice first-person"><input type="checkbox" name="follow-\(person.key.hex)" value="1"\(flag: "checked", if: person.isFollowed)>\(avatar(person, .medium, style, loading: .lazy))<span class="first-person-words"><span class="choice-label">\(person.name)</span>\(if: !person.shortAbout.isEmpty, "<span class=\"hint\">\(person.shortAbout)</span>")</span></label>
    """
}

// MARK: Topics

/// Topics to begin with.
func topicsStepView(_ choice: TopicChoice, written: String) -> HTML {
    """
    <p>What you like to read about. Others can see the topics you choose.</p>
    \(if: choice.isSearching, searching)
    \(if: !choice.topics.isEmpty, """
        <fieldset class="first-topics"><legend>Often spoken of</legend>\(each: Array(choice.topics.enumerated()), { topic in
            """
            <label class="check first-topic"><input type="checkbox" name="topic-\(topic.offset)" value="\(topic.element)"><span>#\(topic.element)</span></label>
            """
        })</fieldset>
        """)
    <div class="field"><label for="written">Others</label><input id="written" name="written" value="\(written)" maxlength="300" autocomplete="off" autocapitalize="none" aria-describedby="written-hint"><p class="hint" id="written-hint">With spaces between them.</p></div>
    <p class="sheet-end"><button class="button">Save and continue</button></p>
    """
}

// MARK: The first note

/// The first note, begun.
///
/// - Parameter undo: how long it can be undone.
func noteStepView(_ note: FirstNote, undo: Duration) -> HTML {
    """
    <p>Introduce yourself: people look at <strong>#introductions</strong> to welcome newcomers.</p>
    <div class="field"><label for="text">Your first note</label><textarea id="text" name="text" rows="6" dir="auto" maxlength="\(ComposeState.longest)">\(note.text)</textarea></div>
    <p class="sheet-end"><button class="button">Publish and go to Home</button>\(undoHint(undo))</p>
    """
}

// MARK: A key that was brought

/// What was found of a key that was brought.
func arrivalPageView(_ page: ArrivalPage) -> HTML {
    """
    <section class="sheet first-step"><h1>\(if: page.isOver, "Here is what is yours", else: "Finding what is yours")</h1>
    <p class="hint first-status" id="step-status" role="status">\(page.summary)</p>
    <div id="step"\(if: page.isWaiting, " data-state=\"/arriving/state\"")>
    <ul class="plain first-found">\(each: page.rows, { row in
        "<li class=\"is-\(row.standing.rawValue)\"><span class=\"first-mark\" aria-hidden=\"true\"></span><span class=\"first-title\">\(row.title)</span><span class=\"hint\">\(row.words)</span></li>"
    })</ul>
    \(some: page.progress, { "<progress max=\"\($0.all)\" value=\"\($0.done)\" aria-label=\"Relay lists found\"></progress>" })
    </div>
    <p class="sheet-end"><a class="button" href="/home">Go to Home</a>\(if: !page.isOver, "<span class=\"hint\">The search continues meanwhile.</span>")</p></section>
    """
}
