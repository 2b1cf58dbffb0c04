import Frost
import FrostCLI
import FrostImages

/// The effects to check, their mask and their content. They come from the options `--sigma`, `--effect`, `--mask` and
/// `--content`, and from the options that set the parameters of the effects.
struct CheckSubjects {
    let effects: [Effect]
    /// The contrast of pictures themselves, if there are no effects; nil if none is demanded.
    let contrast: ContrastDemand?
    private let mask: MaskImage?
    private let content: (options: EffectContent, picture: ContentPicture)?
    private let isLinear: Bool
    private let limits: ImageLimits

    init(_ arguments: Arguments, _ console: Console, limits: ImageLimits) throws(CommandError) {
        var effects = try Self.blurs(arguments)
        for description in try arguments.chosenEffects() ?? [] {
            var effect = try arguments.effect(description)
            // The exact result is not rounded and has no dither, so dither is switched off for the comparison.
            effect.outputStages.dither = nil
            // With offsets that depend on colours, results that differ by little could look very different.
            effects.append(effect.keyed(for: .frames))
        }
        contrast = try ContrastDemand(arguments)
        isLinear = arguments.has(.linear)
        self.limits = limits
        mask = try arguments.path(.mask).map { (path) throws(CommandError) in
            try Pictures.mask(path, ImageReadOptions(limits: limits), nil)
        }
        if mask != nil, !effects.contains(where: { $0.mask == .image }) {
            throw .usage("--mask: none of these effects uses a mask image")
        }
        if let needs = effects.first(where: { $0.mask == .image }), mask == nil {
            throw .usage("\(needs.name) needs --mask FILE")
        }
        content = try EffectContent(arguments, overSome: effects, console).map { (options) throws(CommandError) in
            (options, try options.picture(ImageReadOptions(limits: limits), console, hasOptions: false))
        }
        self.effects = effects
    }

    /// Returns a Gaussian blur for each value of `--sigma`. If the command line names effects or a contrast but contains no
    /// `--sigma`, the default of `--sigma` is not used, and the result is empty.
    private static func blurs(_ arguments: Arguments) throws(CommandError) -> [Effect] {
        let edge = try arguments.required(.edge, as: EdgeMode.self)
        if arguments.has(.chosenEffects) || arguments.has(.minContrast), !arguments.has(.sigmas) { return [] }
        return try (arguments.list(.sigmas, of: Double.self) ?? []).map { (sigma) throws(CommandError) in
            try arguments.withContrast(
                rethrow(
                    Effect(GaussianBlur(sigma: sigma, edge: edge)),
                    as: { (error: ParameterError) in CommandError.usage("--sigma: \(error)") }))
        }
    }

    /// Returns the mask image for an effect, or nil for an effect that does not use a mask image.
    func mask(of effect: Effect) -> MaskImage? { effect.mask == .image ? mask : nil }

    /// Returns the effects for one picture. With `--linear`, they contain the picture's transfer function.
    func effects(on image: PixelBuffer, _ input: FilePath, _ console: Console) throws(CommandError) -> [Effect] {
        let space = image.format.colorSpace
        let light = try isLinear ? space.light(input, limits, console) : nil
        let drawn: ContentImage?
        do throws(ImageError) { drawn = try content?.picture.image(in: space, console) } catch { throw .image(error) }
        return effects.map { effect in
            var effect = effect
            if isLinear { effect.decoding = light }
            if let content, let drawn { effect.outputStages.content = content.options.layers(drawn, over: effect) }
            return effect
        }
    }
}
