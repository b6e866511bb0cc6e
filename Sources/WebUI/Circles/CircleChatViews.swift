internal import ViewModels

/// What stands above every page of a circle: its name, its people, and the way to its other pages.
func circleHead(_ state: CircleState, _ item: CircleItem, at tab: CircleTab, _ style: NoteStyle) -> HTML {
    let path: Path = "/circles/\(item.word)"
    let asking = state.asking
    return """
        <header class="talk-head"><a class="back" href="/circles" aria-label="All circles">\(icon(.back))</a>\(circlePicture(item, style))<div class="talk-title"><h1 dir="auto">\(item.name)</h1><p class="handle">\(peopleInARow(item.people))</p></div></header>
        <nav class="circle-tabs" aria-label="This circle"><a href="\(path)"\(currentPage(tab == .chat))>Chat</a><a href="\(path)/map"\(currentPage(tab == .map))>Map</a><a href="\(path)/people"\(currentPage(tab == .people))>People</a><a href="\(path)/invitations"\(currentPage(tab == .invitations))>Invitations\(if: asking > 0, " <b class=\"mail-count\">\(asking)<span class=\"visually-hidden\"> asking to join</span></b>")</a><a href="\(path)/settings"\(currentPage(tab == .settings))>Settings</a></nav>
        \(some: state.warning, { "<p class=\"circle-warning\" role=\"alert\">\($0)</p>" })
        """
}

/// The chat of a circle, and the pen for those who are in it.
func circleChatView(_ state: CircleState, _ item: CircleItem, head: HTML, log: HTML, _ token: FormToken) -> HTML {
    """
    <div class="talk" data-talk="\(state.word)" data-base="/circles" data-hint="linnet:circle">
    \(head)
    \(log)
    \(if: state.canSpeak, penView(Pen(circle: state, item, token)))
    </div>
    """
}

/// One line that is muted, since its reader asked for it.
func unveiledCircleLine(
    _ log: MessageLog, in state: CircleState, head: HTML, ownPictures: Set<String>, _ token: FormToken,
    _ style: NoteStyle
) -> HTML {
    let path: Path = "/circles/\(state.word)"
    let line = log.messages.first.map { "\(path)#m-\($0.id)" as Path } ?? path
    return """
        <div class="talk">
        \(head)
        <div class="circle-page">
        \(unveiledLine("What you muted is shown here.", back: line))
        <form method="post" action="\(path)">\(token.field)
        \(MessageLogView(log: log, path: path, isCircle: true, style: style, ownPictures: ownPictures).list())
        </form>
        </div>
        </div>
        """
}

/// What was said in a circle.
///
/// - Parameter ownPictures: where the pictures of the account's own emoji lie that are drawn in it.
func circleLog(
    _ state: CircleState, ownPictures: Set<String>, _ token: FormToken, _ style: NoteStyle
) -> HTML {
    let log = logView(
        MessageLogView(
            log: state.log, path: "/circles/\(state.word)", isCircle: true, style: style, unsent: state.unsent,
            ownPictures: ownPictures), token,
        label: "Chat", state: state.item?.progress ?? "",
        start: "Only the members of this circle can read what is written here.")
    // An open page has a pen still, and is told that it is to be drawn without.
    return "\(log)\(if: !state.canSpeak, "<span hidden data-over></span>")"
}
