/// The source folds upwards like an accordion and uncovers the target.
///
/// Let H be the extent's height. The source, fixed at the top, has the height h = mix(H, bottomHeight, time), so that
/// it is compressed by h / H, which is the cosine of its pleats' angle φ. It has n pleats of equal height. The light falls
/// along the normals of the first pleat, the third and so on. The others are tilted by 2φ against it, and are darkened by
/// the factor max(0, 1 - foldShadowAmount * (1 - cos 2φ)), where 1 - cos 2φ = 2 (1 - (h / H)²); a pixel on a crease gets
/// the mean over its height. The pattern of pleats continues above and below. Let y be a pixel's distance from the extent's
/// top, clamped to 0...H. It shows the source at its own position, moved down by y * H / h - y, and the target's share is
/// 1 - clamp(h - y + 1 - time), which is a ramp of one pixel. If
/// `bottomHeight` is above 0, the folded source fades out during the last tenth of the time, because the result at time 1 is
/// the target.
public struct AccordionFold: Sendable, Hashable {
    /// The height of the folded source in pixels.
    public let bottomHeight: Double
    /// The number n of pleats.
    public let foldCount: Int
    /// The strength of the pleats' shade, 0 to 1.
    public let foldShadowAmount: Double

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The top of the extent.
        public let top: Double
        /// The height H of the extent.
        public let fullHeight: Double
        /// The height h of the folded source, above 0.
        public let height: Double
        /// The height of a pleat in the result.
        public let pleat: Double
        /// The amount by which every second pleat is darker.
        public let shade: Double
        /// 1 - time, the offset of the ramp.
        public let ramp: Double
        /// The weight of the folded source.
        public let opacity: Double
        /// The canvas, outside which the source has no pixels.
        public let canvas: Rect

        var numbers: [Double] { [top, fullHeight, height, pleat, shade, ramp, opacity, 0] }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        let full = Double(frame.extent.height)
        let bottom = min(bottomHeight, full)
        // The quotient of both heights must stay finite.
        let height = max(full + (bottom - full) * frame.time, full * 0x1p-30)
        return Drawing(
            top: Double(frame.extent.y), fullHeight: full, height: height, pleat: height / Double(foldCount),
            shade: min(1, 2 * foldShadowAmount * (1 - height * height / (full * full))), ramp: 1 - frame.time,
            opacity: bottom > 0 ? min(1, 10 * (1 - frame.time)) : 1, canvas: frame.canvas)
    }
}

extension AccordionFold {
    static let description = TransitionDescription(
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
}
