/// A text whose letters all have their usual width, without characters that nobody sees.
///
/// Fullwidth Latin letters and halfwidth Katakana are the same letters to a reader; a space of no width inside a word is
/// there to keep the word from being found. Source: Unicode Standard, block "Halfwidth and Fullwidth Forms".
func widthFolded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if scalar.value < 0x80 {
            folded.append(scalar)
        } else if let mark = voicingMark(scalar), let voiced = voiced(folded.last, by: mark) {
            folded.removeLast()
            folded.append(voiced)
        } else if let usual = usualWidth(scalar) {
            folded.append(usual)
        } else if scalar.properties.generalCategory != .format, scalar.value != 0xFE0F {
            folded.append(scalar)
        }
    }
    return String(folded)
}

private func usualWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x3000: Unicode.Scalar(0x20 as UInt32)
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    case 0xFF61...0xFF9D:
        halfwidth.indices.contains(Int(scalar.value) - 0xFF61) ? halfwidth[Int(scalar.value) - 0xFF61] : nil
    default: nil
    }
}

/// From U+FF61 to U+FF9D.
private let halfwidth = Array(
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
        .unicodeScalars)

/// How far behind its plain letter a voiced one stands: the marks are letters of their own in halfwidth.
private func voicingMark(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar.value {
    case 0xFF9E: 1
    case 0xFF9F: 2
    default: nil
    }
}

private func voiced(_ letter: Unicode.Scalar?, by distance: UInt32) -> Unicode.Scalar? {
    guard let value = letter?.value else { return nil }
    let isVoiced: Bool =
        switch value {
        case 0x30AB...0x30C2: distance == 1 && value % 2 == 1
        case 0x30C4, 0x30C6, 0x30C8: distance == 1
        case 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB: true
        default: false
        }
    return isVoiced ? Unicode.Scalar(value + distance) : nil
}
