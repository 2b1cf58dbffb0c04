import Frost
import FrostCLI

/// The plots of `--plot`: time against sigma, time against pixels, and time against radius for reduced pictures.
struct BenchPlot {
    /// The measurement of a blur on a picture that was reduced first.
    struct Reduced {
        let factor: Int
        /// The sigma of the corresponding blur at full size.
        let sigma: Double
        let measurement: Measurement
    }

    /// The measurements that the command line requests.
    var matrix: [Measurement]
    /// Measurements of several sizes at one sigma.
    var ladder: [Measurement]
    /// Measurements of one size on one subject, with the picture reduced by several factors.
    var reduced: [Reduced]
    /// The name of the input, for example "photo.png" or "synthetic picture".
    var picture: String

    static let factors = [1, 2, 4, 8]

    /// Returns the effect with which sizes are compared. It is the requested Gaussian whose sigma is closest to 8.
    static func commonEffect(_ effects: [Effect]) -> Effect? {
        func distance(_ sigma: Double) -> Double { sigma < 8 ? 8 / sigma : sigma / 8 }
        return effects.compactMap { effect in effect.gaussian.map { (effect, $0.sigmaX) } }
            .filter { $0.1 > 0 }.min { distance($0.1) < distance($1.1) }?.0
    }

    /// Returns the requested sizes, and the sizes of the largest picture after reduction. The result is sorted by the
    /// number of pixels.
    static func ladderSizes(_ sizes: [PictureSize]) -> [PictureSize] {
        guard let largest = sizes.max(by: { $0.pixels < $1.pixels }) else { return [] }
        var all = sizes
        for factor in factors where !all.contains(largest.reduced(by: factor)) {
            all.append(largest.reduced(by: factor))
        }
        return all.sorted { $0.pixels < $1.pixels }
    }

    var document: String {
        let format = matrix.first?.format.rawValue ?? ""
        let edge = matrix.first?.effect.edge.rawValue ?? ""
        let heading = "frost bench: time of a Gaussian blur"
        let place = "Frost \(frostVersion) · \(Machine.processor) · \(Machine.date)"
        let facts = "\(place) · \(picture), \(format), edge \(edge)"
        var svg = SVG(width: 980, height: 880, title: "\(heading). \(facts)")
        svg.text(heading, at: [28, 38], size: 19, isBold: true)
        svg.text(facts, at: [28, 60], size: 13, color: "#57606a")
        let top = againstSigma
        top.draw(in: &svg, x: 28, y: 84, width: 924, height: 380, legendLines: top.legendLines(width: 924))
        let left = againstPixels
        let right = againstRadius
        let lines = max(left.legendLines(width: 448), right.legendLines(width: 448))
        left.draw(in: &svg, x: 28, y: 486, width: 448, height: 370, legendLines: lines)
        right.draw(in: &svg, x: 504, y: 486, width: 448, height: 370, legendLines: lines)
        return svg.document
    }
}

extension BenchPlot {
    private var againstSigma: Panel {
        let sizes = Self.distinct(matrix.map(\.size)).sorted { $0.pixels > $1.pixels }
        var blurs: [Panel.Series] = []
        var copies: [Panel.Series] = []
        for size in sizes {
            let here = matrix.filter { $0.size == size }
            let color = Self.color(blurs.count)
            for subject in Self.distinct(here.map(\.subject)) {
                let points = here.filter { $0.subject == subject }.map { SIMD2($0.sigma, $0.blur.minimum) }
                let name = "\(size) on \(subject)"
                blurs.append(Panel.Series(name: name, color: Self.color(blurs.count), points: points))
            }
            // The memcpy times are drawn as one line at their minimum, because memcpy does the same work each time.
            let copy = here.map(\.memcpy.minimum).min() ?? 0
            copies.append(
                Panel.Series(
                    name: "memcpy of \(size)", color: color, isReference: true,
                    points: here.map { SIMD2($0.sigma, copy) }))
        }
        let hasGPU = matrix.contains { $0.backend == .gpu }
        return Panel(
            title: "Time against sigma",
            subtitle: "fastest run" + (hasGPU ? "; on a GPU with upload and readback" : ""),
            xTitle: "sigma in pixels", series: blurs + copies)
    }

    private var againstPixels: Panel {
        func point(_ m: Measurement, _ ms: Double) -> SIMD2<Double> { SIMD2(Double(m.size.pixels) / 1e6, ms) }
        var series: [Panel.Series] = []
        for subject in Self.distinct(ladder.map(\.subject)) {
            let points = ladder.filter { $0.subject == subject }.map { point($0, $0.blur.minimum) }
            series.append(Panel.Series(name: subject, color: Self.color(series.count), points: points))
        }
        let copies = Self.distinct(ladder.map(\.size)).compactMap { size in
            ladder.filter { $0.size == size }.min { $0.memcpy.minimum < $1.memcpy.minimum }
        }
        series.append(
            Panel.Series(
                name: "memcpy", color: "#57606a", isReference: true, points: copies.map { point($0, $0.memcpy.minimum) }
            ))
        return Panel(
            title: "Time against pixels", subtitle: "sigma \(decimal(ladder.first?.sigma ?? 0))",
            xTitle: "megapixels", series: series)
    }

    private var againstRadius: Panel {
        let severalSubjects = Self.distinct(matrix.map(\.subject)).count > 1
        let series = Self.factors.enumerated().compactMap { index, factor -> Panel.Series? in
            let here = reduced.filter { $0.factor == factor }
            guard let first = here.first?.measurement else { return nil }
            let name = "r = \(factor)" + (index == 0 && severalSubjects ? " on \(first.subject)" : "")
            return Panel.Series(
                name: name, color: Self.color(index),
                points: here.map { SIMD2(3 * $0.sigma, $0.measurement.blur.minimum) })
        }
        let full = reduced.first { $0.factor == 1 }?.measurement.size.description ?? "the full size"
        return Panel(
            title: "Time against radius and reduction",
            subtitle: "blur time only: sigma / r on a picture reduced by r",
            xTitle: "radius in pixels of \(full) (3 sigma)", series: series)
    }

    private static func color(_ index: Int) -> String { Panel.palette[index % Panel.palette.count] }

    private static func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
