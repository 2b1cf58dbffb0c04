/// A box blur: averages of equal weights on premultiplied colour, one to three times along each axis.
///
/// Each pass is a box of ``widthX`` by ``widthY`` pixels around a pixel, and reads what the pass before it gave *within
/// the image*, extended by the edge mode anew. So clamped edges are those of each pass's own input, as vImage's
/// kvImageEdgeExtend has them: not the same as passes over an image that was extended once. Mirrored and repeated edges
/// come to the same either way. Transparent edges keep what spills over them for the next pass.
///
/// Both backends carry out the passes as they are, at full resolution: O(width) a pixel and pass. Large blurs cost
/// less as a ``GaussianBlur``, which three passes are near to.
public struct BoxBlur: Sendable, Hashable {
    /// In pixels of the input, odd; 1 leaves the axis as it is.
    public let widthX: Int
    /// In pixels of the input, odd; 1 leaves the axis as it is.
    public let widthY: Int
    /// Boxes one after the other.
    public let passes: Int
    /// What lies outside the image.
    public let edge: EdgeMode

    /// Widths that are accepted, where they are odd: up to a radius of 1000. Every GPU has room for as many weights.
    public static let widthRange: ClosedRange<Double> = 1...2001
    public static let passRange: ClosedRange<Double> = 1...3

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for widths outside of 1...2001 and passes
    ///   outside of 1...3, ``ParameterError/malformed(parameter:value:expected:)`` for even widths.
    public init(widthX: Int, widthY: Int, passes: Int = 1, edge: EdgeMode = .clamp) throws(ParameterError) {
        for (name, width) in [("width x", widthX), ("width y", widthY)] {
            guard Self.widthRange.contains(Double(width)) else {
                throw .outOfRange(parameter: name, value: Double(width), allowed: Self.widthRange)
            }
            guard width & 1 == 1 else {
                throw .malformed(parameter: name, value: "\(width)", expected: "an odd number")
            }
        }
        guard Self.passRange.contains(Double(passes)) else {
            throw .outOfRange(parameter: "passes", value: Double(passes), allowed: Self.passRange)
        }
        self.widthX = widthX
        self.widthY = widthY
        self.passes = passes
        self.edge = edge
    }

    /// The same width along both axes.
    ///
    /// - Throws: as ``init(widthX:widthY:passes:edge:)``.
    public init(width: Int, passes: Int = 1, edge: EdgeMode = .clamp) throws(ParameterError) {
        try self.init(widthX: width, widthY: width, passes: passes, edge: edge)
    }

    public func width(_ axis: Axis) -> Int { axis == .x ? widthX : widthY }

    /// What the result's pixels look like: the input's format, with an alpha channel where transparent edges bleed in.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = input
        if edge == .clear, widthX > 1 || widthY > 1 { output.channels = input.channels.addingAlpha }
        return output
    }
}

extension BoxBlur: CustomStringConvertible {
    /// "box 9", "3 boxes 57x39 edge mirror".
    public var description: String {
        (passes == 1 ? "box " : "\(passes) boxes ") + (widthX == widthY ? "\(widthX)" : "\(widthX)x\(widthY)")
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
