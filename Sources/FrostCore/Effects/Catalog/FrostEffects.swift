/// Kernels that the systems have in their own forms, in Frost's form.
enum FrostEffects {
    static let all: [EffectDescription] = [
        EffectDescription(
            "disc", .frost, "the mean of a disc, as a lens out of focus draws a point", source: source,
            parameters: [.number("radius", DiscBlur.radiusRange, 10, unit: "pixels", "of the disc"), .edge(.clamp)]
        ) { values throws(ParameterError) in
            Effect(name: "disc", kernel: .disc(try DiscBlur(radius: values.number("radius"), edge: values.edge)))
        },
        EffectDescription(
            "motion", .frost, "the mean along a line, as a camera sees what moves", source: source,
            parameters: [
                .number("radius", MotionBlur.radiusRange, 20, unit: "pixels", "half of the line"),
                .number("angle", -360...360, 0, unit: "degrees", "of the line, counter-clockwise"), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            Effect(
                name: "motion",
                kernel: .motion(
                    try MotionBlur(
                        radius: values.number("radius"), angle: values.number("angle") * .pi / 180,
                        edge: values.edge)))
        },
        EffectDescription(
            "zoom", .frost, "the mean along the way to a centre, as a camera sees that zooms", source: source,
            parameters: [.zoomAmount, .centerX, .centerY]
        ) { values throws(ParameterError) in
            Effect(name: "zoom", kernel: .zoom(try values.zoom()))
        },
        EffectDescription(
            "redact", .frost, "destroys what it covers: one colour a cell, and that not quite the mean", source: source,
            parameters: [
                .number(
                    "cell", 4...Mosaic.sideRange.upperBound, 32, unit: "pixels",
                    "side of a cell, or the next power of two; more than the height of a letter hides text"),
                .number("shift", 0.05...0.5, 0.15, "of full scale, the most that each colour of a cell is shifted"),
                .number(
                    "seed", 0...Double(UInt32.max), 0,
                    "whole number that shifts follow from; 0 draws them in secret for each picture"),
            ]
        ) { values throws(ParameterError) in
            let mosaic = try Mosaic(side: values.number("cell"))
            let (shift, seed) = (values.number("shift"), UInt32(try values.whole("seed")))
            let scatter =
                seed == 0
                ? Scatter(amplitude: shift, level: mosaic.level)
                : Scatter(amplitude: shift, level: mosaic.level, seed: seed)
            return Effect(
                name: "redact", kernel: .mosaic(mosaic),
                outputStages: OutputStages(inside: [.matrix(.opaque), .scatter(scatter)]))
        },
        EffectDescription(
            "variable", .frost, "the lighter the mask, the wider the blur; needs --mask", source: variableSource,
            parameters: [.radius(pixels: 20, "sigma where the mask is white"), .edge(.clamp)]
        ) { values throws(ParameterError) in
            Effect(
                name: "variable", kernel: try values.variable(sigma: values.number("radius"), mask: .image))
        },
        EffectDescription(
            "progressive", .frost, "a blur that grows along a line", source: variableSource,
            parameters: [
                .radius(pixels: 20, "sigma where it is blurred the most"),
                .number("from", -10...10, 0, unit: "fraction", "of the way, where the picture is sharp"),
                .number("to", -10...10, 1, unit: "fraction", "of the way, from where it is blurred the most"),
                .number(
                    "angle", -360...360, 90, unit: "degrees", "of the way, clockwise: 0 to the right, 90 downwards"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let ramp = Mask.Ramp(
                from: values.number("from"), to: values.number("to"), angle: values.number("angle"))
            return Effect(
                name: "progressive",
                kernel: try values.variable(sigma: values.number("radius"), mask: .ramp(ramp)))
        },
    ]

    private static let variableSource = "Frost's own; sigma is the radius times the mask, or the part of the way"
    private static let source = "Frost's own definitions, below the table in docs/Effects.md"
}

extension EffectParameter {
    static let zoomAmount = EffectParameter.number(
        "amount", 0...100, 20, unit: "percent", "of the way to the centre that a pixel is smeared over")
    static let centerX = EffectParameter.number("center-x", 0...1, 0.5, unit: "fraction", "of the width")
    static let centerY = EffectParameter.number("center-y", 0...1, 0.5, unit: "fraction", "of the height")
}

extension EffectValues {
    /// From a pixel's own place to a part of the way to the centre. That never leaves the picture, so there is no edge
    /// parameter.
    func zoom() throws(ParameterError) -> ZoomBlur {
        try ZoomBlur(
            centerX: number("center-x"), centerY: number("center-y"), scales: (1 - number("amount") / 100)...1)
    }
}
