/// GPUImage's blurs, with GPUImage's parameters and look. GPUImage cuts its kernels off early: at 1.5 sigma for sigma
/// 30. These effects do not cut off the kernels in this way.
enum GPUImageEffects {
    static let all: [EffectDescription] = [
        EffectDescription(
            "gpuimage-gaussian", .gpuImage, "a Gaussian with a sigma in pixels or relative to the image size",
            source: source,
            parameters: [
                .radius(pixels: 2, "standard deviation (sigma) of each pass"),
                .number("passes", 1...16, 1, "number of times the blur is applied"),
                .number(
                    "spacing", 0...16, 1,
                    "factor by which sigma is multiplied (GPUImage's texelSpacingMultiplier)"),
                .number(
                    "radius-fraction-of-width", 0...1, 0, unit: "fraction",
                    "sigma as a fraction of the image's width; if 0, --radius is used"),
                .number(
                    "radius-fraction-of-height", 0...1, 0, unit: "fraction",
                    "sigma as a fraction of the image's height; if 0, --radius is used"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let passes = Double(try values.whole("passes"))
            // The variances of the passes add up, so sigma grows with the square root of their number. It is also
            // proportional to the distance between taps.
            let factor = values.number("spacing") * passes.squareRoot()
            let (width, height) = (
                values.number("radius-fraction-of-width"), values.number("radius-fraction-of-height")
            )
            guard width == 0 || height == 0 else {
                throw .malformed(
                    parameter: "radius-fraction-of-height", value: "\(height)",
                    expected: "0 if radius-fraction-of-width is not 0")
            }
            let blur: any Blur =
                if width > 0 {
                    ProportionalBlur(fraction: width * factor, of: .x, edge: values.edge)
                } else if height > 0 {
                    ProportionalBlur(fraction: height * factor, of: .y, edge: values.edge)
                } else {
                    try values.gaussian(sigma: values.number("radius") * factor)
                }
            return Effect(name: "gpuimage-gaussian", blur: blur)
        },
        EffectDescription(
            "gpuimage-ios", .gpuImage, "GPUImage's version of the iOS 7 blur, with reduced luminance range",
            source: source,
            parameters: [
                .number("radius", 0...100, 12, unit: "reduced pixels", "sigma in pixels of the downsampled image"),
                .number(
                    "downsampling", 1...10, 4,
                    "factor by which the image is downsampled; the blur grows by the same factor"),
                .number("saturation", 0...2, 0.8, "saturation factor: 1 keeps colours, 0 gives grey"),
                .number("range-reduction", 0...1, 0.6, "how far luminance is moved towards mid-grey"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            Effect(
                name: "gpuimage-ios",
                blur: try values.gaussian(sigma: values.number("radius") * values.number("downsampling")),
                outputStages: OutputStages(inside: [
                    .matrix(.saturation(values.number("saturation"), luma: .gpuImage)),
                    .matrix(.rangeReduction(values.number("range-reduction"))),
                ]))
        },
        EffectDescription(
            "box", .gpuImage, "the mean of a square of pixels, as GPUImage's box blur and CIBoxBlur",
            source:
                "GPUImage's box blur: a width of 2 radius + 1, default radius 4; CIBoxBlur's default is radius 10",
            parameters: [
                .radius(
                    pixels: 4,
                    "radius in whole pixels; the box is 2 x radius + 1 pixels wide (CIBoxBlur's "
                        + "radius is 10)"),
                .number("passes", BoxBlur.passRange, 1, "number of times the box is applied"), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let width = 2 * (try values.whole("radius")) + 1
            return Effect(
                name: "box",
                blur: try BoxBlur(width: width, passes: try values.whole("passes"), edge: values.edge))
        },
        EffectDescription(
            "tilt-shift", .gpuImage, "sharp in a horizontal band and blurred elsewhere, for a miniature look",
            source: source,
            parameters: [
                .radius(pixels: 7, "largest standard deviation (sigma) of the blur"),
                .number(
                    "top", 0...1, 0.4, unit: "fraction", "upper end of the sharp band, as a fraction of the height"),
                .number(
                    "bottom", 0...1, 0.6, unit: "fraction", "lower end of the sharp band, as a fraction of the height"),
                .number(
                    "falloff", 0...1, 0.2, unit: "fraction",
                    "width of the transition from sharp to blurred, as a fraction of the height"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let (top, bottom) = (values.number("top"), values.number("bottom"))
            guard top <= bottom else {
                throw .exceeds(parameter: "top", value: top, limit: "bottom", limitValue: bottom)
            }
            let band = Mask.Band(top: top, bottom: bottom, falloff: values.number("falloff"))
            return Effect(
                name: "tilt-shift", blur: try values.gaussian(sigma: values.number("radius")),
                outputStages: OutputStages(mask: .band(band)))
        },
        EffectDescription(
            "selective", .gpuImage, "sharp in a circle and blurred elsewhere", source: source,
            parameters: [
                .radius(pixels: 5, "standard deviation (sigma) outside the circle"),
                .centerX, .centerY,
                .number(
                    "circle", 0...2, 60.0 / 320, unit: "fraction", "radius of the circle, as a fraction of the width"),
                .number(
                    "border", 0...2, 30.0 / 320, unit: "fraction",
                    "width of the transition from sharp to blurred, as a fraction of the width"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let circle = Mask.Circle(
                centerX: values.number("center-x"), centerY: values.number("center-y"),
                radius: values.number("circle"), border: values.number("border"))
            return Effect(
                name: "selective", blur: try values.gaussian(sigma: values.number("radius")),
                outputStages: OutputStages(mask: .circle(circle)))
        },
        EffectDescription(
            "gpuimage-motion", .gpuImage, "motion blur along a line", source: source,
            parameters: [
                .number("blur-size", 0...25, 1, "length of the motion blur, in units of 8 pixels"),
                .number("angle", -360...360, 0, unit: "degrees", "direction of the blur as an angle, clockwise"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            // GPUImage's filter has nine taps: one in the centre and four on either side. Neighbouring taps are
            // blurSize pixels apart.
            let motion = try MotionBlur(
                radius: 4 * values.number("blur-size"), angle: -values.number("angle") * .pi / 180, edge: values.edge)
            return Effect(name: "gpuimage-motion", blur: motion)
        },
        EffectDescription(
            "gpuimage-zoom", .gpuImage, "zoom blur towards a centre and away from it", source: source,
            parameters: [
                .number(
                    "blur-size", 0...25, 1,
                    "strength of the zoom: the value N smears each pixel towards the centre and away "
                        + "from it, by 4 x N percent of its distance to the centre"),
                .centerX, .centerY, .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            // GPUImage's filter has nine taps: one at the pixel and four on either side. The distance between
            // neighbouring taps is blurSize hundredths of the pixel's distance to the centre.
            let reach = 0.04 * values.number("blur-size")
            let zoom = try ZoomBlur(
                centerX: values.number("center-x"), centerY: values.number("center-y"),
                scales: max(0, 1 - reach)...min(2, 1 + reach), edge: values.edge)
            return Effect(name: "gpuimage-zoom", blur: zoom)
        },
    ]

    private static let source = "GPUImage 1 to 3: parameters and defaults of its filters"
}
