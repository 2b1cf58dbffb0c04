import Frost

extension Command {
    package static let effect: Command = Command(
        name: "effect", operands: "NAME INPUT... -o OUTPUT [options]",
        summary: "Apply a named effect of iOS, GPUImage, Core Image, 7blur or Frost to pictures.",
        options: [.output, .preset] + Option.regions + [
            .mask, .content, .vibrancy, .contentMode, .linear, .dither, .noDither, .key, .hold, .backend, .device,
            .gpuShaders, .threads, .format, .frameSize,
        ] + Option.sizes + [.dataURI] + Option.pictures + Option.batch + [.force, .noFollow] + Option.limits,
        examples: [
            "frost effect light photo.png -o frosted.png",
            "frost effect tint photo.png -o blue.png --color '#007aff' --scale 2",
            "frost effect material-thick-dark shot.png -o panel.png --rect 40,40,300,200 --corner-radius 20",
            "frost effect blur-dark photo.png -o card.png --content title.png --vibrancy label",
            "frost effect 7blur-sky *.png -o '{dir}/{stem}-{effect}.png' --force",
        ],
        run: { (arguments, _) throws(CommandError) in
            throw .usage("an effect name is required; 'frost effects' lists them")
        },
        details: ["'frost effect NAME --help' describes an effect and its parameters. The effects:"] + names
            + otherNames,
        firstOperand: .effect, otherOperands: .file,
        specialized: { (words) throws(CommandError) in
            let options = Command.effect.options + Command.common + EffectCatalog.options
            let operands = try Arguments(words, options: options, tolerant: true).operands
            // The operand after an unknown option may be the value of that option. Therefore the effect is the first
            // operand that is the name of an effect, not simply the first operand.
            let known = operands.first { (try? EffectCatalog.effect($0)) != nil }
            guard let name = known ?? operands.first else { return Command.effect }
            return forEffect(try EffectCatalog.named(name))
        })

    /// Returns the command for one effect, with the effect's parameters as options.
    private static func forEffect(_ description: EffectDescription) -> Command {
        let general = Command.effect
        return Command(
            name: general.name, operands: "\(description.name) INPUT... -o OUTPUT [options]",
            summary: "\(description.name): \(description.summary).", options: general.options,
            examples: ["frost effect \(description.name) photo.png -o out.png"],
            run: { (arguments, console) throws(CommandError) in
                let name = arguments.operands.first ?? ""
                guard (try? EffectCatalog.effect(name))?.name == description.name else {
                    throw try misplaced(name, description)
                }
                let words = Array(arguments.paths.dropFirst())
                let use: Scatter.Use? =
                    if words.isEmpty { nil } else {
                        try VideoStream(arguments, words) == nil ? .pictures : .frames
                    }
                let effect = try arguments.effect(description, for: use, console)
                return try Rendering.run(arguments, console, effect, words, names: effect.placeholders)
            },
            parameters: description.options,
            details: [description.origin] + description.onEdges,
            remark: "; \(description.takes)", otherOperands: .file)
    }

    /// Returns the error for a command line whose first operand is not the effect's name.
    private static func misplaced(_ word: String, _ description: EffectDescription) throws(CommandError) -> CommandError
    {
        _ = try EffectCatalog.named(word)
        return .usage("the effect's name comes first: frost effect \(description.name) ...")
    }

    /// Paragraphs that list the names of all effects. There is one paragraph for each family.
    private static var names: [String] {
        EffectDescription.Family.allCases.map { family in
            let names = EffectCatalog.all.filter { $0.family == family }.map(\.name)
            return "\(family.rawValue): \(names.joined(separator: ", "))"
        }
    }

    /// A paragraph about other words for the effects.
    private static let otherNames =
        Synonyms.list(for: EffectCatalog.all.map(\.name)).map { ["Other names: \($0)"] } ?? []
}

extension Arguments {
    /// Returns the effect with the parameters, the dither and the key from the command line.
    ///
    /// - Parameter use: what the effect is applied to; nil if there is no input.
    func effect(
        _ description: EffectDescription, for use: Scatter.Use?, _ console: Console
    ) throws(CommandError) -> Effect {
        let effect = try effect(description).dithered(by: try dither(byDefault: true))
        warnOfOpaqueTint(console)
        return try RedactionKey.apply(to: effect, for: use, self, console)
    }
}

extension EffectDescription {
    /// What the effect re-creates, and from which source.
    fileprivate var origin: String {
        switch family {
        case .frost: "Source: \(source)."
        case .imageEffects, .sevenBlur, .blurEffect, .gpuImage, .coreImage:
            "Re-creates an effect of \(family.rawValue). Source: \(source)."
        }
    }

    /// A remark about how to avoid transparent edges. Empty if the effect does not make edges transparent by default.
    fileprivate var onEdges: [String] {
        guard (try? make())?.edge == .clear else { return [] }
        return ["The result's edges are transparent; for an opaque picture, use --background COLOR or --edge clamp."]
    }
}

extension Effect {
    /// The placeholders for output templates. `sigma` is missing if the sigma of the effect depends on the picture.
    fileprivate var placeholders: [(name: String, text: String)] {
        let sigma = gaussian.map { [("sigma", numberText($0.sigmaX, decimals: 3))] } ?? []
        return sigma + [("effect", name)]
    }
}
