import Frost
import FrostCLI

/// The plots of `--plot`: time against sigma, time against pixels, and time against radius for reduced pictures.
struct BenchPlot {
    /// The measurements that the command line requests.
    var matrix: [Measurement]
    /// Measurements of several sizes at one sigma.
    var sizes: [Measurement]
    /// Measurements of one subject on pictures that were reduced by a factor. `sigma` is that of the same blur at full
    /// size.
    var reduced: [(factor: Int, sigma: Double, measurement: Measurement)]
    /// The name of the input, for example "photo.png" or "synthetic picture".
    var picture: String

    static let factors = [1, 2, 4, 8]

    /// Returns the effect with which sizes are compared. It is the requested Gaussian whose sigma is closest to 8.
    static func commonEffect(_ effects: [Effect]) -> Effect? {
        func distance(_ sigma: Double) -> Double { sigma < 8 ? 8 / sigma : sigma / 8 }
        return effects.compactMap { effect in effect.gaussian.map { (effect, $0.sigmaX) } }
            .filter { $0.1 > 0 }.min { distance($0.1) < distance($1.1) }?.0
    }

    /// Returns the requested sizes, and the sizes of the largest picture after reduction, from small to large.
    static func comparedSizes(_ sizes: [PictureSize]) -> [PictureSize] {
        guard let largest = sizes.max(by: { $0.pixels < $1.pixels }) else { return [] }
        return distinct(sizes + factors.map { largest.reduced(by: $0) }).sorted { $0.pixels < $1.pixels }
    }

    var document: String {
        let settings = matrix.first.map { "\($0.format.rawValue), edge \($0.effect.edge.rawValue)" } ?? ""
        return LinePlot.document(
            heading: "frost bench: time of a Gaussian blur",
            facts: "Frost \(frostVersion) · \(Machine.processor) · \(Machine.date) · \(picture), \(settings)",
            [againstSigma, againstPixels, againstRadius])
    }

    private var againstSigma: LinePlot {
        var blurs: [LinePlot.Series] = []
        var copies: [LinePlot.Series] = []
        for size in Self.distinct(matrix.map(\.size)).sorted(by: { $0.pixels > $1.pixels }) {
            let here = matrix.filter { $0.size == size }
            // The memcpy times are drawn as one line at their minimum, because memcpy does the same work each time.
            let copy = here.map(\.memcpy.minimum).min() ?? 0
            copies.append(
                LinePlot.Series(
                    name: "memcpy of \(size)", color: blurs.count, isReference: true,
                    points: here.map { [$0.sigma, copy] }))
            for subject in Self.distinct(here.map(\.subject)) {
                let points = here.filter { $0.subject == subject }.map { SIMD2($0.sigma, $0.blur.minimum) }
                blurs.append(LinePlot.Series(name: "\(size) on \(subject)", color: blurs.count, points: points))
            }
        }
        let hasGPU = matrix.contains { $0.backend == .gpu }
        return LinePlot(
            title: "Time against sigma",
            subtitle: "fastest run" + (hasGPU ? "; on a GPU with upload and readback" : ""),
            xTitle: "sigma in pixels", yTitle: "ms", series: blurs + copies)
    }

    private var againstPixels: LinePlot {
        func point(_ m: Measurement, _ ms: Double) -> SIMD2<Double> { [Double(m.size.pixels) / 1e6, ms] }
        let blurs = Self.distinct(sizes.map(\.subject)).enumerated().map { index, subject in
            let points = sizes.filter { $0.subject == subject }.map { point($0, $0.blur.minimum) }
            return LinePlot.Series(name: subject, color: index, points: points)
        }
        let copies = Self.distinct(sizes.map(\.size)).compactMap { size in
            sizes.filter { $0.size == size }.min { $0.memcpy.minimum < $1.memcpy.minimum }
        }
        let copy = LinePlot.Series(
            name: "memcpy", color: 7, isReference: true, points: copies.map { point($0, $0.memcpy.minimum) })
        return LinePlot(
            title: "Time against pixels", subtitle: "sigma \(numberText(sizes.first?.sigma ?? 0))",
            xTitle: "megapixels", yTitle: "ms", series: blurs + [copy])
    }

    private var againstRadius: LinePlot {
        let series = Self.factors.enumerated().map { index, factor in
            let here = reduced.filter { $0.factor == factor }
            return LinePlot.Series(
                name: "r = \(factor)" + (here.first.map { " on \($0.measurement.subject)" } ?? ""), color: index,
                points: here.map { [3 * $0.sigma, $0.measurement.blur.minimum] })
        }
        let full = reduced.first { $0.factor == 1 }?.measurement.size.description ?? "the full size"
        return LinePlot(
            title: "Time against radius and reduction",
            subtitle: "blur time only: sigma / r on a picture reduced by r",
            xTitle: "radius in pixels of \(full) (3 sigma)", yTitle: "ms", series: series)
    }

    private static func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
