/// A hidden field of a form.
func hidden(_ name: StaticString, _ value: String) -> HTML {
    var html: HTML = "<input type=\"hidden\" name=\""
    html.append(literal: name)
    html.append("\" value=\"\(value)\">")
    return html
}
