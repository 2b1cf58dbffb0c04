/// A minimum contrast for content whose colour is not known yet: black or white.
public struct AutomaticContrast: Sendable, Hashable {
    /// The minimum contrast, 1...21.
    public let minimum: Double
    private var strength = 1.0

    /// Creates the demand for a contrast to black or white content.
    ///
    /// - Throws: ``ParameterError``, as ``ContrastFloor/init(minimum:content:)`` does for both colours.
    public init(minimum: Double) throws(ParameterError) {
        self.minimum = minimum
        for color in Self.colors { _ = try ContrastFloor(minimum: minimum, content: color) }
    }

    /// Black and white.
    package static let colors = [Color.white(0, 1), Color.white(1, 1)]

    /// The part of the change by one colour below which the change by the other must lie before a choice moves to the other.
    /// With a half, the range of luminances in which a choice stays is 0.05 wide for a minimum of 3, 0.09 for 4.5 and 0.16 for 7.
    static let hysteresis = 0.5
    /// The difference of two changes of luminance below which a choice never moves: nobody sees it.
    static let leastDifference = 0.002

    func weakened(to part: Double) -> AutomaticContrast {
        var contrast = self
        contrast.strength *= part
        return contrast
    }

    /// Returns the stage for black or for white content: the one that changes a luminance less. If both change it equally, the
    /// content is black.
    ///
    /// - Parameter last: the colour that was chosen before; nil for none. It is kept unless the other changes the luminance much
    ///   less.
    func decided(for luminance: Double, after last: Color?) throws(ParameterError) -> ContrastFloor {
        let black = try ContrastFloor(minimum: minimum, content: Self.colors[0])
        let white = try ContrastFloor(minimum: minimum, content: Self.colors[1])
        let (blackChange, whiteChange) = (abs(black(luminance) - luminance), abs(white(luminance) - luminance))
        func isMuchLess(_ change: Double, _ than: Double) -> Bool {
            change < than * Self.hysteresis - Self.leastDifference
        }
        let isBlack =
            switch last {
            case black.content?: !isMuchLess(whiteChange, blackChange)
            case white.content?: isMuchLess(blackChange, whiteChange)
            case nil, .some: blackChange <= whiteChange
            }
        return (isBlack ? black : white).weakened(to: strength)
    }

    /// Returns the stages for black and for white content.
    func both() throws(ParameterError) -> [ContrastFloor] {
        try Self.colors.map { (color) throws(ParameterError) in
            try ContrastFloor(minimum: minimum, content: color).weakened(to: strength)
        }
    }
}
