/// A blur of an ``Effect``. Each kind is a value of its own type, and planning it has no side effects.
public protocol Blur: Sendable, Hashable, CustomStringConvertible {
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    var edge: EdgeMode { get }
    /// Whether the blur copies every pixel.
    var isIdentity: Bool { get }
    /// The description of the blur. Parameters that were computed are rounded to four decimals.
    var roundedDescription: String { get }
    /// A phrase for lists of an effect's stages, for example "blur of sigma 3".
    var phrase: String { get }
    /// The mask that varies the blur from pixel to pixel; nil for most kinds. The output stages of an effect with such a
    /// blur cannot have a mask.
    var ownMask: Mask? { get }
    /// The side of the squares that get one colour each; nil if the blur has no such squares.
    var cellSide: Int? { get }
    /// Returns the blur with its lengths multiplied by a factor from 0 to 1; nil if its lengths are whole pixels.
    func scaled(by factor: Double) throws(ParameterError) -> (any Blur)?
    /// Returns the blur with which a picture looks the same that is larger by a factor. Lengths in pixels are multiplied, and
    /// fractions of the picture stay.
    func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur
    /// Returns the number of floats for each sample of the image that a backend keeps besides the source, the result and
    /// an image of half the resolution.
    func extraFloatsPerSample(threads: Int) -> Int

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
    public var phrase: String { "blur of " + roundedDescription }
    public var ownMask: Mask? { nil }
    public var cellSide: Int? { nil }
    public func extraFloatsPerSample(threads: Int) -> Int { 0 }

    /// Whether the blur mixes transparent pixels from outside the image with those inside.
    var spreadsOutside: Bool { edge == .clear && !isIdentity }

    /// Returns the result's format: the input's format. An alpha channel is added if the blur mixes in transparent
    /// pixels from outside the image.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = input
        if spreadsOutside { output.channels = input.channels.addingAlpha }
        return output
    }
}

extension Blur {
    /// Returns a number as ``phrase`` has it.
    func text(_ value: Double) -> String { numberText(value, decimals: 4) }
}
