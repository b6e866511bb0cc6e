internal import NostrCore

/// A picture for a key whose owner gave none, or whose picture is not loaded: feathers in the key's own colours.
func identicon(_ key: PublicKey) -> String {
    let bytes = key.bytes
    let ground = grounds[Int(bytes[0]) % grounds.count]
    var svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 48\"><rect width=\"48\" height=\"48\" fill=\"\(ground)\"/>"
    let turn = Int(bytes[1]) * 360 / 256
    let feathers = 3 + Int(bytes[2]) % 3
    for index in 0..<feathers {
        let colour = feathersColours[Int(bytes[4 + index]) % feathersColours.count]
        let angle = turn + index * (120 + Int(bytes[3]) % 60) / max(1, feathers - 1)
        let length = 15 + Int(bytes[12 + index]) % 6
        svg +=
            "<path transform=\"translate(24 28) rotate(\(angle))\" fill=\"\(colour)\" fill-opacity=\".9\" "
            + "d=\"M0 4C-9 -2 -8 \(-length) 0 \(-length - 4)C8 \(-length) 9 -2 0 4Z\"/>"
    }
    return svg + "<circle cx=\"24\" cy=\"28\" r=\"3\" fill=\"#fdf8f0\"/></svg>"
}

private let grounds = ["#e9d8c3", "#dcd9c6", "#d9cfc7", "#e7cfc6", "#cfd6cf", "#d5d0dc", "#ead9b0", "#c9d4d8"]
private let feathersColours = ["#7d4526", "#b3283f", "#55634a", "#a9743f", "#3f5866", "#8c5a6b", "#c98a4b", "#5b4a66"]
