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

/// A person's picture over the feathers drawn from their key.
///
/// - Parameter isLazy: whether the browser may load it when it comes into view.
func avatar(
    _ person: PersonItem, _ size: AvatarSize, _ style: NoteStyle, isOwn: Bool = false, isLazy: Bool = false
) -> HTML {
    frame(portrait(person, side: size.rawValue, style, isOwn: isOwn, isLazy: isLazy), size)
}

/// The feathers drawn from a key alone, or over them the picture of the person where they are known.
func avatar(
    _ key: PublicKey, _ person: PersonItem?, _ size: AvatarSize, _ style: NoteStyle, isOwn: Bool = false,
    isLazy: Bool = false
) -> HTML {
    if let person { return avatar(person, size, style, isOwn: isOwn, isLazy: isLazy) }
    return feathers(of: key, size, isLazy: isLazy)
}

/// The feathers drawn from a key.
func feathers(of key: PublicKey, _ size: AvatarSize, isLazy: Bool = false) -> HTML {
    frame(drawn(key, side: size.rawValue, isLazy: isLazy), size)
}

/// The pictures of a person without the frame around them.
func portrait(
    _ person: PersonItem, side: Int, _ style: NoteStyle, isOwn: Bool, isLazy: Bool = false,
    isPictureLazy: Bool = false
) -> HTML {
    """
    \(drawn(person.key, side: side, isLazy: isLazy))\(some: style.picture(of: person, isOwn: isOwn), { picture in
        """
        <img src="\(picture)" alt="" width="\(side)" height="\(side)"\(if: isLazy || isPictureLazy, lazy)>
        """
    })
    """
}

private let lazy: HTML = " loading=\"lazy\""

private func drawn(_ key: PublicKey, side: Int, isLazy: Bool) -> HTML {
    """
    <img src="/avatar/\(key.hex).svg" alt="" width="\(side)" height="\(side)"\(if: isLazy, lazy)>
    """
}

private func frame(_ pictures: HTML, _ size: AvatarSize) -> HTML {
    var html: HTML = "<span class=\""
    html.append(literal: size.cssClass)
    html.append("\">\(pictures)</span>")
    return html
}
