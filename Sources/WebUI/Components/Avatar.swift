internal import NostrCore
internal import ViewModels

/// How large a person's picture is.
enum AvatarSize: Int {
    case tiny = 20
    case small = 32
    case medium = 44
    case large = 96

    /// The class that the style sheet knows it by.
    fileprivate var cssClass: StaticString {
        switch self {
        case .tiny: "avatar tiny"
        case .small: "avatar small"
        case .medium: "avatar"
        case .large: "avatar large"
        }
    }
}

/// What of an avatar the browser may load only when it comes into view.
enum AvatarLoading {
    /// Nothing.
    case eager
    /// The person's own picture, which may come from elsewhere.
    case lazyPicture
    /// Both pictures.
    case lazy
}

/// A person's picture over the feathers drawn from their key.
func avatar(
    _ person: PersonItem, _ size: AvatarSize, _ style: NoteStyle, isOwn: Bool = false, loading: AvatarLoading = .eager
) -> HTML {
    frame(portrait(person, side: size.rawValue, style, isOwn: isOwn, loading: loading), size)
}

/// The feathers drawn from a key alone, or over them the picture of the person where they are known.
func avatar(
    _ key: PublicKey, _ person: PersonItem?, _ size: AvatarSize, _ style: NoteStyle, isOwn: Bool = false,
    loading: AvatarLoading = .eager
) -> HTML {
    if let person { return avatar(person, size, style, isOwn: isOwn, loading: loading) }
    return feathers(of: key, size, loading: loading)
}

/// The feathers drawn from a key.
func feathers(of key: PublicKey, _ size: AvatarSize, loading: AvatarLoading = .eager) -> HTML {
    frame(drawn(key, side: size.rawValue, loading), size)
}

/// The pictures of a person without the frame around them.
func portrait(
    _ person: PersonItem, side: Int, _ style: NoteStyle, isOwn: Bool, loading: AvatarLoading = .eager
) -> HTML {
    """
    \(drawn(person.key, side: side, loading))\(some: style.picture(of: person, isOwn: isOwn, side: side), { picture in
        """
        <img src="\(picture)" alt="" width="\(side)" height="\(side)"\(if: loading != .eager, lazy)>
        """
    })
    """
}

private let lazy: HTML = " loading=\"lazy\""

private func drawn(_ key: PublicKey, side: Int, _ loading: AvatarLoading) -> HTML {
    """
    <img src="/avatar/\(key.hex).svg" alt="" width="\(side)" height="\(side)"\(if: loading == .lazy, lazy)>
    """
}

private func frame(_ pictures: HTML, _ size: AvatarSize) -> HTML {
    var html: HTML = "<span class=\""
    html.append(literal: size.cssClass)
    html.append("\">\(pictures)</span>")
    return html
}
