/// A box blur: averages with equal weights of premultiplied colour, one to three times along each axis.
///
/// Each pass averages a box of ``widthX`` by ``widthY`` pixels around a pixel. Its input is the result of the previous
/// pass *within the image*, extended by the edge mode again. So clamped edges repeat the edge of each pass's own input,
/// as vImage's kvImageEdgeExtend does; that differs from passes over an image that is extended only once. For mirrored
/// and repeated edges both are the same. With transparent edges a pass also keeps what spread outside the image for the
/// next pass.
///
/// Both backends run the passes at full resolution: O(width) per pixel and pass. For large blurs a ``GaussianBlur``,
/// which three passes approximate, is cheaper.
public struct BoxBlur: Sendable, Hashable {
    /// In pixels of the input, odd; 1 copies the axis.
    public let widthX: Int
    /// In pixels of the input, odd; 1 copies the axis.
    public let widthY: Int
    /// The number of boxes, one after the other.
    public let passes: Int
    /// How the image is extended.
    public let edge: EdgeMode

    /// Accepted widths, which must be odd: up to a radius of 1000. Every GPU has room for that many weights.
    public static let widthRange: ClosedRange<Double> = 1...2001
    public static let passRange: ClosedRange<Double> = 1...3

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for widths outside 1...2001 and passes outside
    ///   1...3, ``ParameterError/malformed(parameter:value:expected:)`` for even widths.
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
    /// - Throws: like ``init(widthX:widthY:passes:edge:)``.
    public init(width: Int, passes: Int = 1, edge: EdgeMode = .clamp) throws(ParameterError) {
        try self.init(widthX: width, widthY: width, passes: passes, edge: edge)
    }

    public func width(_ axis: Axis) -> Int { axis == .x ? widthX : widthY }
}

extension BoxBlur: CustomStringConvertible {
    /// "box 9", "3 boxes 57x39 edge mirror".
    public var description: String {
        (passes == 1 ? "box " : "\(passes) boxes ") + (widthX == widthY ? "\(widthX)" : "\(widthX)x\(widthY)")
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
