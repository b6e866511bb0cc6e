internal import NostrCore
internal import ViewModels

/// How the account's place is shared with a circle: how it stands, and sharing it differently.
func sharingView(_ sharing: SharingItem, _ path: Path, _ token: FormToken, now: Timestamp) -> HTML {
    """
    \(if: sharing.isOn, standingView(sharing, path, token, now: now))
    <details class="sharing-choice"\(flag: "open", if: !sharing.isOn)><summary>\(if: sharing.isOn, "Change sharing", else: "Share your location")</summary><form class="circle-form" method="post" action="\(path)/sharing/start">\(token.field)\(sharingChoices(sharing))<p><button class="button small">\(if: sharing.isOn, "Save", else: "Share my location")</button> <a class="button quiet small" href="\(path)/settings">More settings</a></p></form></details>
    """
}

/// How often and how exactly.
func sharingChoices(_ sharing: SharingItem) -> HTML {
    let intervals = Set(SharingItem.intervals + [sharing.interval]).sorted()
    let blurs = Set(SharingItem.blurs + [sharing.blur].compactMap(\.self)).sorted()
    return """
        <div class="circle-pair"><div class="field"><label for="interval">How often</label><select id="interval" name="interval">\(each: intervals, { seconds in
            option(String(seconds), PlaceWords.interval(seconds), isChosen: seconds == sharing.interval)
        })</select></div><div class="field"><label for="blur">Precision</label><select id="blur" name="blur">\(option("", PlaceWords.blurChoice(nil), isChosen: sharing.blur == nil))\(each: blurs, { metres in
            option(String(metres), PlaceWords.blurChoice(metres), isChosen: metres == sharing.blur)
        })</select></div></div>
        """
}

private func standingView(_ sharing: SharingItem, _ path: Path, _ token: FormToken, now: Timestamp) -> HTML {
    """
    <form class="sharing" method="post" action="\(path)/place"\(flag: "data-paused", if: sharing.look == nil) data-interval="\(sharing.look ?? sharing.interval)"\(attribute: "data-low-battery", sharing.lowBattery.map(String.init))>\(token.field)<p class="sharing-words"><b>\(if: sharing.isResting, """
        Location sharing is paused\(some: sharing.restsUntil, { " until \(moment($0, now: now))" }).
        """, else: """
        Location sharing is on\(PlaceWords.blur(sharing.blur)), \(PlaceWords.interval(sharing.interval))\(if: sharing.isLowPower, ", saving battery").
        """)</b> <span class="hint">\(some: sharing.toldAt, { "Last sent \(moment($0, now: now))." })\(sharing.sent) \(if: sharing.waiting > 0, "\(sharing.waiting) waiting to be sent.") \(sharing.trouble) \(if: sharing.look != nil, "<span data-sharing-state>Sent while this page is open.</span>")</span></p></form>
    <form class="sharing-acts" method="post" action="\(path)/sharing/now">\(token.field)\(if: sharing.isResting, """
        <button class="button small" formaction="\(path)/sharing/resume">Resume</button>
        """, else: """
        <button class="button quiet small">Send now</button><button class="button quiet small" formaction="\(path)/sharing/rest" name="hours" value="1">Pause for 1 hour</button><button class="button quiet small" formaction="\(path)/sharing/rest" name="hours" value="0">Pause</button>
        """)<button class="button quiet small" formaction="\(path)/sharing/stop">Stop</button></form>
    """
}
