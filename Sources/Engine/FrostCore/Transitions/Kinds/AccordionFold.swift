import Glibc

/// The source folds upwards like an accordion and uncovers the target.
///
///     H                                       the height of the extent
///     h = mix(H, bottomHeight, t)             the height of the folded source, which is fixed at the top
///     cos φ = h / H                           φ is the angle of its n pleats
///     shade = ∛foldShadowAmount sin² φ = ∛foldShadowAmount (1 - (h / H)²)
///     y                                       the distance of p from the extent's top, limited to 0...H
///     source is read at p, moved down by y H / h - y, and darkened by 1 - shade on every second pleat
///     m = 1 - o unit(h - y + 1 - t)           a ramp of one pixel
///     o = min(1, 10 (1 - t)) if bottomHeight > 0, else 1              the folded source fades out at the end
///
/// The light falls along the normals of the first pleat, the third and so on; the others are tilted by 2φ against it. A pixel
/// on a crease gets the mean shade over its height. The root makes small amounts visible: with the default of 0.1, every
/// second pleat is at least 20 % darker from time ¼ on, and 34 % from time ½ on, if bottomHeight is 0. Amount 1 ends in black. The
/// pattern of pleats continues above and below.
public struct AccordionFold: Sendable, Hashable {
    /// The height of the folded source in pixels.
    public let bottomHeight: Double
    /// The number n of pleats.
    public let foldCount: Int
    /// The strength of the pleats' shade, 0 to 1. The shade grows with its cube root.
    public let foldShadowAmount: Double

    package struct Drawing: TransitionDrawing {
        package let top: Double
        /// The height H of the extent.
        package let fullHeight: Double
        /// The height h of the folded source, above 0.
        package let height: Double
        /// The height of a pleat in the result.
        package let pleat: Double
        /// The amount by which every second pleat is darker.
        package let shade: Double
        /// 1 - time, the offset of the ramp.
        package let ramp: Double
        /// The weight of the folded source.
        package let opacity: Double
        /// The canvas, outside which the source has no pixels.
        package let canvas: Rect

        package var parameters: [Double] { [top, fullHeight, height, pleat, shade, ramp, opacity, 0] }

        package func reads(_ pixels: Positions, error: Double) -> TransitionReads {
            var (low, high) = (pixels.low, pixels.high)
            // Below its end the folded source has no weight.
            let end = height + ramp + error
            if end < fullHeight { high.y = min(high.y, top + end) }
            guard low.y <= high.y else { return TransitionReads(source: []) }
            // The position rises with y.
            low.y = unfolded(low.y)
            high.y = unfolded(high.y)
            return TransitionReads(source: [Positions(low: low, high: high)])
        }

        /// Returns the position of the source that is shown at a position.
        private func unfolded(_ y: Double) -> Double {
            y + min(max(y - top, 0), fullHeight) * (fullHeight / height - 1)
        }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let full = Double(frame.extent.height)
        let bottom = min(bottomHeight, full)
        // The quotient of both heights must stay finite.
        let height = max(full + (bottom - full) * frame.time, full * 0x1p-30)
        return Drawing(
            top: Double(frame.extent.y), fullHeight: full, height: height, pleat: height / Double(foldCount),
            shade: cbrt(foldShadowAmount) * (1 - height * height / (full * full)), ramp: 1 - frame.time,
            opacity: bottom > 0 ? min(1, 10 * (1 - frame.time)) : 1, canvas: frame.canvas)
    }
}

extension AccordionFold: TransitionKind {
    package static let descriptions = [
        TransitionDescription(
            "accordion-fold", "CIAccordionFoldTransition", "the source folds upwards like an accordion",
            parameters: [
                .number(
                    "bottom-height", 0...100_000, 0, unit: "pixels", "height of the folded source, before it fades out"),
                .number("folds", 1...50, 3, "number of pleats"),
                .number("fold-shadow-amount", 0...1, 0.1, "strength of the shade on every second pleat"),
            ]
        ) { values throws(ParameterError) in
            .accordionFold(
                AccordionFold(
                    bottomHeight: values.number("bottom-height"), foldCount: try values.whole("folds"),
                    foldShadowAmount: values.number("fold-shadow-amount")))
        }
    ]
}
