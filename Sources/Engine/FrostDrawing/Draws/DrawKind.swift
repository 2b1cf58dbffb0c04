import FrostCore

/// What the program of a draw computes: how it reads its input.
package struct DrawKind: Hashable, Sendable {
    /// The shader files that follow filter.glsl. The last one defines the function filtered().
    let files: [String]
    /// Whether the program reads the uniform block Taps.
    let readsTaps: Bool
    /// The filter for which the program is made; nil if the program serves all draws of the kind.
    let filter: UnrolledFilter?
    /// Whether the program has an unrolled filter, and for the pixels along the borders also the loop.
    let isWhole: Bool

    init(files: [String], readsTaps: Bool, filter: UnrolledFilter? = nil, isWhole: Bool = false) {
        self.files = files
        self.readsTaps = readsTaps
        self.filter = filter
        self.isWhole = isWhole
    }

    /// A run of passes along one axis, with weights from the uniform block of taps.
    static let pass = DrawKind(files: ["filter.pass.glsl"], readsTaps: true)
    /// A mixture of two levels of a blend, controlled by the blend's mask.
    static let blend = DrawKind(files: ["filter.blend.glsl"], readsTaps: false)
    /// An image between draws, seen through lenses.
    static let lens = DrawKind(files: [shapes, "filter.lens.glsl"], readsTaps: true)
    /// The file with the distances from edges.
    static let shapes = "filter.shapes.glsl"

    /// A run of passes along one axis, whose filter has a program of its own.
    static func unrolled(_ filter: UnrolledFilter) -> DrawKind {
        DrawKind(files: ["filter.unrolled.glsl"], readsTaps: filter.readsTaps, filter: filter)
    }

    /// The kind of the program for strips along the borders. They have no unrolled filters.
    package var alongEdges: DrawKind { filter == nil || isWhole ? self : .pass }

    /// The kind of the program that covers a whole output with borders; nil if the output has to be divided.
    var whole: DrawKind? {
        if self == .pass { return self }
        guard let filter else { return nil }
        return DrawKind(
            files: ["filter.pass.glsl", "filter.unrolled.glsl"], readsTaps: true, filter: filter, isWhole: true)
    }
    /// Whether a program of the draw reads the uniform block Taps.
    package var bindsTaps: Bool { readsTaps || alongEdges.readsTaps }
}

/// A filter along one axis that has a program of its own. The program has no loop over taps, so on software GL it is
/// two to four times as fast as the program that serves all filters.
///
/// Such programs are used only at full resolution, where nearly all texels are, because each takes tens of milliseconds
/// to compile. Strips along the borders, which need the edge rule, use the program with the loop: the edge rule of each
/// tap would make the program several times as long.
///
/// The planner uses few different decimations and interpolations, so their weights are constants of the program.
/// The weights of a convolution depend on sigma. The program reads them from the uniform block of taps, so it serves
/// all convolutions of a length.
package struct UnrolledFilter: Hashable, Sendable {
    let axis: Axis
    let kind: Kind
    /// Whether the input is an image between two draws, which contains all samples that the inner texels of the draw
    /// read. Such a texture can be read by texture coordinates, which software GL does faster than fetching texels by
    /// index.
    let readsIntermediate: Bool

    enum Kind: Hashable, Sendable {
        /// A symmetric filter of `2 * radius + 1` taps.
        case convolution(radius: Int)
        /// Binomial filters with the given numbers of taps, beginning with the finest level.
        case decimation([Int])
        case interpolation([Int])
    }
}

extension UnrolledFilter {
    static func binomial(_ count: Int) -> [Float] { ResamplingChain.binomial(count).map { Float($0) } }

    /// Whether the program reads the uniform block of taps.
    var readsTaps: Bool {
        switch kind {
        case .convolution: true
        case .decimation, .interpolation: false
        }
    }

    /// The constants of the filter in filter.glsl. TAPS(ONE, TWO) applies the macro ONE to the offset and the weight of
    /// a tap, and TWO to the offsets and the weight of two taps that have the same weight.
    var definitions: [(name: String, value: String)] {
        let taps: PolyphaseTaps
        let terms: [String]
        switch kind {
        case .convolution(let radius):
            taps = PolyphaseTaps(.convolve(taps: [Float](repeating: 0, count: 2 * radius + 1)))
            terms = Self.pairs(2 * radius + 1) { "taps[\($0 / 4)][\($0 % 4)]" }
        case .decimation(let orders):
            taps = PolyphaseTaps(orders.map(Self.binomial), decimates: true)
            terms = Self.pairs(taps.count) { "\(taps.phases[0][$0])" }
        case .interpolation(let orders):
            taps = PolyphaseTaps(orders.map(Self.binomial), decimates: false)
            terms = (0..<taps.count).map { tap in
                let weights = taps.phases.map { $0[tap] }
                // Only the last tap has phases with the weight 0. They read the tap before it again, because the texel
                // behind it may lie outside the image and hold any value, also one that is not a number.
                let read = weights.map { "\($0 == 0 ? tap - 1 : tap)" }
                return "ONE(\(Self.choice(read[...])), \(Self.choice(weights.map { "\($0)" }[...])))"
            }
        }
        return [
            ("ALONG_Y", axis == .y ? "1" : "0"), ("STEP", "\(taps.step)"), ("OFFSET", "(\(taps.offset))"),
            ("SHIFT", "\(taps.shift)"), ("PHASES", "\(taps.phases.count)"),
            ("TAPS(ONE, TWO)", terms.joined(separator: " ")),
        ]
    }

    /// Returns the terms of a symmetric filter, from the ends to the middle.
    private static func pairs(_ count: Int, _ weight: (Int) -> String) -> [String] {
        (0..<count / 2).map { "TWO(\($0), \(count - 1 - $0), \(weight($0)))" }
            + (count % 2 == 1 ? ["ONE(\(count / 2), \(weight(count / 2)))"] : [])
    }

    /// Returns an expression for a number, given its value for each phase. Selecting between constants is faster than
    /// reading a table at an index.
    private static func choice(_ values: ArraySlice<String>) -> String {
        if values.allSatisfy({ $0 == values.first }) { return values.first ?? "" }
        let middle = (values.startIndex + values.endIndex) / 2
        return "(phase < \(middle) ? \(choice(values[..<middle])) : \(choice(values[middle...])))"
    }
}
