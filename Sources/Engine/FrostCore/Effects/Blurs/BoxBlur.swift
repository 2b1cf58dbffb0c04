/// A box blur. It averages premultiplied colour with equal weights, one to three times along each axis.
///
/// Each pass averages a box of ``widthX`` by ``widthY`` pixels around a pixel. The input of a pass is the result of the
/// previous pass *within the image*. The edge mode extends each of these results again. So clamped edges repeat the
/// edge pixels of each pass's own input, as vImage's kvImageEdgeExtend does. If the image were extended only once,
/// before the first pass, the result would be different. For mirrored and repeated edges, both ways give the same
/// result. With transparent edges, the next pass also reads the pixels that the previous pass spread outside the image.
///
/// Both backends run the passes at full resolution: O(width) per pixel and pass. For large blurs a ``GaussianBlur`` is
/// cheaper, and three passes of a box blur approximate a Gaussian.
public struct BoxBlur: Sendable, Hashable {
    /// The width of the box along x, in pixels of the input. The width is odd. With a width of 1, nothing is averaged
    /// along this axis.
    public let widthX: Int
    /// The width of the box along y, in pixels of the input. The width is odd. With a width of 1, nothing is averaged
    /// along this axis.
    public let widthY: Int
    /// The number of box averages that run one after the other along each axis, 1 to 3.
    public let passes: Int
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// The range of accepted widths; the largest width has a radius of 1000. Widths must be odd. Every GPU has room for
    /// the weights of the largest box.
    public static let widthRange: ClosedRange<Double> = 1...2001
    /// The range of accepted numbers of passes.
    public static let passRange: ClosedRange<Double> = 1...3

    /// Creates a box blur with a width for each axis.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for widths outside 1...2001 and passes outside
    ///   1...3; ``ParameterError/malformed(parameter:value:expected:)`` for even widths.
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

    /// Creates a box blur with the same width along both axes.
    ///
    /// - Throws: the errors of ``init(widthX:widthY:passes:edge:)``.
    public init(width: Int, passes: Int = 1, edge: EdgeMode = .clamp) throws(ParameterError) {
        try self.init(widthX: width, widthY: width, passes: passes, edge: edge)
    }

    /// Returns the width of the box along an axis, in pixels.
    public func width(_ axis: Axis) -> Int { axis == .x ? widthX : widthY }
}

extension BoxBlur: CustomStringConvertible {
    /// The blur in words, for example "box 9" or "3 boxes 57x39 edge mirror".
    public var description: String {
        (passes == 1 ? "box " : "\(passes) boxes ") + (widthX == widthY ? "\(widthX)" : "\(widthX)x\(widthY)")
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension BoxBlur: Blur {
    public var isIdentity: Bool { widthX == 1 && widthY == 1 }
    public var phrase: String {
        "blur of " + (passes == 1 ? "a box" : "\(passes) boxes") + " of "
            + (widthX == widthY ? "\(widthX)" : "\(widthX)x\(widthY)") + " pixels"
    }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        nil
    }

    /// The boxes stay an odd number of pixels wide.
    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur {
        func odd(_ width: Int) -> Int { Int((Double(width) * factor / 2).rounded(.down)) * 2 + 1 }
        return try BoxBlur(widthX: odd(widthX), widthY: odd(widthY), passes: passes, edge: edge)
    }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region)
    }
}
