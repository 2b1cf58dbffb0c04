import Frost
import FrostCLI
import Glibc

/// Draws a histogram as SVG within the HTML page, in the colours of the page.
enum HistogramDrawing {
    private static let barWidth = 8
    private static let height = 84.0
    /// The margin on either side, which holds the bars of errors outside the range.
    private static let margin = 16
    private static let width = ErrorHistogram.bins * barWidth + 2 * margin

    static func svg(_ histogram: ErrorHistogram) -> String {
        let maximum = max(histogram.counts.max() ?? 0, histogram.below, histogram.above)
        func bar(x: Int, _ count: Int, _ kind: String, _ what: String) -> String {
            guard count > 0 else { return "" }
            // The height is logarithmic, so that a count of one is visible beside millions.
            let tall = 2 + (height - 2) * log(Double(count)) / max(log(Double(maximum)), 1)
            return "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(fixed(height - tall, 1))\" width=\"\(barWidth - 1)\" "
                + "height=\"\(fixed(tall, 1))\"><title>\(what): \(count)</title></rect>"
        }
        let bars = histogram.counts.enumerated().map { index, count in
            let bounds = histogram.bounds(index)
            let what = "\(signed(bounds.lowerBound, 3)) to \(signed(bounds.upperBound, 3))"
            return bar(x: margin + index * barWidth, count, "bar", what)
        }
        let range = limit(histogram.range)
        let beyond =
            bar(x: 0, histogram.below, "beyond", "below −\(range)")
            + bar(x: width - barWidth + 1, histogram.above, "beyond", "above \(range)")
        let middle = width / 2
        let labels = [(margin, "start", "−\(range)"), (middle, "middle", "0"), (width - margin, "end", "+\(range)")]
            .map { "<text x=\"\($0.0)\" y=\"104\" text-anchor=\"\($0.1)\">\($0.2)</text>" }
        return "<svg viewBox=\"0 0 \(width) 110\" role=\"img\" aria-label=\"\(summary(histogram))\">"
            + "<path class=\"axis\" d=\"M\(margin) \(height + 1)H\(width - margin)M\(middle) \(height + 1)v5\"/>"
            + bars.joined() + beyond + labels.joined() + "</svg>"
    }

    private static func summary(_ histogram: ErrorHistogram) -> String {
        let beyond = histogram.below + histogram.above
        return "Histogram of \(histogram.total) errors between −\(limit(histogram.range)) and "
            + "\(limit(histogram.range)) steps, \(beyond) outside"
    }

    private static func limit(_ range: Double) -> String { numberText(CheckPage.rounded(range)) }

    private static func signed(_ value: Double, _ decimals: Int) -> String {
        (value < 0 ? "−" : "") + fixed(abs(value), decimals)
    }
}
