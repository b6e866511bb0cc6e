internal import NostrCore
internal import ViewModels

/// How complete messages and notifications are, relay by relay.
func inboundView(_ summaries: [InboundSummary], now: Timestamp) -> HTML {
    guard !summaries.isEmpty else { return HTML() }
    return """
        <section aria-labelledby="inbound-title"><h2 class="list-title" id="inbound-title">How complete what reaches you is</h2>
        <ul class="coverage">\(each: summaries, { summary in
            """
            <li class="is-\(standing(summary.relays))"><details><summary><span class="name">\(summary.title)</span><span class="coverage-figure">\(summary.sentence)</span></summary><ul class="plain">\(each: summary.relays, { relayLine($0, now: now) })</ul></details></li>
            """
        })</ul></section>
        """
}

private func standing(_ relays: [InboundItem]) -> HTML {
    let complete = relays.count { $0.isComplete }
    return complete == relays.count ? "full" : (complete > 0 ? "part" : "none")
}

private func relayLine(_ item: InboundItem, now: Timestamp) -> HTML {
    """
    <li class="\(if: item.isComplete, "is-full", else: "is-none")"><a href="\(relayPath(item.address))">\(item.name)</a> \(inboundWords(item, now: now)), \(spoken(count: item.received)) \(if: item.received == 1, "event", else: "events")</li>
    """
}

/// The same for the page of one relay.
func inboundLines(_ summaries: [InboundSummary], at address: String, now: Timestamp) -> HTML {
    let lines = summaries.flatMap { summary in
        summary.relays.filter { $0.address == address }.map { (summary.title, $0) }
    }
    guard !lines.isEmpty else { return HTML() }
    return """
        <section aria-labelledby="inbound-title"><h2 class="list-title" id="inbound-title">What reaches you here</h2><dl class="figures is-wide">\(each: lines, { line in
            "<div><dt>\(line.0)</dt><dd>\(spoken(count: line.1.received))<small> \(inboundWords(line.1, now: now))</small></dd></div>"
        })</dl></section>
        """
}

private func inboundWords(_ item: InboundItem, now: Timestamp) -> HTML {
    "\(item.words)\(some: item.heardUntil, { ", all until \(moment($0, now: now))" })"
}
