/// Words of other programs for the names of effects, transitions and modes. The command, C and Python accept them in place of
/// the names; errors and results state the name.
public enum Synonyms {
    /// The words of each name, in the order of the help.
    ///
    /// A mode has words of the same meaning only: CSS's `fit` values, the edge modes of libvips, OpenGL and SciPy. SciPy's and
    /// OpenCV's `reflect` repeats the pixel at the edge, as ``EdgeMode/mirror`` does. An effect or transition has the words
    /// under which its users look for it.
    public static let words: KeyValuePairs<String, [String]> = [
        "redact": ["pixelate", "mosaic"],
        "disc": ["bokeh", "lens-blur"],
        "motion": ["motion-blur", "directional"],
        "zoom": ["zoom-blur", "radial"],
        "tilt-shift": ["miniature"],
        "material-regular-light": ["frosted", "frosted-glass", "acrylic"],
        "dissolve": ["fade", "crossfade"],
        "mirror": ["reflect", "symmetric"],
        "reflect-101": ["reflect101", "reflect_101"],
        "repeat": ["wrap", "tile"],
        "clamp": ["extend", "nearest", "replicate", "copy"],
        "aspect-fit": ["fit", "contain"],
        "aspect-fill": ["cover"],
        "scale-to-fill": ["stretch"],
    ]

    private static let names = Dictionary(
        uniqueKeysWithValues: words.flatMap { name, words in words.map { ($0, name) } })

    /// Returns the name that a word stands for, if it is among the given names; otherwise the word.
    package static func name(for word: String, among known: some Sequence<String>) -> String {
        guard let name = names[word], known.contains(name) else { return word }
        return name
    }

    /// Returns text about the words for the given names, such as "reflect for mirror, wrap for repeat"; nil if there are none.
    package static func list(for known: [String]) -> String? {
        let parts = words.filter { known.contains($0.key) }
            .map { "\($0.value.joined(separator: " or ")) for \($0.key)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
