/// The mean of each cell in all of its pixels. Cells are squares of `2^level` pixels that lie at multiples of their side from
/// the absolute origin; those that leave the image count its edge pixels as often as they reach beyond.
///
/// Cost: as a blur's way down and up with two taps, O(1) a pixel at any size of cells.
public struct Mosaic: Sendable, Hashable {
    /// The side of a cell is this power of two.
    public let level: Int

    public static let sideRange: ClosedRange<Double> = 1...1024

    /// Pixels along a side.
    public var side: Int { 1 << level }

    /// - Parameter side: at the least; cells have the next power of two.
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
