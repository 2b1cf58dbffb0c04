/// A kind of blur that an ``Effect/Kernel`` can contain. A blur is a value, and planning a blur has no side effects.
public protocol Blur: Sendable, Hashable, CustomStringConvertible {
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    var edge: EdgeMode { get }
    /// Whether the blur copies every pixel.
    var isIdentity: Bool { get }
    /// The description of the blur. Parameters that were computed are rounded to four decimals.
    var roundedDescription: String { get }

    /// Plans the blur of an image.
    ///
    /// - Throws: ``ParameterError`` for empty rectangles, for coordinates beyond 2^40, and for parameters that do not
    ///   suit the image.
    func plan(_ request: PlanRequest) throws(ParameterError) -> Plan
}

/// The image and region for which a blur is planned.
public struct PlanRequest: Sendable {
    /// The image's rectangle in absolute pixels.
    public var extent: Rect
    /// The rectangle to compute, in absolute pixels. The region may reach outside the extent.
    public var region: Rect
    /// The error that the plan may make.
    public var accuracy = Accuracy.eightBit
    /// The mask image of a variable blur; nil if the mask is not an image or the image is not available. With the
    /// image, the plan can omit sigmas that the mask does not need anywhere.
    public var mask: MaskImage?
    /// The rectangle over which the mask is stretched; nil for the whole image.
    public var maskBounds: Rect?
}

extension Blur {
    public var roundedDescription: String { description }

    /// Returns the result's format: the input's format. An alpha channel is added if the blur mixes in transparent
    /// pixels from outside the image.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = input
        if edge == .clear, !isIdentity { output.channels = input.channels.addingAlpha }
        return output
    }
}

extension GaussianBlur: Blur {
    public var isIdentity: Bool { effectiveSigma(.x) == 0 && effectiveSigma(.y) == 0 }
    public var roundedDescription: String { description(decimals: 4) }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region, accuracy: request.accuracy)
    }
}

extension BoxBlur: Blur {
    public var isIdentity: Bool { widthX == 1 && widthY == 1 }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region)
    }
}

extension VariableBlur: Blur {
    public var isIdentity: Bool { levels.count == 1 }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(
            extent: request.extent, region: request.region, accuracy: request.accuracy, mask: request.mask,
            over: request.maskBounds)
    }
}

extension Mosaic: Blur {
    public var edge: EdgeMode { .clamp }
    public var isIdentity: Bool { level == 0 }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region)
    }
}

extension DiscBlur: Blur {
    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.runs(runs), edge: edge).plan(extent: request.extent, region: request.region)
    }
}

extension MotionBlur: Blur {
    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.runs(runs), edge: edge).plan(extent: request.extent, region: request.region)
    }
}

extension ZoomBlur: Blur {
    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.zoom(zoom(extent: request.extent)), edge: edge)
            .plan(extent: request.extent, region: request.region)
    }
}
