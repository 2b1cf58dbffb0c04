/// GPUImage's blurs, with its parameters and its look, but without the truncation of its kernels (1.5 sigma at 30).
enum GPUImageEffects {
    static let all: [EffectDescription] = [
        EffectDescription(
            "gpuimage-gaussian", .gpuImage, "a Gaussian, by pixels or in proportion to the image", source: source,
            parameters: [
                .radius(pixels: 2, "sigma of one pass"),
                .number("passes", 1...16, 1, "whole number of blurs one after the other"),
                .number("spacing", 0...16, 1, "texelSpacingMultiplier: widens the blur"),
                .number(
                    "radius-fraction-of-width", 0...1, 0, unit: "fraction",
                    "sigma as a part of the image's width; 0 takes the radius"),
                .number(
                    "radius-fraction-of-height", 0...1, 0, unit: "fraction",
                    "sigma as a part of the image's height; 0 takes the radius"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let passes = Double(try values.whole("passes"))
            // The variances of the passes add up, and the distance between taps multiplies sigma.
            let factor = values.number("spacing") * passes.squareRoot()
            let (width, height) = (
                values.number("radius-fraction-of-width"), values.number("radius-fraction-of-height")
            )
            guard width == 0 || height == 0 else {
                throw .malformed(
                    parameter: "radius-fraction-of-height", value: "\(height)",
                    expected: "0 where radius-fraction-of-width is not")
            }
            let kernel: Effect.Kernel =
                width > 0
                ? .proportional(ProportionalBlur(fraction: width * factor, of: .x, edge: values.edge))
                : height > 0
                    ? .proportional(ProportionalBlur(fraction: height * factor, of: .y, edge: values.edge))
                    : try values.gaussian(sigma: values.number("radius") * factor)
            return Effect(name: "gpuimage-gaussian", kernel: kernel)
        },
        EffectDescription(
            "gpuimage-ios", .gpuImage, "GPUImage's likeness of iOS 7: blurred, and its range of light reduced",
            source: source,
            parameters: [
                .number("radius", 0...100, 12, unit: "reduced pixels", "sigma in pixels of the reduced image"),
                .number("downsampling", 1...10, 4, "by which the image is reduced: multiplies the radius"),
                .number("saturation", 0...2, 0.8, "1 keeps colours, 0 is grey"),
                .number("range-reduction", 0...1, 0.6, "how far luminance is pulled to the middle"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            Effect(
                name: "gpuimage-ios",
                kernel: try values.gaussian(sigma: values.number("radius") * values.number("downsampling")),
                outputStages: OutputStages(inside: [
                    .matrix(.saturation(values.number("saturation"), luma: .gpuImage)),
                    .matrix(.rangeReduction(values.number("range-reduction"))),
                ]))
        },
        EffectDescription(
            "box", .gpuImage, "the plain average of a square, as GPUImage's box blur and CIBoxBlur",
            source:
                "GPUImage's box blur: a width of twice the radius and 1, radius 4; CIBoxBlur's default is radius 10",
            parameters: [
                .radius(
                    pixels: 4, "whole number; the box is 2 radius + 1 wide. CIBoxBlur's default is 10: a width of 21"),
                .number("passes", BoxBlur.passRange, 1, "whole number of boxes one after the other"), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let width = 2 * (try values.whole("radius")) + 1
            return Effect(
                name: "box",
                kernel: .box(try BoxBlur(width: width, passes: try values.whole("passes"), edge: values.edge)))
        },
        EffectDescription(
            "tilt-shift", .gpuImage, "sharp in a band across, as a miniature", source: source,
            parameters: [
                .radius(pixels: 7, "sigma where it is blurred the most"),
                .number("top", 0...1, 0.4, unit: "fraction", "of the height, where the sharp band begins"),
                .number("bottom", 0...1, 0.6, unit: "fraction", "of the height, where it ends"),
                .number("falloff", 0...1, 0.2, unit: "fraction", "of the height, over which sharpness fades"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let (top, bottom) = (values.number("top"), values.number("bottom"))
            guard top <= bottom else {
                throw .exceeds(parameter: "top", value: top, limit: "bottom", limitValue: bottom)
            }
            let band = Mask.Band(top: top, bottom: bottom, falloff: values.number("falloff"))
            return Effect(
                name: "tilt-shift", kernel: try values.gaussian(sigma: values.number("radius")),
                outputStages: OutputStages(mask: .band(band)))
        },
        EffectDescription(
            "selective", .gpuImage, "sharp within a circle", source: source,
            parameters: [
                .radius(pixels: 5, "sigma outside of the circle"),
                .centerX, .centerY,
                .number("circle", 0...2, 60.0 / 320, unit: "fraction", "of the width: the circle's radius"),
                .number("border", 0...2, 30.0 / 320, unit: "fraction", "of the width, over which sharpness fades"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let circle = Mask.Circle(
                centerX: values.number("center-x"), centerY: values.number("center-y"),
                radius: values.number("circle"), border: values.number("border"))
            return Effect(
                name: "selective", kernel: try values.gaussian(sigma: values.number("radius")),
                outputStages: OutputStages(mask: .circle(circle)))
        },
        EffectDescription(
            "gpuimage-motion", .gpuImage, "the mean along a line, as a camera sees what moves", source: source,
            parameters: [
                .number("blur-size", 0...25, 1, "the line is 8 times as many pixels long"),
                .number("angle", -360...360, 0, unit: "degrees", "of the line, clockwise"), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            // The original has four of its nine taps on either side, blurSize pixels apart.
            let motion = try MotionBlur(
                radius: 4 * values.number("blur-size"), angle: -values.number("angle") * .pi / 180, edge: values.edge)
            return Effect(name: "gpuimage-motion", kernel: .motion(motion))
        },
        EffectDescription(
            "gpuimage-zoom", .gpuImage, "the mean along the way to a centre and away from it", source: source,
            parameters: [
                .number(
                    "blur-size", 0...25, 1, "a pixel is smeared over 4 times as many percent of the way, both ways"),
                .centerX, .centerY, .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            // The original has four of its nine taps on either side, blurSize hundredths of the way apart.
            let reach = 0.04 * values.number("blur-size")
            let zoom = try ZoomBlur(
                centerX: values.number("center-x"), centerY: values.number("center-y"),
                scales: max(0, 1 - reach)...min(2, 1 + reach), edge: values.edge)
            return Effect(name: "gpuimage-zoom", kernel: .zoom(zoom))
        },
    ]

    private static let source = "GPUImage 1 to 3: parameters and defaults of its filters"
}
