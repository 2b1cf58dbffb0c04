/// Frost's own effects. Other systems have their own versions of some of these blurs.
enum FrostEffects {
    static let redaction = "redact"

    static let all: [EffectDescription] = [
        EffectDescription(
            "disc", .frost, "the mean of a disc, as of a lens that is out of focus", source: source,
            parameters: [
                .number("radius", DiscBlur.radiusRange, 10, unit: "pixels", "radius of the disc"), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            Effect(name: "disc", blur: try DiscBlur(radius: values.number("radius"), edge: values.edge))
        },
        EffectDescription(
            "motion", .frost, "motion blur along a line", source: source,
            parameters: [
                .number("radius", MotionBlur.radiusRange, 20, unit: "pixels", "half the length of the motion blur"),
                .number(
                    "angle", -360...360, 0, unit: "degrees",
                    "direction of the blur as an angle, counter-clockwise"),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            Effect(
                name: "motion",
                blur: try MotionBlur(
                    radius: values.number("radius"), angle: values.number("angle") * .pi / 180,
                    edge: values.edge))
        },
        EffectDescription(
            "zoom", .frost, "zoom blur towards a centre, as of a camera that zooms", source: source,
            parameters: [.zoomAmount, .centerX, .centerY]
        ) { values throws(ParameterError) in
            Effect(name: "zoom", blur: try values.zoom())
        },
        EffectDescription(
            redaction, .frost, "irreversible mosaic: one colour per cell, shifted by a secret amount", source: source,
            parameters: [
                .number(
                    "cell", 4...Mosaic.sideRange.upperBound, 32, unit: "pixels",
                    "side of a cell, rounded up to a power of two; cells larger than a letter hide text"),
                .number(
                    "shift", 0.05...0.5, 0.15,
                    "largest random change of each colour channel, as a fraction of full scale"),
                EffectParameter(
                    "fill", .color(default: .white(0, 0)),
                    "draw an opaque bar of this colour instead of the mosaic; alpha 0 keeps the mosaic"),
                .number(
                    "seed", 0...Double(UInt32.max), 0,
                    "makes the colour changes reproducible, for tests: whoever guesses the seed can undo them; 0 "
                        + "uses a secret key"),
            ], without: [.opacity, .strength]
        ) { values throws(ParameterError) in
            let mosaic = try Mosaic(side: values.number("cell"))
            let fill = values.color("fill")
            let color: ColorStage
            if fill.alpha > 0 {
                color = .matrix(.tint(fill.covering(1)))
            } else {
                let (shift, seed) = (values.number("shift"), UInt32(try values.whole("seed")))
                color = .scatter(
                    Scatter(amplitude: shift, level: mosaic.level, key: seed == 0 ? .unset : .seed(seed)))
            }
            var stages = OutputStages(inside: [.matrix(.opaque), color])
            // A mixture of the original and a cell would show the original.
            stages.clipRule.coversTouched = true
            return Effect(name: redaction, blur: mosaic, outputStages: stages)
        },
        EffectDescription(
            "variable", .frost, "the lighter the mask, the wider the blur; needs --mask", source: variableSource,
            parameters: [.radius(pixels: 20, "standard deviation (sigma) where the mask is white"), .edge(.clamp)]
        ) { values throws(ParameterError) in
            Effect(
                name: "variable", blur: try values.variable(sigma: values.number("radius"), mask: .image))
        },
        EffectDescription(
            "progressive", .frost, "a blur whose sigma grows along a line", source: variableSource,
            parameters: [
                .radius(pixels: 20, "largest standard deviation (sigma) of the blur"),
                .number(
                    "from", -10...10, 0, unit: "fraction",
                    "where the blur begins, as a fraction of the picture's length in the direction of --angle"),
                .number(
                    "to", -10...10, 1, unit: "fraction",
                    "where the blur reaches its largest sigma, as a fraction of the picture's length in "
                        + "the direction of --angle"),
                .number(
                    "angle", -360...360, 90, unit: "degrees",
                    "direction in which the blur grows, clockwise: 0 is to the right, 90 is downwards"),
                EffectParameter(
                    "gradient", .stops,
                    "stops POSITION:VALUE,... in place of --from and --to: the value scales sigma and mixes the colours"
                ),
                .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let ramp = Mask.Ramp(
                from: values.number("from"), to: values.number("to"), angle: values.number("angle"))
            return Effect(
                name: "progressive",
                blur: try values.variable(sigma: values.number("radius"), mask: values.gradient ?? .ramp(ramp)))
        },
    ]

    private static let variableSource =
        "Frost's own definition in docs/internals/Formulas.md; sigma is the radius times the mask or the position along the "
        + "line"
    private static let source = "Frost's own definition in docs/internals/Formulas.md"
}

extension EffectParameter {
    static let zoomAmount = EffectParameter.number(
        "amount", 0...100, 20, unit: "percent",
        "how far each pixel is smeared, as a fraction of its distance to the centre")
    static let centerX = EffectParameter.number(
        "center-x", 0...1, 0.5, unit: "fraction", "x of the centre, as a fraction of the width")
    static let centerY = EffectParameter.number(
        "center-y", 0...1, 0.5, unit: "fraction", "y of the centre, as a fraction of the height")
}

extension EffectValues {
    /// Returns a zoom that smears each pixel along a line. The line starts at the pixel and goes a part of the way to
    /// the centre. It never leaves the picture, so the effect has no parameter for the edge mode.
    func zoom() throws(ParameterError) -> ZoomBlur {
        try ZoomBlur(
            centerX: number("center-x"), centerY: number("center-y"), scales: (1 - number("amount") / 100)...1)
    }
}

extension Effect {
    /// Whether the effect is a redaction, under which nothing of the original may show.
    package var isRedaction: Bool { name == FrostEffects.redaction }
}
