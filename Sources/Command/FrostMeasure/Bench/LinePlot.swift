import Frost
import FrostCLI
import Glibc

/// A chart of lines on logarithmic axes, with its legend beside it, as SVG.
struct LinePlot {
    struct Series {
        let name: String
        /// The index of the colour.
        let color: Int
        /// Whether the series is only a reference for the others. It is drawn as a dashed line without dots.
        var isReference = false
        /// The points in any order. Points with a coordinate of 0 or less are not drawn.
        let points: [SIMD2<Double>]
    }

    let title: String
    let subtitle: String
    let xTitle: String
    let yTitle: String
    let series: [Series]

    /// Colours that are distinct for all kinds of colour vision (Okabe and Ito, 2008), darkened for contrast with
    /// white.
    private static let palette = [
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a9bd9", "#6a51a3", "#555555",
    ]

    private static let width = 980.0
    private static let (left, right, top) = (82.0, 660.0, 44.0)
    private static let legendLine = 18.0

    /// The height of the lines' area. The legend fits beside it.
    private var area: Double { max(260, Self.legendLine * Double(series.count)) }

    /// Returns an SVG document with the plots one below the other.
    static func document(heading: String, facts: String, _ plots: [LinePlot]) -> String {
        var y = 80.0
        var groups: [String] = []
        for plot in plots {
            groups.append("<g transform=\"translate(0 \(numberText(y)))\">\n\(plot.content)\n</g>")
            y += top + plot.area + 72
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(numberText(width))" height="\(numberText(y))" \
            viewBox="0 0 \(numberText(width)) \(numberText(y))">
            <title>\(Markup.escaped("\(heading). \(facts)"))</title>
            <style>
            text { font: 12px Inter, "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif; fill: #24292f; }
            .faint { fill: #57606a; } .middle { text-anchor: middle; } .end { text-anchor: end; }
            .grid { stroke: #e6e9ed; } .title { font-weight: 600; font-size: 14px; }
            </style>
            <rect width="100%" height="100%" rx="6" fill="#ffffff"/>
            \(text(heading, 28, 38, "title"))
            \(text(facts, 28, 60, "faint"))
            \(groups.joined(separator: "\n"))
            </svg>

            """
    }

    private var content: String {
        let shown = series.map { one in
            one.points.filter { $0.x > 0 && $0.y > 0 && $0.x.isFinite && $0.y.isFinite }.sorted { $0.x < $1.x }
        }
        let (x, y) = (LogAxis(shown.joined().map(\.x)), LogAxis(shown.joined().map(\.y)))
        let (left, right, top, bottom) = (Self.left, Self.right, Self.top, Self.top + area)
        func column(_ value: Double) -> Double { left + x.position(value) * (right - left) }
        func row(_ value: Double) -> Double { bottom - y.position(value) * area }
        var parts = [Self.text(title, 28, 14, "title"), Self.text(subtitle, 28, 32, "faint")]
        for tick in x.ticks {
            parts.append(Self.line([[column(tick), top], [column(tick), bottom]], "class=\"grid\""))
        }
        for tick in y.ticks { parts.append(Self.line([[left, row(tick)], [right, row(tick)]], "class=\"grid\"")) }
        parts += x.labelled(16).map { Self.text(LogAxis.label($0), column($0), bottom + 17, "faint middle") }
        parts += y.labelled(14).map { Self.text(LogAxis.label($0), left - 7, row($0) + 4, "faint end") }
        parts.append(Self.text(xTitle, (left + right) / 2, bottom + 36, "middle"))
        parts.append(Self.text(yTitle, 28, top + area / 2, ""))
        for (index, (one, points)) in zip(series, shown).enumerated() {
            let legend = top + 10 + Self.legendLine * Double(index)
            parts.append(Self.drawing(of: one, points.map { [column($0.x), row($0.y)] }))
            parts.append(Self.drawing(of: one, [[right + 22, legend], [right + 42, legend]]))
            parts.append(Self.text(one.name, right + 50, legend + 4, ""))
        }
        return parts.joined(separator: "\n")
    }

    private static func drawing(of series: Series, _ points: [SIMD2<Double>]) -> String {
        let color = palette[series.color % palette.count]
        let style = series.isReference ? "stroke-dasharray=\"5 4\"" : "stroke-width=\"2\""
        let dots =
            series.isReference
            ? []
            : points.map {
                "<circle cx=\"\(fixed($0.x, 1))\" cy=\"\(fixed($0.y, 1))\" r=\"3.5\" fill=\"\(color)\"/>"
            }
        return line(points, "stroke=\"\(color)\" \(style)") + dots.joined()
    }

    private static func line(_ points: [SIMD2<Double>], _ attributes: String) -> String {
        let list = points.map { "\(fixed($0.x, 1)),\(fixed($0.y, 1))" }.joined(separator: " ")
        return "<polyline points=\"\(list)\" fill=\"none\" \(attributes)/>"
    }

    private static func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
        "<text x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\" class=\"\(style)\">\(Markup.escaped(text))</text>"
    }
}

/// A logarithmic axis that begins and ends at 1, 2 or 5 times a power of ten.
struct LogAxis {
    /// The positions of the grid lines, from the lower end to the upper end.
    let ticks: [Double]

    /// Creates an axis that covers positive values.
    init(_ values: [Double]) {
        let (minimum, maximum) = (values.min() ?? 1, values.max() ?? 1)
        let powers = Int(log10(minimum).rounded(.down)) - 1...Int(log10(maximum).rounded(.up)) + 1
        let steps = powers.flatMap { power in
            [1, 2, 5].map { power < 0 ? $0 / pow(10, Double(-power)) : $0 * pow(10, Double(power)) }
        }
        // The comparison uses a tolerance, because the computed 10^-1 may differ from 0.1 in the last bit.
        let lower = steps.last { $0 <= minimum * (1 + 1e-9) } ?? minimum
        let upper = steps.first { $0 >= maximum * (1 - 1e-9) && $0 > lower } ?? maximum
        ticks = steps.filter { lower <= $0 && $0 <= upper }
    }

    /// Returns the position of a value on the axis: 0 at the lower end, 1 at the upper end.
    func position(_ value: Double) -> Double { log10(value / ticks[0]) / log10(ticks[ticks.count - 1] / ticks[0]) }

    /// Returns the ticks that get a label: those at powers of ten if there are more than `maximum` ticks.
    func labelled(_ maximum: Int) -> [Double] {
        ticks.count <= maximum ? ticks : ticks.filter { abs(log10($0) - log10($0).rounded()) < 1e-9 }
    }

    /// Returns the label of a tick, for example "0.05", "20" or "1000".
    static func label(_ value: Double) -> String {
        fixed(value, max(0, Int((-log10(value) - 1e-9).rounded(.up))))
    }
}
