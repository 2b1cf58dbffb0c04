/// Core Image's filters by their documented parameters.
enum CoreImageEffects {
    static let all: [EffectDescription] = [
        EffectDescription(
            "ci-gaussian", .coreImage,
            "CIGaussianBlur: clear edges and a larger result, or clamped and cropped as with CIAffineClamp",
            source: "Core Image Filter Reference: CIGaussianBlur, CIAffineClamp",
            parameters: [.radius(pixels: 10, "sigma of the blur"), .edge(.clear)]
        ) { values throws(ParameterError) in
            var effect = Effect(
                name: "ci-gaussian", kernel: try values.gaussian(sigma: values.number("radius")))
            // What is cut off beyond 3 sigma is less than half a step.
            if values.edge == .clear { effect.growth = Int((3 * values.number("radius")).rounded(.up)) }
            return effect
        }
    ]
}
