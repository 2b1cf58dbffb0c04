import FrostCore

/// A draw that fetches single texels.
enum ExactDraw: Hashable {
    case pass(PassDraw)
    case resample(ResampleDraw)

    var draw: any PlaceDraw {
        switch self {
        case .pass(let draw): draw
        case .resample(let draw): draw
        }
    }
}

/// A draw that decimates or interpolates by up to three levels along one axis. Its program has the weights as constants,
/// so it is two to four times as fast as a ``PassDraw``. In filter.frag it is the draw `resample`. The properties are named
/// after the shader's uniforms.
struct ResampleDraw: PlaceDraw, Hashable {
    let from: Place
    let to: Place
    let passCount: Int
    let window: Rect
    let resampling: Resampling
    /// The range of output texels, along the axis, that need no edge rule.
    let inside: Range<Int>
    let outputOrigin: SIMD2<Int32>
    let inputOrigin: SIMD2<Int32>
    let range: SIMD4<Int32>
    let decoding: TransferFunction?

    var kind: DrawKind { .resample(resampling) }
    /// The draw reads no taps.
    var weightsAt: Int { 0 }
    var parts: [DrawPart] { window.parts(along: resampling.axis, inside: inside) }

    /// Creates a draw; returns nil if the run has no program of its own: see ``Resampling``.
    ///
    /// - Parameter stored: the part of the input that the input's texture contains.
    init?(_ run: PassRun, stored: Rect, decoding: TransferFunction?) throws(GPUError) {
        guard let resampling = Resampling(run) else { return nil }
        let place = try ShaderPlace(run, stored: stored)
        self.resampling = resampling
        (from, to, passCount, window) = (run.from, run.to, run.passCount, run.output)
        inside = run.inside
        (outputOrigin, inputOrigin, range) = (place.outputOrigin, place.inputOrigin, place.range)
        self.decoding = run.from == .source ? decoding : nil
    }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        [
            (.outputOrigin, .int2(outputOrigin &- shift)), (.inputOrigin, .int2(inputOrigin)), (.range, .int4(range)),
        ] + (decoding.map(\.uniforms) ?? [])
    }
}

/// The filter of a program that has its weights as constants: the binomial filters of up to three levels along an axis.
///
/// Such programs are used only at full resolution, where nearly all texels are. Each filter needs a program of its own,
/// which takes tens of milliseconds to compile.
struct Resampling: Hashable {
    let axis: Axis
    let decimates: Bool
    /// The number of taps of each level's filter, beginning with the finest level.
    let orders: [Int]
    /// Whether the input is an image between two draws, which contains all samples that the inner texels of the draw read.
    /// Such a texture can be read by texture coordinates, which software GL does faster than fetching texels by index.
    let readsIntermediate: Bool

}

extension Resampling {
    /// Returns nil if the run is a convolution, does not read or write the full resolution, or has other filters than the
    /// planner's.
    init?(_ run: PassRun) {
        let filters: [[Float]]
        switch run.kind {
        case .convolution: return nil
        case .decimation(let taps): (filters, decimates) = (taps, true)
        case .interpolation(let taps): (filters, decimates) = (taps, false)
        }
        guard run.level == 0, filters.allSatisfy({ $0.count <= 14 && $0 == Self.binomial($0.count) }) else {
            return nil
        }
        axis = run.axis
        orders = filters.map(\.count)
        readsIntermediate = run.from != .source
    }

    private static func binomial(_ count: Int) -> [Float] { ResamplingChain.binomial(count).map { Float($0) } }

    private var taps: PolyphaseTaps { PolyphaseTaps(orders.map(Self.binomial), decimates: decimates) }

    /// The constants of the filter in filter.frag. TAPS(T) applies the macro T to the offset and the weight of each tap.
    var definitions: [(name: String, value: String)] {
        let taps = taps
        let terms = (0..<taps.count).map { tap in
            "T(\(tap), \(Self.weight(taps.phases.map { $0[tap] }[...])))"
        }
        return [
            ("ALONG_Y", axis == .y ? "1" : "0"), ("STEP", "\(taps.step)"), ("OFFSET", "(\(taps.offset))"),
            ("SHIFT", "\(taps.shift)"),
            ("PHASES", "\(taps.phases.count)"), ("TAPS(T)", terms.joined(separator: " ")),
        ]
    }

    /// Returns an expression for the weight of a tap, given its value for each phase. Selecting between constants is faster
    /// than reading a table at an index.
    private static func weight(_ values: ArraySlice<Float>) -> String {
        if values.allSatisfy({ $0 == values.first }) { return "\(values.first ?? 0)" }
        let middle = (values.startIndex + values.endIndex) / 2
        return "(phase < \(middle) ? \(weight(values[..<middle])) : \(weight(values[middle...])))"
    }
}
