import FrostCLI

/// Builds an SVG document of shapes and text on white. Coordinates are in pixels from the top left corner.
struct SVG {
    enum Anchor: String {
        case start, middle, end
    }

    private let width: Double
    private let height: Double
    private var body = ""

    /// The average width of a character in common typefaces, as a fraction of the font size.
    private static let characterWidth = 0.57

    /// Creates a document with a white background.
    init(width: Double, height: Double, title: String) {
        self.width = width
        self.height = height
        body = "<title>\(Markup.escaped(title))</title>\n"
        body += "<rect width=\"\(Self.n(width))\" height=\"\(Self.n(height))\" rx=\"6\" fill=\"#ffffff\"/>\n"
    }

    var document: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.n(width))\" height=\"\(Self.n(height))\" "
            + "viewBox=\"0 0 \(Self.n(width)) \(Self.n(height))\" "
            + "font-family=\"Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
            + body + "</svg>\n"
    }

    /// Draws a line through the points, dashed or solid.
    mutating func line(_ points: [SIMD2<Double>], color: String, width: Double = 1, dashed: Bool = false) {
        let list = points.map { "\(Self.n($0.x)),\(Self.n($0.y))" }.joined(separator: " ")
        let dashes = dashed ? " stroke-dasharray=\"5 4\"" : ""
        body +=
            "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" "
            + "stroke-width=\"\(Self.n(width))\" stroke-linejoin=\"round\"\(dashes)/>\n"
    }

    mutating func dot(_ center: SIMD2<Double>, color: String) {
        body +=
            "<circle cx=\"\(Self.n(center.x))\" cy=\"\(Self.n(center.y))\" r=\"3.5\" fill=\"\(color)\" "
            + "stroke=\"#ffffff\"/>\n"
    }

    mutating func frame(x: Double, y: Double, width: Double, height: Double, color: String) {
        body +=
            "<rect x=\"\(Self.n(x))\" y=\"\(Self.n(y))\" width=\"\(Self.n(width))\" "
            + "height=\"\(Self.n(height))\" fill=\"none\" stroke=\"\(color)\"/>\n"
    }

    /// Draws a line of text. The point `at` is on the baseline: at the start, middle or end of the text, depending on
    /// `anchor`. If `isUpright` is true, the text runs upwards.
    mutating func text(
        _ text: String, at: SIMD2<Double>, size: Double = 12, color: String = "#24292f", anchor: Anchor = .start,
        isBold: Bool = false, isUpright: Bool = false
    ) {
        let turn = isUpright ? " transform=\"rotate(-90 \(Self.n(at.x)) \(Self.n(at.y)))\"" : ""
        body +=
            "<text x=\"\(Self.n(at.x))\" y=\"\(Self.n(at.y))\" font-size=\"\(Self.n(size))\" "
            + "fill=\"\(color)\" text-anchor=\"\(anchor.rawValue)\"\(isBold ? " font-weight=\"600\"" : "")\(turn)>"
            + Markup.escaped(text) + "</text>\n"
    }

    /// Returns the approximate width of a text in pixels.
    static func width(of text: String, size: Double = 12) -> Double { Double(text.count) * size * characterWidth }

    /// Formats a coordinate with one decimal, because differences below a tenth of a pixel do not matter.
    private static func n(_ value: Double) -> String {
        let text = fixed(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
