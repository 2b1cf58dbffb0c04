import Frost
import FrostCLI
import FrostImages

/// The effects to check and their inputs: `--sigma`, `--effect` with its parameters, `--mask`, `--content`.
struct CheckSubjects {
    let effects: [Effect]
    private let mask: MaskImage?
    private let content: (options: EffectContent, picture: ContentPicture)?
    private let isLinear: Bool

    init(_ arguments: Arguments, _ console: Console, limits: ImageLimits) throws(CommandError) {
        var effects = try Self.blurs(arguments)
        for description in try arguments.chosenEffects() ?? [] {
            var effect = try arguments.effect(description)
            // The exact result is not rounded, so it has no dither.
            effect.outputStages.dither = nil
            effects.append(effect)
        }
        isLinear = arguments.has(.linear)
        mask = try arguments.value(.mask).map { (path) throws(CommandError) in
            try Pictures.mask(path, limits: limits)
        }
        if mask != nil, !effects.contains(where: { $0.mask == .image }) {
            throw .usage("--mask: none of these effects uses a mask image")
        }
        if let needs = effects.first(where: { $0.mask == .image }), mask == nil {
            throw .usage("\(needs.name) needs --mask FILE")
        }
        content = try EffectContent(arguments, overSome: effects, console).map { (options) throws(CommandError) in
            (options, try options.picture(limits: limits))
        }
        self.effects = effects
    }

    /// `--sigma`, which has a default unless effects are named.
    private static func blurs(_ arguments: Arguments) throws(CommandError) -> [Effect] {
        let edge = try arguments.required(.edge, as: EdgeMode.self)
        if arguments.has(.chosenEffects), !arguments.has(.sigmas) { return [] }
        return try (arguments.list(.sigmas, of: Double.self) ?? []).map { (sigma) throws(CommandError) in
            do throws(ParameterError) { return Effect(try GaussianBlur(sigma: sigma, edge: edge)) } catch {
                throw .usage("--sigma: \(error)")
            }
        }
    }

    /// The mask that goes with an effect: one that has a mask of its own keeps it.
    func mask(of effect: Effect) -> MaskImage? { effect.mask == .image ? mask : nil }

    /// The effects with what depends on the picture.
    func effects(on image: PixelBuffer, _ input: String, _ console: Console) throws(CommandError) -> [Effect] {
        let space = image.format.colorSpace
        let light = isLinear ? try space.light(input, console) : nil
        let drawn = try content?.picture.image(in: space, console)
        return effects.map { effect in
            var effect = effect
            if isLinear { effect.decoding = light }
            if let content, let drawn { effect.outputStages.content = content.options.layers(drawn, over: effect) }
            return effect
        }
    }
}
