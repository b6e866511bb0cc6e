internal import NostrCore
internal import ViewModels

/// A poll on a page of its own: the question, how it stands with whose votes, and a vote.
struct PollPageView {
    let note: NoteItem
    /// How it stands by the votes that are looked at; `nil` where it is answered by paying.
    let count: PollCount?
    let problem: String?
    let token: FormToken
    let style: NoteStyle

    fileprivate var path: Path { "/polls/\(note.id)" }
}

/// The main column of a poll's page.
func pollPageView(_ view: PollPageView) -> HTML {
    let thread: Path = "/note/\(view.note.id)"
    return """
        <div class="head"><a class="back" href="/home" data-back aria-label="Back">\(icon(.back))</a><h1>Poll</h1></div>
        \(problemLine(view.problem))
        <form class="feed" method="post" action="\(view.path)/vote" data-plain>\(noDefaultButton)\(view.token.field)\(hidden("back", view.path.text))
        \(NoteMarkup(note: view.note, style: view.style).article())
        </form>
        \(pollOutcome(view))
        <p class="strip"><a href="\(thread)">Show what was said about it</a></p>
        """
}

/// How a poll stands, whatever the settings hide: who opens this page asked for it.
private func pollOutcome(_ view: PollPageView) -> HTML {
    guard case .poll(let poll) = view.note.content, let count = view.count else { return HTML() }
    return """
        <section class="sheet poll" aria-labelledby="poll-results"><h2 id="poll-results">Results</h2>
        <nav class="pills" aria-label="Whose votes count">\(each: count.entries, { pollVotersLink($0, view) })</nav>
        \(some: count.explanation, { "<p class=\"hint\">\($0)</p>" })\(pollResults(poll, count.results))
        <p class="hint">\(count.standingWords(now: view.style.now))</p></section>
        """
}

private func pollVotersLink(_ entry: PollCount.Entry, _ view: PollPageView) -> HTML {
    let page: Path = view.path.with("of", entry.choice.word)
    return """
        <a class="button quiet small" href="\(page)"\(if: entry.isCurrent, " aria-current=\"true\"")><span dir="auto">\(entry.title)</span></a>
        """
}

/// A page to make a poll on.
struct PollFormView {
    let form: PollForm
    /// How many fields for answers there are.
    let rows: Int
    let problem: String?
    let canSign: Bool
    let token: FormToken
}

/// The main column of a page to make a poll on.
func pollFormView(_ view: PollFormView) -> HTML {
    let form = view.form
    return """
        <div class="head"><h1>New poll</h1></div>
        \(if: !view.canSign, "<p class=\"strip\">This account can only read, so it cannot write.</p>")
        <form class="sheet" method="post" action="/compose/poll">\(noDefaultButton)\(view.token.field)\(hidden("rows", String(view.rows)))
        \(problemLine(view.problem))
        <div class="field"><label for="poll-question">Your question</label><textarea id="poll-question" name="question" rows="3" dir="auto" required>\(form.question)</textarea></div>
        <fieldset class="poll-options"><legend>Answers</legend>\(each: Array(0..<view.rows), { pollOptionField($0, view) })</fieldset>
        \(if: view.rows < PollForm.most, "<p><button class=\"button quiet small\" name=\"do\" value=\"more\" formnovalidate>More answers</button></p>")
        <fieldset class="choices stacked"><legend>People may choose</legend>\(settingsChoice("choice", value: "single", label: "One answer", isChosen: !form.isMultiple))\(settingsChoice("choice", value: "multiple", label: "Several answers", isChosen: form.isMultiple))</fieldset>
        <div class="field"><label for="poll-lasting">It lasts</label><select id="poll-lasting" name="lasting">\(each: PollLasting.allCases, { lasting in
            "<option value=\"\(lasting.rawValue)\"\(flag: "selected", if: lasting == form.lasting)>\(lasting.label)</option>"
        })</select></div>
        <p class="sheet-end"><button class="button" name="do" value="publish"\(flag: "disabled", if: !view.canSign)>Publish</button><a class="button quiet" href="/compose">Write a note instead</a><span class="hint">A poll cannot be changed once it is published.</span></p>
        </form>
        """
}

private func pollOptionField(_ number: Int, _ view: PollFormView) -> HTML {
    let text = view.form.options.indices.contains(number) ? view.form.options[number] : ""
    return """
        <div class="field"><label for="poll-option-\(number)">Answer \(number + 1)\(if: number > 1, " (optional)")</label><input id="poll-option-\(number)" name="option-\(number)" value="\(text)" maxlength="200" dir="auto"></div>
        """
}

/// What stands beside a page to make a poll on.
let pollFormAside: HTML = """
    <section class="side"><h2>Before you publish</h2><p>A poll is public and signed by you, and so is every vote: all can see who chose what.</p><p>Votes gather at the relays you write on. Each person has one vote and can change it until the end.</p></section>
    """
