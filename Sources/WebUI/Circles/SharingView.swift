internal import NostrCore
internal import ViewModels

/// How the account's place is shared with a circle: how it stands, and sharing it differently.
func sharingView(_ sharing: SharingItem, _ path: Path, _ token: FormToken, now: Timestamp) -> HTML {
    """
    \(if: sharing.isOn, standingView(sharing, path, token, now: now))
    <details class="sharing-choice"\(flag: "open", if: !sharing.isOn)><summary>\(if: sharing.isOn, "Change sharing", else: "Share where you are")</summary><form class="circle-form" method="post" action="\(path)/sharing/start">\(token.field)<div class="circle-pair"><div class="field"><label for="interval">How often</label><select id="interval" name="interval">\(each: SharingItem.intervals, { seconds in
        option(String(seconds), PlaceWords.interval(seconds), isChosen: seconds == sharing.interval)
    })</select></div><div class="field"><label for="blur">Precision</label><select id="blur" name="blur">\(option("", PlaceWords.blurChoice(nil), isChosen: sharing.blur == nil))\(each: SharingItem.blurs, { metres in
        option(String(metres), PlaceWords.blurChoice(metres), isChosen: metres == sharing.blur)
    })</select></div></div><p><button class="button small">\(if: sharing.isOn, "Save", else: "Share my place")</button></p></form></details>
    """
}

private func standingView(_ sharing: SharingItem, _ path: Path, _ token: FormToken, now: Timestamp) -> HTML {
    """
    <form class="sharing" method="post" action="\(path)/place"\(flag: "data-paused", if: sharing.look == nil) data-interval="\(sharing.look ?? sharing.interval)">\(token.field)<p class="sharing-words"><b>\(if: sharing.isResting, """
        Sharing is paused\(some: sharing.restsUntil, { " until \(moment($0, now: now))" }).
        """, else: """
        You share your place\(PlaceWords.blur(sharing.blur)), \(PlaceWords.interval(sharing.interval)).
        """)</b> <span class="hint">\(some: sharing.toldAt, { "Last taken \(moment($0, now: now))." }) \(if: sharing.waiting > 0, "\(sharing.waiting) waiting.") \(sharing.trouble) \(if: sharing.look != nil, "<span data-sharing-state>Sent while this page is open.</span>")</span></p></form>
    <form class="sharing-acts" method="post" action="\(path)/sharing/now">\(token.field)\(if: sharing.isResting, """
        <button class="button small" formaction="\(path)/sharing/resume">Resume</button>
        """, else: """
        <button class="button quiet small">Send now</button><button class="button quiet small" formaction="\(path)/sharing/rest" name="hours" value="1">Pause for 1 hour</button><button class="button quiet small" formaction="\(path)/sharing/rest" name="hours" value="0">Pause</button>
        """)<button class="button quiet small" formaction="\(path)/sharing/stop">Stop</button></form>
    """
}
