internal import NostrCore

/// A picture for a key whose owner gave none, or whose picture is not loaded: feathers in the key's own colours.
func identicon(_ key: PublicKey) -> HTML {
    let bytes = key.bytes
    let count = 3 + Int(bytes[2]) % 3
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="\(grounds[Int(bytes[0]) % grounds.count])"/>\(each: 0..<count, { feather($0, of: count, key) })<circle cx="24" cy="28" r="3" fill="#fdf8f0"/></svg>
        """
}

private func feather(_ index: Int, of count: Int, _ key: PublicKey) -> HTML {
    let bytes = key.bytes
    let colour = featherColours[Int(bytes[4 + index]) % featherColours.count]
    let angle = Int(bytes[1]) * 360 / 256 + index * (120 + Int(bytes[3]) % 60) / (count - 1)
    let length = 15 + Int(bytes[12 + index]) % 6
    return """
        <path transform="translate(24 28) rotate(\(angle))" fill="\(colour)" fill-opacity=".9" d="M0 4C-9 -2 -8 \(-length) 0 \(-length - 4)C8 \(-length) 9 -2 0 4Z"/>
        """
}

private let grounds = ["#e9d8c3", "#dcd9c6", "#d9cfc7", "#e7cfc6", "#cfd6cf", "#d5d0dc", "#ead9b0", "#c9d4d8"]
private let featherColours = ["#7d4526", "#b3283f", "#55634a", "#a9743f", "#3f5866", "#8c5a6b", "#c98a4b", "#5b4a66"]
