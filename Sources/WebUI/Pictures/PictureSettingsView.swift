internal import ViewModels

/// What is to be known and chosen about pictures of others.
struct PictureSettingsView {
    let page: PictureSettings
    let token: FormToken
}

/// The main column of the settings of pictures.
func pictureSettingsView(_ view: PictureSettingsView) -> HTML {
    let page = view.page
    return """
        <div class="head"><a class="back" href="/settings" aria-label="Settings">\(icon(.back))</a><h1>Pictures of others</h1></div>
        <form class="sheet" method="post" action="/settings/pictures">\(view.token.field)
        <label class="check"><input type="checkbox" name="fetched" value="1" aria-describedby="fetched-hint"\(flag: "checked", if: page.isFetched)><span>Fetch pictures, emoji, films and sounds through this Linnet</span></label>
        <p class="hint" id="fetched-hint">Servers then learn the address of the machine Linnet runs on, and nothing of your browser. Each picture is fetched once, made small and kept here. Films and sounds are passed on while you play them, and not kept; live streams still come from their servers, and a film that comes as a list of pieces does not play.\(if: page.loadsNothing, " <a href=\"/settings\">Your settings</a> load nothing from elsewhere, so nothing is fetched.")</p>
        <div class="field"><label for="limit">Keep at most, in MB</label><input id="limit" name="limit" type="number" min="\(page.least)" max="\(page.most)" value="\(page.limit)" inputmode="numeric" required aria-describedby="limit-hint"><p class="hint" id="limit-hint">When there is no more room, what you have not looked at for longest goes first.</p></div>
        <p class="sheet-end"><button class="button">Save</button></p>
        </form>
        <section class="sheet" aria-labelledby="kept-title"><h2 id="kept-title">What is kept</h2>
        <p>\(page.used)</p>
        \(some: page.found, { "<p>\($0)</p><p class=\"hint\">Pictures, films and sounds that their first server lost.</p>" })
        <form method="post" action="/settings/pictures/clear">\(view.token.field)<p class="sheet-end"><button class="button quiet"\(flag: "disabled", if: page.isEmpty)>Delete them all</button></p></form></section>
        """
}
