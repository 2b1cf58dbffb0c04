/// A mosaic: every pixel is the mean of its cell. Cells are squares of `2^level` pixels, at multiples of their side
/// from the absolute origin.
///
/// Only cells that lie as a whole in the image, or in ``bounds``, are shown. The pixels of other cells get the mean of the
/// nearest cell that is shown, because the mean of a narrow cell would tell much about its few pixels. If no whole cell fits, the
/// one with the most pixels is shown. If this cell extends outside the image, the part outside is filled with the nearest edge
/// pixels.
///
/// The cost is O(1) per pixel for cells of any size, because the mosaic is computed by decimations and interpolations,
/// like a Gaussian blur, but with two taps each.
public struct Mosaic: Sendable, Hashable {
    /// The base-2 logarithm of a cell's side in pixels.
    public let level: Int
    /// The rectangle whose whole cells are shown, in absolute pixels; nil for the image.
    public var bounds: Rect?

    /// The range of accepted cell sides, in pixels.
    public static let sideRange: ClosedRange<Double> = 1...1024

    /// The side of a cell in pixels.
    public var side: Int { 1 << level }

    /// Creates a mosaic.
    ///
    /// - Parameter side: the minimum side of a cell in pixels. It is rounded up to a power of two.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a side outside 1...1024.
    public init(side: Double) throws(ParameterError) {
        guard Self.sideRange.contains(side) else {
            throw .outOfRange(parameter: "cell", value: side, allowed: Self.sideRange)
        }
        var level = 0
        while Double(1 << level) < side { level += 1 }
        self.level = level
    }

    /// Returns the pixels of the cells that are shown.
    ///
    /// - Parameter extent: the image's rectangle.
    package func cells(in extent: Rect) -> Rect {
        let bounds = bounds ?? extent
        func along(_ pixels: Range<Int>) -> Range<Int> {
            let first = (pixels.lowerBound + side - 1) & ~(side - 1)
            let end = pixels.upperBound & ~(side - 1)
            if first < end { return first..<end }
            let hasMoreBefore = first - pixels.lowerBound > pixels.upperBound - first
            let start = hasMoreBefore ? first - side : first
            return start..<start + side
        }
        return Rect(columns: along(bounds.columns), rows: along(bounds.rows))
    }
}

extension Mosaic: CustomStringConvertible {
    /// The mosaic in words, for example "cells of 32 pixels".
    public var description: String { "cells of \(side) pixels" }
}

extension Mosaic: Blur {
    public var edge: EdgeMode { .clamp }
    public var isIdentity: Bool { level == 0 }
    public var phrase: String { "means of \(self)" }
    public var cellSide: Int? { side }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        nil
    }

    /// Sides are powers of two, so the effect's parameter is multiplied instead.
    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur { self }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region)
    }
}
