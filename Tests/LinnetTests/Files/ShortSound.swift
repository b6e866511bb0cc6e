/// A WAV file of eight values that tells nothing but what is heard: fit to be published as it is.
let shortSound =
    "RIFF,\0\0\0WAVEfmt \u{10}\0\0\0" + "\u{1}\0\u{1}\0" + "@\u{1F}\0\0" + "@\u{1F}\0\0" + "\u{1}\0\u{8}\0"
    + "data\u{8}\0\0\0abcdefgh"
