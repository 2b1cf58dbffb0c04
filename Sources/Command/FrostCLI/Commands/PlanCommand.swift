import Frost

extension Command {
    package static let plan: Command = Command(
        name: "plan", operands: "--size WxH (--sigma S[,SY] | --effect NAME) [options]",
        summary:
            "Print how a blur or an effect would be computed: passes, error bound, and what the draws of a GPU cost.",
        options: [.size, .sigma, .effectName, .edge, .linear.described(as: "plan a blur in linear light"), .accuracy],
        examples: [
            "frost plan --size 3840x2160 --sigma 30", "frost plan --size 1170x2532 --effect light --scale 3",
        ],
        run: { (arguments, console) throws(CommandError) in
            guard arguments.has(.sigma) else { throw .usage("--sigma S[,SY] or --effect NAME is required") }
            return try run(arguments, console, Effect(try arguments.gaussian()))
        },
        specialized: { (words) throws(CommandError) in
            let options = Command.plan.options + Command.common + EffectCatalog.options
            let first = try Arguments(words, options: options, tolerant: true)
            guard let name = first.value(.effectName) else { return Command.plan }
            let description = try EffectCatalog.named(name)
            if first.has(.sigma) {
                throw .usage("--effect and --sigma cannot be combined")
            }
            return planning(description)
        })

    /// Returns the `plan` command for one effect, with the effect's parameters as options.
    private static func planning(_ description: EffectDescription) -> Command {
        let names = description.parameters.map(\.name)
        return Command(
            name: Command.plan.name, operands: "--size WxH --effect \(description.name) [options]",
            summary: Command.plan.summary,
            options: Command.plan.options.filter { !names.contains($0.name) && $0.name != Option.sigma.name },
            examples: ["frost plan --size 1170x2532 --effect \(description.name)"],
            run: { (arguments, console) throws(CommandError) in
                try run(arguments, console, try arguments.effect(description))
            },
            parameters: description.options, remark: "; \(description.takes)")
    }

    private static func run(
        _ arguments: Arguments, _ console: Console, _ effect: Effect
    ) throws(CommandError) -> ExitCode {
        guard arguments.operands.isEmpty else { throw .usage("unexpected operand \(arguments.operands[0])") }
        let size = try arguments.required(.size, as: PictureSize.self)
        let plan: Plan
        var effect = effect
        if arguments.has(.linear) { effect.decoding = .sRGB }
        // A plan knows no pixels, so the colour of content is chosen for a medium grey.
        effect = try rethrow(effect.decidingContent(for: SIMD4(0.5, 0.5, 0.5, 1)), as: CommandError.refused)
        let budget = try arguments.required(.accuracy, as: Double.self)
        plan = try rethrow(
            effect.plan(
                extent: Rect(x: 0, y: 0, width: size.width, height: size.height),
                accuracy: Accuracy(errorBudget: budget)), as: CommandError.refused)
        console.json
            ? console.result(plan.json(effect))
            : (effect.stages.prefix(1) + plan.lines + plan.drawLines).forEach { console.result($0) }
        return .done
    }
}

extension Plan {
    fileprivate func json(_ effect: Effect) -> JSONValue {
        var passes: [JSONValue] = []
        var levels: [JSONValue] = []
        var decimations: [JSONValue] = []
        for step in work.kind.steps(in: self) {
            switch step.data {
            case .pass(let pass, let window): passes.append(pass.json(window))
            case .kernel2D(let kernel): passes.append(kernel.json(region))
            case .decimation(let image): decimations.append(image.json)
            case .level(let level): levels.append(level.json)
            case .mixture: break
            case .lens(let refraction): passes.append(refraction.json(region))
            }
        }
        return [
            "schema": "frost.plan/1", "effect": .string(effect.description),
            "sigma": .number(effect.gaussian?.sigmaX, decimals: 6), "width": .int(extent.width),
            "height": .int(extent.height),
            // The error bound is in 8-bit steps. A 16-bit step is 1/257 of an 8-bit step.
            "errorBound": .number(errorBound, decimals: 7), "passes": .array(passes), "levels": .array(levels),
            "decimations": .array(decimations), "outputStages": .strings(outputStages.stages),
            "samplesRead": .number(samplesRead, decimals: 0), "samplesWritten": .number(samplesWritten, decimals: 0),
            "draws": jsonOfDraws,
        ]
    }
}

extension Pass {
    fileprivate func json(_ window: Rect) -> JSONValue {
        [
            "operation": .string(operation.name), "axis": .string(axis.rawValue),
            "taps": .array(operation.taps.map { .number(Double($0), decimals: 9) }),
            "edge": .string(edge.mode.rawValue), "x": .int(window.x), "y": .int(window.y), "width": .int(window.width),
            "height": .int(window.height),
        ]
    }
}

extension Refraction {
    fileprivate func json(_ region: Rect) -> JSONValue {
        [
            "operation": "lens", "band": .number(lens.band, decimals: 6), "depth": .number(lens.depth, decimals: 6),
            "profile": .string(lens.profile.rawValue), "dispersion": .number(lens.dispersion, decimals: 6),
            "samplesPerPixel": .int(sampling * sampling), "x": .int(region.x), "y": .int(region.y),
            "width": .int(region.width), "height": .int(region.height),
        ]
    }
}

extension Kernel2D {
    /// Returns the kernel as a JSON object in the list of passes. In this object, a run is an array of four numbers:
    /// dx, dy, the count of its pixels, and the weight of each pixel.
    fileprivate func json(_ region: Rect) -> JSONValue {
        .joined(
            ["operation": "kernel2d"], reads.shape.json,
            [
                "edge": .string(edge.rawValue), "x": .int(region.x), "y": .int(region.y), "width": .int(region.width),
                "height": .int(region.height),
            ])
    }
}

extension Blend.Level {
    fileprivate var json: JSONValue {
        [
            "sigma": .number(sigma, decimals: 6), "passes": .int(plan.passes.list.count),
            "decimation": .int(decimation), "x": .int(plan.region.x), "y": .int(plan.region.y),
            "width": .int(plan.region.width), "height": .int(plan.region.height),
        ]
    }
}

extension Blend.Decimation {
    /// The image as a JSON object. `passes` counts the decimations from the image `from`, or from the source if `from`
    /// is null.
    fileprivate var json: JSONValue {
        [
            "from": .int(from), "passes": .int(passes.count), "x": .int(window.x),
            "y": .int(window.y), "width": .int(window.width), "height": .int(window.height),
        ]
    }
}
