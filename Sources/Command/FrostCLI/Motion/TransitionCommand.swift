import Frost
import FrostImages
import FrostMotion

extension Command {
    package static let transition: Command = Command(
        name: "transition", operands: "[NAME] A B -o OUTPUT (--time T | --duration SECONDS) [options]",
        summary: "Make one picture of a transition between two pictures, or an animation.",
        options: [
            .transitionName, .time, .sequenceOutput, .transitionMask, .shading, .backside, .extent, .shadowExtent,
            .linearLight,
        ] + Option.sequences + [.transitionBackend, .device, .gpuShaders, .threads] + Option.pictures + [
            .force, .noFollow,
        ]
            + Option.limits,
        examples: [
            "frost transition a.png b.png -o middle.png --effect flash --time 0.4",
            "frost transition a.png b.png -o curl.webp --effect page-curl-with-shadow --angle 180 --duration 1.2",
            "frost transition a.png b.png -o 'frames/{frame}.png' --effect ripple --duration 2 --fps 30",
            "frost transition a.png b.png -o - --duration 1 --background white | ffmpeg -i - -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' out.mp4",
        ],
        run: { (arguments, console) throws(CommandError) in
            try TransitionRendering(arguments, try TransitionCatalog.named("dissolve"), console).run()
        },
        details: [
            "'frost transition --effect NAME --help' describes a transition and its parameters; 'frost transitions' lists "
                + "all."
        ],
        otherOperands: .file,
        specialized: { (words) throws(CommandError) in
            let options =
                Command.transition.options + Command.common + TransitionDescription.options(of: TransitionCatalog.all)
            let arguments = try Arguments(words, options: options, tolerant: true)
            if arguments.has(.transitionName), let name = arguments.value(.transitionName) {
                return forTransition(try TransitionCatalog.named(name))
            }
            // The name may come first, as that of an effect.
            guard let first = arguments.operands.first, arguments.operands.count == 3,
                let named = try? TransitionCatalog.transition(first)
            else { return Command.transition }
            return forTransition(named, isFirst: true)
        })

    /// Returns the command for one transition, with its parameters as options.
    ///
    /// - Parameter isFirst: whether the name is the first operand.
    private static func forTransition(_ description: TransitionDescription, isFirst: Bool = false) -> Command {
        let general = Command.transition
        return Command(
            name: general.name, operands: "A B -o OUTPUT (--time T | --duration SECONDS) --effect \(description.name)",
            summary: "\(description.name): \(description.summary).", options: general.options,
            examples: ["frost transition a.png b.png -o out.webp --effect \(description.name) --duration 1.2"],
            run: { (arguments, console) throws(CommandError) in
                let rest = isFirst ? arguments.droppingFirstOperand() : arguments
                return try TransitionRendering(rest, description, console).run()
            },
            parameters: description.options, details: ["Re-creates \(description.source) of Core Image."],
            remark: "; \(description.takes)", otherOperands: .file)
    }
}

/// Renders the frames of a transition and writes them.
struct TransitionRendering {
    private let prepared: PreparedTransition
    private var sequence: FrameSequence

    init(
        _ arguments: Arguments, _ description: TransitionDescription, _ console: Console
    ) throws(CommandError) {
        guard arguments.operands.count == 2 else {
            throw .usage("two pictures are required: frost transition A B -o OUTPUT")
        }
        let paths = arguments.paths
        try arguments.checkStandardInput(paths + [Option.shading, .backside].compactMap { arguments.path($0) })
        let inputs = TransitionInputs(arguments, console)
        let settings = try TransitionSettings(arguments, description)
        sequence = try FrameSequence(
            arguments, settings.picture, inputs: [("from", paths[0]), ("to", paths[1])], at: settings.times, console)
        try settings.check(inputs.roles)
        let renderer = try arguments.renderer()
        let format = sequence.output.format
        prepared = try PreparedTransition(settings, inputs, with: renderer, isForY4M: format == .y4m, console)
        _ = try prepared.prepare(&sequence.options, as: format, console)
    }

    func run() throws(CommandError) -> ExitCode {
        let start = ContinuousClock.now
        var sum: RenderReport?
        let layout = try sequence.write(metadata: prepared.metadata) { (time) throws(CommandError) in
            let frame = try prepared.frame(at: time)
            sum.append(frame.report)
            return frame.image
        }
        let total = .now - start
        sequence.report(
            layout, schema: "frost.transition/1",
            text: "\(sum?.place ?? "")  \(fixed(total.milliseconds, 0)) ms",
            details: .joined(["effect": .string(prepared.name)], sum.json), render: sum?.blurMilliseconds ?? 0,
            total: total)
        return .done
    }
}
