import Glibc

/// A circular wave spreads from the centre, bends the picture, and leaves the target behind.
///
///     r = |p - c|, e = (p - c) / r            the distance from the centre c, and the outward direction
///     R                                       the distance of the extent's farthest corner
///     ρ = t (R + 2 width) - width             the distance of the crest
///     q = (min(r, R) - ρ) / width             the position in the wave
///     m = unit((1 - q) / 2)
///     h = (1 + cos πq) / 2 if |q| <= 1, else 0                        the height of the wave
///     L = 0.41 width if scale >= 0, else 0.57 width
///     s = scale / ⁴√(1 + (scale / L)⁴)         the shift, which stays below L
///     both images are read at c + e (r - s h min(1, r / width))
///     σ = s π / (2 width) sin πq              the downward slope
///     n = e σ / √(1 + σ²)                     the horizontal part of the wave's normal
///     the shading image, read at ½ + n/2 in fractions of its sides, is drawn over the result with the weight h
///
/// Positions outside the canvas or the shading image are clamped to their outermost pixel centres.
///
/// The limit L keeps the picture from folding: the distance r - s h min(1, r / width) that is read always grows with r. Its
/// slope is 1 - s (h' min(1, r / width) + h [r < width] / width), with h' = -π / (2 width) sin πq. The expression in brackets is
/// at most (½ + √(π² + 1) / 2) / width = 2.15 / width, near r = width, and at least -π / (2 width). So the slope is above 0.1.
public struct Ripple: Sendable, Hashable {
    /// The centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// Half the width of the wave in pixels.
    public let width: Double
    /// The maximum shift in pixels, which ``width`` limits. Positive numbers enlarge the picture behind the crest.
    public let scale: Double

    package struct Drawing: TransitionDrawing {
        /// The centre in pixels.
        package let center: SIMD2<Double>
        /// The distance ρ of the crest.
        package let crest: Double
        /// The distance R of the farthest corner.
        package let reach: Double
        /// Half the width of the wave in pixels.
        package let width: Double
        /// The maximum shift s in pixels.
        package let scale: Double
        /// The canvas, to which positions are clamped.
        package let canvas: Rect

        package var parameters: [Double] { [center.x, center.y, crest, reach, width, scale, 0, 0] }

        package func reads(_ pixels: Positions, error: Double) -> TransitionReads {
            let (low, high) = (pixels.low - center, pixels.high - center)
            // The smallest and the largest distance from the centre along each axis.
            let nearest = pointwiseMax(pointwiseMax(low, -high), .zero)
            let farthest = pointwiseMax(-low, high)
            let shifts = shifts(from: length(nearest), to: length(farthest))
            let outward = [
                component(low.x...high.x, across: nearest.y...farthest.y),
                component(low.y...high.y, across: nearest.x...farthest.x),
            ]
            let moves = outward.map { part in
                let ends = [part.lowerBound, part.upperBound].flatMap { end in
                    [end * shifts.lowerBound, end * shifts.upperBound]
                }
                return (least: ends.min() ?? 0, greatest: ends.max() ?? 0)
            }
            let read = Positions(
                low: pixels.low - SIMD2(moves[0].greatest, moves[1].greatest),
                high: pixels.high - SIMD2(moves[0].least, moves[1].least)
            ).clamped(to: canvas)
            return TransitionReads(source: [read], target: read)
        }

        /// Returns the range of inward shifts for a range of distances from the centre.
        private func shifts(from nearest: Double, to farthest: Double) -> ClosedRange<Double> {
            let (first, last) = (phase(nearest), phase(farthest))
            let heights = [height(first), height(last)]
            let highest = first <= 0 && last >= 0 ? 1 : max(heights[0], heights[1])
            let small = scale * min(heights[0], heights[1]) * min(1, nearest / width)
            let large = scale * highest * min(1, farthest / width)
            return min(small, large)...max(small, large)
        }

        /// Returns the position q in the wave.
        private func phase(_ distance: Double) -> Double { (min(distance, reach) - crest) / width }

        /// Returns the height of the wave at a position in it.
        private func height(_ phase: Double) -> Double { abs(phase) < 1 ? (1 + cos(.pi * phase)) / 2 : 0 }

        /// Returns the range of a component of the outward direction.
        ///
        /// - Parameters:
        ///   - along: the offsets from the centre along the component's axis.
        ///   - across: the distances from the centre along the other axis.
        private func component(_ along: ClosedRange<Double>, across: ClosedRange<Double>) -> ClosedRange<Double> {
            func part(_ along: Double, _ across: Double) -> Double {
                let length = length(SIMD2(along, across))
                return length > 0 ? along / length : 0
            }
            let (low, high) = (along.lowerBound, along.upperBound)
            let first = part(low, low < 0 ? across.lowerBound : across.upperBound)
            let last = part(high, high > 0 ? across.lowerBound : across.upperBound)
            return first...last
        }

        private func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }
    }

    /// The maximum shift s. It hardly differs from ``scale`` up to half of the limit.
    private var shift: Double {
        let part = scale / ((scale < 0 ? 0.57 : 0.41) * width)
        return scale / (1 + part * part * part * part).squareRoot().squareRoot()
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let center = frame.point(center)
        let reach = frame.farthestCorner(from: center)
        return Drawing(
            center: center, crest: frame.time * (reach + 2 * width) - width, reach: reach, width: width,
            scale: shift, canvas: frame.canvas)
    }
}

extension Ripple: TransitionKind {
    package static var extraImages: Set<Transition.ExtraImage> { [.shading] }

    /// The slope of the wave amplifies errors of the distance.
    package func largestDistance(_ frame: TransitionFrame) -> Double {
        frame.largestDistance(from: center) * (1 + abs(scale) * .pi / (2 * width)) + abs(scale)
    }

    package static let descriptions = [
        TransitionDescription(
            "ripple", "CIRippleTransition", "a circular wave spreads from the centre and leaves the target behind",
            parameters: [
                .transitionCenterX, .transitionCenterY,
                .number("width", 1...100_000, 100, unit: "pixels", "half the width of the wave"),
                .number("scale", -50...10_000, 50, unit: "pixels", "how far the wave shifts the picture at most"),
            ]
        ) { values throws(ParameterError) in
            .ripple(Ripple(center: values.center, width: values.number("width"), scale: values.number("scale")))
        }
    ]
}
