/// A mosaic: every pixel is the mean of its cell. Cells are squares of `2^level` pixels, at multiples of their side
/// from the absolute origin. A cell that extends outside the image counts the nearest edge pixels there.
///
/// Cost: like a blur's decimation and interpolation with two taps, O(1) per pixel for any size of cells.
public struct Mosaic: Sendable, Hashable {
    /// The side of a cell is 2 to this power.
    public let level: Int

    public static let sideRange: ClosedRange<Double> = 1...1024

    /// The side of a cell in pixels.
    public var side: Int { 1 << level }

    /// - Parameter side: the minimum; the side is the next power of two.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(side: Double) throws(ParameterError) {
        guard Self.sideRange.contains(side) else {
            throw .outOfRange(parameter: "cell", value: side, allowed: Self.sideRange)
        }
        var level = 0
        while Double(1 << level) < side { level += 1 }
        self.level = level
    }
}

extension Mosaic: CustomStringConvertible {
    /// "cells of 32 pixels".
    public var description: String { "cells of \(side) pixels" }
}
