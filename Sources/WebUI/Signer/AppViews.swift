internal import ViewModels

/// The letter that stands for an app.
func appMark(_ app: AppItem) -> HTML {
    let initial = String(app.title.first { $0.isLetter || $0.isNumber } ?? "?").uppercased()
    return "<span class=\"app-mark\" aria-hidden=\"true\">\(initial)</span>"
}

/// What an app cannot borrow from another, and whether its name is only what it says itself.
///
/// - Parameter rest: what else stands there.
func appHint(_ app: AppItem, _ rest: HTML = HTML()) -> HTML {
    """
    <span class="hint">\(if: app.isTitleClaimed, "<span class=\"claim\">claims this name</span> · ")\(app.mark)\(rest)</span>
    """
}

/// The page of an app.
func appPath(_ app: String) -> Path { "/signer/app?app=\(app)" }

/// What an app would like to be allowed, each to be ticked; signatures and the reading of what is private are not ticked beforehand.
func wishList(_ wishes: [WishItem]) -> HTML {
    """
    <fieldset class="wish-list"><legend>It asks to do these without asking you</legend>\(each: wishes, wishView)</fieldset>
    """
}

private func wishView(_ wish: WishItem) -> HTML {
    guard wish.canBeTicked else { return "<p class=\"hint\">\(wish.title): you are asked for each relay or site.</p>" }
    return """
        <label class="check"><input type="checkbox" name="grant_\(wish.word)"\(flag: "checked", if: wish.isTicked)><span>\(wish.title)\(if: wish.isDelicate, " <span class=\"claim\">think twice</span>")</span></label>
        """
}

/// How far an app is trusted, to choose from.
func trustChoices(_ choices: [TrustChoice]) -> HTML {
    """
    <fieldset class="choices stacked"><legend>Trust level</legend>\(each: choices, { choice in
        """
        <label class="choice"><input type="radio" name="trust" value="\(choice.word)"\(flag: "checked", if: choice.isChosen)><span class="choice-label">\(choice.title)</span><span class="hint">\(choice.lead)</span></label>
        """
    })</fieldset>
    """
}

/// Where a person writes what they call an app.
func appNameField(_ name: String) -> HTML {
    """
    <div class="field"><label for="app-name">What you call it</label><input id="app-name" name="name" value="\(name)" maxlength="\(AppView.longestName)" autocomplete="off" placeholder="Nobody but you sees this name"></div>
    """
}
