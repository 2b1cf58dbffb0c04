package import Frost

extension Option {
    static let tint = CommonParameter.tint.parameter.option
    static let saturation = CommonParameter.saturation.parameter.option
    static let opacity = CommonParameter.opacity.parameter.option
    static let strength = CommonParameter.strength.parameter.option
    package static let minContrast = CommonParameter.minContrast.parameter.option
    package static let contentColor = CommonParameter.contentColor.parameter.option
}

extension Command {
    package static let blur = Command(
        name: "blur", operands: "INPUT... -o OUTPUT --sigma S[,SY] [options]",
        summary: "Blur pictures with a Gaussian, within one 8-bit step of the exact result.",
        options: [
            .output, .preset, .sigma, .edge, .tint, .saturation, .opacity, .minContrast, .contentColor,
        ] + Option.regions + [
            .mask, .linear, .dither, .noDither, .backend, .device, .gpuShaders, .threads, .format, .frameSize,
        ] + Option.sizes + [.dataURI] + Option.pictures + Option.batch + [.force, .noFollow] + Option.limits,
        examples: [
            "frost blur photo.png -o soft.png --sigma 8",
            "frost blur *.png -o blurred/ --sigma 2.5 --edge mirror",
            "frost blur -r holiday/ -o calm/ --sigma 4 --manifest done.jsonl --resume",
            "frost blur sign.png -o half.png --sigma 12 --mask fade.png",
            "frost blur shot.png -o calm.png --sigma 30 --rect 120,80,200,200",
            "frost blur shot.png -o '{dir}/{stem}-{sigma}.png' --sigma 3,40 --backend gpu",
            "curl -s https://example.org/a.png | frost blur - -o - --sigma 8 > b.png",
        ],
        run: { (arguments, console) throws(CommandError) in
            let effect = try arguments.blur(console)
            let names = [("sigma", arguments.value(.sigma) ?? ""), ("effect", effect.name)]
            return try Rendering.run(arguments, console, effect, arguments.paths, names: names)
        },
        otherOperands: .file)
}

extension Arguments {
    /// Returns the blur with the colours and the dither from the command line.
    func blur(_ console: Console) throws(CommandError) -> Effect {
        var effect = Effect(try gaussian())
        effect.outputStages.add(saturation: try required(.saturation, as: Double.self))
        effect.outputStages.add(tint: try required(.tint, as: Color.self))
        effect.outputStages.opacity = try required(.opacity, as: Double.self)
        effect = try withContrast(effect)
        warnOfOpaqueTint(console)
        effect.outputStages.dither = try dither(byDefault: false)
        return effect
    }

    /// Returns an effect with the contrast that `--min-contrast` demands.
    package func withContrast(_ effect: Effect) throws(CommandError) -> Effect {
        let parameters: [CommonParameter] = [.minContrast, .contentColor]
        let given = try values(of: parameters.map(\.parameter))
        do throws(ParameterError) { return try CommonParameter.adding(parameters, to: effect, given) } catch {
            throw .usage("--\(error)")
        }
    }

    /// Warns of a tint that hides the picture.
    func warnOfOpaqueTint(_ console: Console) {
        guard [.opacity, .strength].allSatisfy({ value($0, as: Double.self) ?? 1 == 1 }) else { return }
        guard let text = has(.tint) ? value(.tint) : nil, Color(written: text)?.alpha == 1 else { return }
        console.warn("--tint \(text) is opaque, so it hides the picture; give it an alpha, such as black,0.3 or #0004")
    }
}
