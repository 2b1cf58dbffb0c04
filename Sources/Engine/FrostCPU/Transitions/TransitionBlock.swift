import FrostCore

/// The numbers that a transition's kernel computes for up to 256 pixels of one row. ``TransitionComposition`` makes colours
/// of them:
///
/// result = target(targetX, targetY) * targetShade * (1 - hidden) + source(pageX, pageY) * page * pageShade
/// + source(position in a second run) * second
///
/// Then the back of a page is drawn over it, a shading image, and the transition's own colour, which may be light that is
/// added. The shade factors multiply colour and leave alpha.
///
/// SAFETY: the object owns its memory. Every row has room for ``width`` numbers.
@safe final class TransitionBlock {
    /// The maximum number of pixels.
    static let width = 256

    /// The rows of numbers.
    enum BlockRow: Int, CaseIterable {
        /// The weight of the source, the part of the target that it hides, and the source's brightness.
        case page, hidden, pageShade
        /// The position at which the source is read, in pixels.
        case pageX, pageY
        /// The weight of a second pixel of the source.
        case second
        /// The brightness of the target and the position at which it is read.
        case targetShade, targetX, targetY
        /// The weight of the back of a page, its brightness, the white that is added to it, as a multiple of its alpha, and
        /// its position on the page.
        case back, backShade, backWhite, backX, backY
        /// The weight of the shading image, and the position at which it is read, in fractions of its sides.
        case shading, shadingX, shadingY
        /// The weight of the transition's own colour, or the gain of its light.
        case light
        /// Numbers that kernels need while they fill the other rows: the parts of a shadow, and the distance from a centre.
        case shadowX, shadowY, distance
    }

    /// The rows that a kernel fills in addition to ``BlockRow/page``.
    struct Parts: OptionSet {
        let rawValue: Int
        /// The kernel fills the positions of the source, and ``BlockRow/hidden``.
        static let movedPage = Parts(rawValue: 1)
        /// The kernel fills ``TransitionBlock/pageRuns``, and ``BlockRow/hidden``. Without this and ``movedPage``, both images are
        /// read at the pixels' own positions, and `hidden` equals `page`.
        static let shiftedPage = Parts(rawValue: 256)
        /// The kernel fills ``BlockRow/pageShade``.
        static let pageShade = Parts(rawValue: 2)
        /// The kernel fills ``TransitionBlock/secondRuns`` and, for the pixels of these runs, ``BlockRow/second``. It adds their
        /// part to `hidden` too.
        static let second = Parts(rawValue: 4)
        /// The kernel fills the positions of the target.
        static let movedTarget = Parts(rawValue: 8)
        /// The kernel fills ``BlockRow/targetShade``.
        static let targetShade = Parts(rawValue: 16)
        /// The kernel fills the rows of the back.
        static let back = Parts(rawValue: 32)
        /// The kernel fills the rows of the shading image, if there is one.
        static let shading = Parts(rawValue: 64)
        /// The kernel fills ``BlockRow/light``.
        static let light = Parts(rawValue: 128)
    }

    /// Neighbouring pixels of a block that show neighbouring pixels of the source. They are read faster than pixels at
    /// arbitrary positions, because all of them lie between the source's pixels in the same way.
    struct Run {
        let pixels: Range<Int>
        /// The position of the first of them on the source, in pixels. The centre of the source's first pixel is at 0.5.
        let x, y: Double
    }

    /// The distance between two rows. It is a constant, so that the compiler knows that rows do not overlap, and vectorises
    /// loops that write several of them.
    private static let stride = 272
    private let storage: RowStorage
    private let base: UnsafeMutablePointer<Float>
    /// The column of the first pixel.
    var x = 0
    /// The row of the pixels.
    var y = 0
    var count = 0
    /// The rows that hold numbers of the current pixels.
    var parts: Parts = []
    /// Where all pixels show the source, in order.
    var pageRuns: [Run] = []
    /// Where some of the pixels show the source a second time.
    var secondRuns: [Run] = []

    init() throws(CPUError) {
        storage = try RowStorage(rows: 1, floats: (BlockRow.allCases.count + 1) * Self.stride, zeroed: false)
        unsafe base = storage.row(0).floats
        for i in 0..<Self.width { unsafe base[BlockRow.allCases.count * Self.stride + i] = Float(i) }
    }

    subscript(row: BlockRow) -> UnsafeMutablePointer<Float> { unsafe base + row.rawValue &* Self.stride }

    /// The numbers 0, 1, 2, and so on. Loops read them, because processors convert integers to floats slowly.
    var steps: UnsafePointer<Float> { unsafe UnsafePointer(base + BlockRow.allCases.count * Self.stride) }

    func fill(_ row: BlockRow, _ value: Float) {
        let out = unsafe self[row]
        for i in 0..<count { unsafe out[i] = value }
    }

    /// Returns whether all numbers of a row equal `value`. The signs of zeros are ignored.
    func isFilled(_ row: BlockRow, with value: Float) -> Bool {
        let values = unsafe self[row]
        guard count > 0, unsafe values[0] == value else { return false }
        // Integers, unlike floats, can be combined in any order, so this loop is vectorised. The shift drops the sign of zero.
        let sign: UInt32 = value == 0 ? 1 : 0
        var differences: UInt32 = 0
        for i in 0..<count { unsafe differences |= (values[i].bitPattern ^ value.bitPattern) << sign }
        return differences == 0
    }
}

/// Computes the numbers of a block from the positions of its pixels.
protocol TransitionKernel: Sendable {
    /// The parts that the kernel may fill.
    var parts: TransitionBlock.Parts { get }
    /// The transition's own colour, premultiplied, with 1.0 as full scale.
    var color: SIMD4<Double> { get }
    /// Whether this colour is light that is added. Otherwise it is drawn over the images.
    var isColorAdded: Bool { get }
    /// Fills the rows of a block, and sets `block.parts` to the parts that are needed for these pixels.
    func fill(_ block: TransitionBlock)
}

extension TransitionKernel {
    var color: SIMD4<Double> { .zero }
    var isColorAdded: Bool { false }
}

extension LinearDistance {
    /// Returns the distance of a block's first pixel minus `origin`, and the step from one pixel to the next. The difference
    /// is computed in double precision, because both may be large.
    func row(_ block: TransitionBlock, from origin: Double = 0) -> (first: Float, step: Float) {
        let first = Double(block.x) * direction.x + Double(block.y) * direction.y + offset - origin
        return (Float(first), Float(direction.x))
    }
}

/// Returns the bilinear coverage of a rectangle at the origin: 1 inside, with a ramp of one pixel at its border.
@inline(__always) func coverage(_ x: Float, _ y: Float, width: Float, height: Float) -> Float {
    unit(x + 0.5) * unit(width + 0.5 - x) * (unit(y + 0.5) * unit(height + 0.5 - y))
}
