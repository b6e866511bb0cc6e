/// Colours that go together, as a day and a place would have them.
struct Palette: Sendable {
    /// From the zenith to the horizon.
    var sky: (String, String)
    /// The sun or the moon.
    var light: String
    /// Hills from the farthest to the nearest.
    var land: [String]
    /// Birds: back, wing, breast, beak.
    var plumage: [String]
    /// Whether stars are out.
    var isNight = false

    /// All palettes, in a fixed order.
    static let all: [Palette] = [
        Palette(  // dawn
            sky: ("#f7c9a9", "#fdeed9"), light: "#f28a5b", land: ["#e3b7a0", "#b98b82", "#7d6470", "#45475f"],
            plumage: ["#45475f", "#2f3047", "#f28a5b", "#f6b95d"]),
        Palette(  // marsh
            sky: ("#a9d3d5", "#eef5e8"), light: "#f6d776", land: ["#b4cfb4", "#86ad95", "#4f8077", "#27515a"],
            plumage: ["#27515a", "#183a45", "#e9a15b", "#e2703a"]),
        Palette(  // harbour
            sky: ("#7fb2d9", "#e6f1f6"), light: "#fff3c9", land: ["#a5c3d8", "#6f9cbd", "#3e6f97", "#1f4468"],
            plumage: ["#1f4468", "#142f4c", "#f3f0e4", "#f0a13c"]),
        Palette(  // heather
            sky: ("#c8b6dd", "#f6e7ee"), light: "#ffd9a0", land: ["#c6a9c9", "#9a7cab", "#6a5489", "#3a3560"],
            plumage: ["#3a3560", "#262246", "#e08fa4", "#f2c14e"]),
        Palette(  // forest
            sky: ("#bfd8b8", "#f4f5dc"), light: "#f7e08b", land: ["#a8c69f", "#73a078", "#3f7356", "#1f4a3d"],
            plumage: ["#1f4a3d", "#12322a", "#d9643a", "#f2b749"]),
        Palette(  // autumn
            sky: ("#f1d6a2", "#fbf1dc"), light: "#e9683c", land: ["#dcae6e", "#c07f47", "#8d5335", "#52332b"],
            plumage: ["#52332b", "#38211c", "#c94f2f", "#e9b44c"]),
        Palette(  // winter
            sky: ("#b9cbdc", "#f3f5f7"), light: "#fbe3c0", land: ["#d5dfe8", "#a9bccc", "#74899e", "#3f5268"],
            plumage: ["#3f5268", "#2a394b", "#d8705f", "#e8b75a"]),
        Palette(  // night
            sky: ("#14213d", "#3b4a78"), light: "#f4ecc8", land: ["#34426e", "#27335a", "#1b2545", "#101830"],
            plumage: ["#0c1326", "#1b2545", "#e9b872", "#f4d58d"], isNight: true),
        Palette(  // rose
            sky: ("#f3b6b0", "#fdf0e4"), light: "#e85d75", land: ["#e7a9a0", "#c77d83", "#8d5570", "#4c3a59"],
            plumage: ["#4c3a59", "#332640", "#e85d75", "#f5c26b"]),
        Palette(  // midsummer
            sky: ("#8fd0c9", "#fdf6d8"), light: "#fbd24c", land: ["#b9d98a", "#7fbf6d", "#3f9a68", "#176a5c"],
            plumage: ["#176a5c", "#0e4740", "#f6c445", "#ef7b45"]),
    ]

    static func pick(using dice: inout Dice, night: Bool? = nil) -> Palette {
        let some = all.filter { night == nil || $0.isNight == night }
        return dice.pick(some, or: all[0])
    }
}
