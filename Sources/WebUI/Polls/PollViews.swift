internal import NostrCore
internal import ViewModels

/// Comes first in a form with many buttons: Enter in one of its fields presses the first button there is, and must not
/// do something with the first note.
///
/// It closes a dialog that is not there: nothing happens.
let noDefaultButton: HTML = "<button hidden formmethod=\"dialog\"></button>"

/// A poll under the question of its note: answers to choose from, or how it stands.
///
/// - Parameter isCard: whether it stands in small inside something else; then nothing is chosen there.
func pollView(_ poll: PollItem, _ style: NoteStyle, isCard: Bool = false) -> HTML {
    let isOpen = style.canSign && !isCard && !poll.hasEnded(at: style.now)
    let showsResults = poll.hasVoted || poll.hasEnded(at: style.now) || !style.hidesPollResults
    let page: Path = "/polls/\(poll.id)"
    return """
        <div class="poll" role="group" data-poll="\(poll.id.hex)" aria-label="Poll">\(if: poll.isRefused, "<p class=\"problem\" role=\"alert\">\(PollWords.refused)</p>")\(if: poll.isOnItsWay, "<p class=\"hint\">\(PollWords.onItsWay)</p>")\(if: showsResults, pollResults(poll, poll.results))\(if: isOpen, pollVoting(poll))\(if: !isOpen && !showsResults, pollAnswers(poll))<p class="hint">\(pollStanding(poll, style)) · <a href="\(page)">\(if: showsResults, "Details", else: "Results")</a></p></div>
        """
}

private func pollStanding(_ poll: PollItem, _ style: NoteStyle) -> HTML {
    let words: HTML = "\(poll.standingWords(now: style.now))"
    return poll.endsAt.map { end -> HTML in "<span title=\"\(utc(end))\">\(words)</span>" } ?? words
}

/// The answers as fields; a vote that was cast can be changed below how the poll stands.
private func pollVoting(_ poll: PollItem) -> HTML {
    poll.hasVoted
        ? "<details class=\"poll-change\"><summary>Change your vote</summary>\(pollFields(poll, "Change vote"))</details>"
        : pollFields(poll, "Vote")
}

/// The fields of a vote, for a form around them that carries the token; each poll's have names of their own.
private func pollFields(_ poll: PollItem, _ verb: HTML) -> HTML {
    let vote: Path = "/polls/\(poll.id)/vote"
    let type: HTML = poll.isMultiple ? "checkbox" : "radio"
    return """
        <fieldset class="poll-fields"><legend class="visually-hidden">\(if: poll.isMultiple, "Choose any", else: "Choose one")</legend>\(each: Array(poll.options.enumerated()), { number, option in
            """
            <label class="poll-field"><input type="\(type)" name="poll-\(poll.id.hex)\(if: poll.isMultiple, "-\(number)")" value="\(option.id)"\(flag: "checked", if: option.isOwn)><span dir="auto">\(option.label)</span></label>
            """
        })</fieldset><p class="poll-acts"><button class="button small poll-vote" formaction="\(vote)">\(verb)</button>\(if: poll.isMultiple, "<span class=\"hint\">You can choose several.</span>")</p>
        """
}

/// The answers as they are, for those who cannot choose here.
private func pollAnswers(_ poll: PollItem) -> HTML {
    "<ul class=\"poll-results\">\(each: poll.options, { "<li class=\"poll-result\"><span dir=\"auto\">\($0.label)</span></li>" })</ul>"
}

/// How a poll stands, a bar for each answer.
func pollResults(_ poll: PollItem, _ results: PollItem.Results) -> HTML {
    """
    <ul class="poll-results">\(each: Array(zip(poll.options, zip(results.votes, results.shares))), { option, counted in
        """
        <li class="poll-result\(if: option.isOwn, " is-own")"><span dir="auto">\(option.label)</span>\(if: option.isOwn, icon(.check, label: "Your choice"))<span class="poll-share">\(counted.1)%<span class="visually-hidden">, \(PollWords.votes(counted.0))</span></span>\(pollBar(counted.1))</li>
        """
    })</ul>
    """
}

/// So many of a hundred as a bar; the number beside it says the same.
private func pollBar(_ share: Int) -> HTML {
    """
    <svg class="poll-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="\(share)" height="4"/></svg>
    """
}

/// A poll that is answered by paying: what was paid for each answer.
func zapPollView(_ poll: ZapPollItem, _ style: NoteStyle) -> HTML {
    """
    <div class="poll" role="group" data-poll="\(poll.id.hex)" aria-label="Poll by payments"><ul class="poll-results">\(each: poll.options, { option in
        """
        <li class="poll-result\(if: option.isConsensus, " is-own")"><span dir="auto">\(option.label)</span><span class="poll-share">\(option.amount) · \(option.share)%</span>\(pollBar(option.share))</li>
        """
    })</ul><p class="hint">\(poll.standingWords(now: style.now))\(some: poll.limits, { " · \($0)" })</p>\(some: poll.consensus, { "<p class=\"hint\">\($0)</p>" })<p class="hint">\(PollWords.payingComes)</p></div>
    """
}

/// The choice in settings of when results are shown.
func pollSettings(isHidden: Bool) -> HTML {
    """
    <fieldset class="choices stacked"><legend>Results of polls</legend>\(settingsChoice("polls", value: "hidden", label: "After you voted", hint: "So that the votes of others do not sway yours. A poll that has ended shows its results too.", isChosen: isHidden))\(settingsChoice("polls", value: "shown", label: "At once", isChosen: !isHidden))</fieldset>
    """
}
