internal import ViewModels

/// The attributes of a page's root that its style sheets and scripts know the look by.
func lookAttributes(_ look: Look) -> HTML {
    " data-scheme=\"\(look.scheme.rawValue)\"\(if: look.motion == .less, " data-motion=\"less\"")"
}

/// What a browser must know before the style sheets are there: whether the page is light, dark, or either.
func lookScheme(_ look: Look) -> HTML {
    let schemes: HTML =
        switch look.scheme {
        case .system: "light dark"
        case .light: "light"
        case .dark: "dark"
        }
    return "<meta name=\"color-scheme\" content=\"\(schemes)\">"
}

/// In which colours a browser or a phone draws what is around the page.
func lookSurroundings(_ look: Look) -> HTML {
    let paper = { (ground: ThemePalette.Ground) in ThemePalette.paper(of: look.theme, on: ground).text }
    return switch look.scheme {
    case .system:
        """
        <meta name="theme-color" content="\(paper(.light))" media="(prefers-color-scheme: light)">
        <meta name="theme-color" content="\(paper(.dark))" media="(prefers-color-scheme: dark)">
        """
    case .light: "<meta name=\"theme-color\" content=\"\(paper(.light))\">"
    case .dark: "<meta name=\"theme-color\" content=\"\(paper(.dark))\">"
    }
}

/// The style sheet of a look, to stand behind all others; nothing for a look that needs none.
func lookSheet(_ look: Look) -> HTML {
    guard let name = look.sheetName else { return HTML() }
    let path: Path = "/theme.css?look=\(name)&v=\(LookSheet.edition)"
    return "<link rel=\"stylesheet\" href=\"\(path)\">\n"
}
