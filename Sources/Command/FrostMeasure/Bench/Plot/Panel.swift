/// A chart with logarithmic axes, a title, a legend and lines.
struct Panel {
    struct Series {
        var name: String
        var color: String
        /// Whether the series is only a reference for the other series. A reference is drawn as a dashed line without
        /// dots.
        var isReference = false
        /// The points of the series. Points with a coordinate of 0 or less are not drawn.
        var points: [SIMD2<Double>]
    }

    var title: String
    var subtitle: String
    var xTitle: String
    var yTitle = "ms"
    var series: [Series]

    /// Colours that are distinct for all kinds of colour vision (Okabe and Ito, 2008), darkened for contrast with
    /// white.
    static let palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a9bd9", "#6a51a3", "#555555"]

    private static let legendLine = 18.0
    private static let ink = "#24292f"
    private static let faint = "#57606a"
    private static let grid = "#e6e9ed"

    /// Returns the number of lines of the legend at a given width.
    func legendLines(width: Double) -> Int { (legend(width: width).last?.line ?? -1) + 1 }

    private func legend(width: Double) -> [(series: Series, x: Double, line: Int)] {
        var entries: [(Series, Double, Int)] = []
        var x = 0.0
        var line = 0
        for one in series {
            let need = 26 + SVG.width(of: one.name) + 18
            if x > 0, x + need - 18 > width {
                x = 0
                line += 1
            }
            entries.append((one, x, line))
            x += need
        }
        return entries
    }

    /// Draws the chart into a rectangle.
    ///
    /// - Parameter legendLines: the number of lines to reserve for the legend, so that neighbouring charts have the
    ///   same height.
    func draw(in svg: inout SVG, x: Double, y: Double, width: Double, height: Double, legendLines: Int) {
        svg.text(title, at: [x, y + 14], size: 14, isBold: true)
        svg.text(subtitle, at: [x, y + 32], color: Self.faint)
        for entry in legend(width: width) {
            let from = SIMD2(x + entry.x, y + 50 + Double(entry.line) * Self.legendLine)
            svg.line(
                [from, from + [20, 0]], color: entry.series.color, width: entry.series.isReference ? 1.5 : 2,
                dashed: entry.series.isReference)
            if !entry.series.isReference { svg.dot(from + [10, 0], color: entry.series.color) }
            svg.text(entry.series.name, at: from + [26, 4])
        }
        let top = y + 50 + Double(legendLines) * Self.legendLine
        let box = Box(left: x + 54, top: top, width: width - 54, height: y + height - 44 - top)
        let points = series.flatMap(\.points).filter { $0.x > 0 && $0.y > 0 && $0.x.isFinite && $0.y.isFinite }
        guard !points.isEmpty else {
            svg.frame(x: box.left, y: box.top, width: box.width, height: box.height, color: Self.grid)
            let middle = SIMD2(box.left + box.width / 2, box.top + box.height / 2)
            return svg.text("nothing to show on these axes", at: middle, color: Self.faint, anchor: .middle)
        }
        let axes = (x: LogAxis(points.map(\.x)), y: LogAxis(points.map(\.y)))
        drawGrid(in: &svg, box, axes)
        for one in series { draw(one, in: &svg, box, axes) }
    }

    private struct Box {
        var left: Double
        var top: Double
        var width: Double
        var height: Double
        var bottom: Double { top + height }
    }

    private func drawGrid(in svg: inout SVG, _ box: Box, _ axes: (x: LogAxis, y: LogAxis)) {
        for tick in axes.x.ticks {
            let at = box.left + axes.x.position(tick) * box.width
            svg.line([[at, box.top], [at, box.bottom]], color: Self.grid)
        }
        for tick in axes.y.ticks {
            let at = box.bottom - axes.y.position(tick) * box.height
            svg.line([[box.left, at], [box.left + box.width, at]], color: Self.grid)
        }
        for tick in axes.x.labelled(Int(box.width / 36)) {
            let at = box.left + axes.x.position(tick) * box.width
            svg.text(LogAxis.label(tick), at: [at, box.bottom + 17], color: Self.faint, anchor: .middle)
        }
        for tick in axes.y.labelled(Int(box.height / 17)) {
            let at = box.bottom - axes.y.position(tick) * box.height
            svg.text(LogAxis.label(tick), at: [box.left - 7, at + 4], color: Self.faint, anchor: .end)
        }
        svg.frame(x: box.left, y: box.top, width: box.width, height: box.height, color: "#b4bac2")
        svg.text(xTitle, at: [box.left + box.width / 2, box.bottom + 36], color: Self.ink, anchor: .middle)
        svg.text(
            yTitle, at: [box.left - 42, box.top + box.height / 2], color: Self.ink, anchor: .middle, isUpright: true)
    }

    private func draw(_ series: Series, in svg: inout SVG, _ box: Box, _ axes: (x: LogAxis, y: LogAxis)) {
        let places = series.points.filter { $0.x > 0 && $0.y > 0 && $0.x.isFinite && $0.y.isFinite }
            .sorted { $0.x < $1.x }
            .map { point in
                SIMD2(
                    box.left + axes.x.position(point.x) * box.width,
                    box.bottom - axes.y.position(point.y) * box.height)
            }
        if places.count > 1 {
            svg.line(places, color: series.color, width: series.isReference ? 1.5 : 2, dashed: series.isReference)
        }
        if !series.isReference { for place in places { svg.dot(place, color: series.color) } }
    }
}
