import Frost
import FrostImages
import FrostMotion
import FrostPipeline

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
    private let transition: Transition
    private let pictures: TransitionPictures
    private let renderer: Renderer
    private var sequence: FrameSequence

    init(
        _ arguments: Arguments, _ description: TransitionDescription, _ console: Console
    ) throws(CommandError) {
        guard arguments.operands.count == 2 else {
            throw .usage("two pictures are required: frost transition A B -o OUTPUT")
        }
        let paths = arguments.paths
        try arguments.checkStandardInput(paths + [Option.shading, .backside].compactMap { arguments.path($0) })
        let times = try Self.times(arguments)
        let picture = try PictureOptions(arguments)
        sequence = try FrameSequence(
            arguments, picture, inputs: [("from", paths[0]), ("to", paths[1])], at: times, console)
        let format = sequence.output.format
        var transition = try arguments.transition(description)
        let used = transition.extraImages
        for (option, image) in [
            (Option.transitionMask, Transition.ExtraImage.mask), (.shading, .shading), (.backside, .backside),
        ] where arguments.has(option) && !used.contains(image) {
            throw .usage("--\(option.name) does not apply to \(transition.name)")
        }
        for (option, isUsed) in [
            (Option.extent, transition.usesExtent), (.shadowExtent, transition.usesShadowExtent),
        ] where arguments.has(option) && !isUsed {
            throw .usage("--\(option.name) does not apply to \(transition.name)")
        }
        if used.contains(.mask), !arguments.has(.transitionMask) {
            throw .usage("\(transition.name) needs --mask FILE")
        }
        renderer = try arguments.renderer()
        // Y4M states no colour space, and players read its colours as sRGB's.
        let asked = [
            (arguments.has(.linearLight), "--linear"), (format == .y4m, "Y4M output"),
            (transition.kind.value.ownColor != nil, "the colour of the transition"),
        ].filter(\.0).map(\.1)
        var pictures = try TransitionPictures(
            arguments, picture.reading, in: format == .y4m ? .sRGB : nil, asked: asked,
            hasBackground: picture.writing.background != nil, console)
        if let path = arguments.path(.transitionMask) {
            pictures.extraImages.mask = try Pictures.mask(path, picture.reading, console)
        }
        // Only files with more than 8 bits need --depth 8. A conversion of colours has more bits, too.
        let isWidened = picture.writing.background != nil && sequence.options.picture.depth == nil
        if format == .y4m || isWidened, !pictures.isDeep { sequence.options.picture.depth = 8 }
        if let file = format.metadataFormat,
            let warning = pictures.source.metadata.lossWarning(
                in: file, named: format.title, keep: picture.writing.keep)
        {
            console.warn("\(paths[0].shownName): \(warning)")
        }
        let source = pictures.source.pixels
        let canvas = pictures.canvas
        func place(_ option: Option) throws(CommandError) -> Rect? {
            let place = arguments.value(option, as: RectPlace.self)
            guard let rect = place?.rect(width: source.width, height: source.height) else { return nil }
            guard rect.intersection(canvas) != nil else {
                throw .usage(
                    "--\(option.name): the rectangle \(rect) lies outside both pictures, which are "
                        + "\(canvas.width)x\(canvas.height) pixels large together")
            }
            return rect
        }
        transition.extent = try place(.extent)
        transition.shadowExtent = try place(.shadowExtent)
        if arguments.has(.linearLight) {
            transition.decoding = source.format.colorSpace.light(paths[0], console)
        }
        try Self.checkMemory(
            of: transition, pictures, &sequence, renderer, picture.reading.limits, name: paths[0].text)
        self.transition = transition
        self.pictures = pictures
    }

    /// Checks the memory of the pictures, of a frame and of what writes the frames, and limits that of the writing.
    private static func checkMemory(
        of transition: Transition, _ pictures: TransitionPictures, _ sequence: inout FrameSequence,
        _ renderer: Renderer, _ limits: ImageLimits, name: String
    ) throws(CommandError) {
        let (source, target) = (pictures.source.pixels.layout, pictures.target.layout)
        let extra = [pictures.extraImages.shading, pictures.extraImages.backside].compactMap { $0?.format }
        let layout: PixelLayout
        do throws(PixelError) {
            let format = try transition.outputFormat(from: source, to: target, extraFormats: extra)
            layout = try PixelLayout(width: pictures.canvas.width, height: pictures.canvas.height, format: format)
        } catch {
            throw .frost(.pixels(error))
        }
        let drawing = try rethrow(
            renderer.memory(of: transition, from: source, to: target, extraImages: pictures.extraImages),
            as: { (error: ParameterError) in CommandError.frost(.parameter(error)) })
        let need =
            pictures.byteCount + layout.byteCount + drawing
            + sequence.output.format.encodingMemory(
                for: layout, frames: sequence.times.values.count, options: sequence.options)
        do throws(ImageError) {
            try limits.check(memory: need, name: name)
            try Memory.check(need - pictures.byteCount, for: name)
        } catch {
            throw .image(error)
        }
        sequence.encodeApart(layout, need: need, within: limits)
        sequence.options.limit = limits.maximumMemory.map { SequenceLimit(available: $0, need: need) }
    }

    /// Returns the times of the frames.
    private static func times(_ arguments: Arguments) throws(CommandError) -> FrameTimes {
        if let time = arguments.value(.time, as: Double.self) {
            guard !arguments.has(.duration) else { throw .usage("--time and --duration cannot be combined") }
            guard !arguments.has(.fps) else { throw .usage("--fps needs --duration SECONDS") }
            return FrameTimes(time, rate: try FrameTimes.rate(arguments))
        }
        guard arguments.has(.duration) else {
            throw .usage("--time T is required for a picture, or --duration SECONDS for an animation")
        }
        return try FrameTimes(arguments)
    }

    func run() throws(CommandError) -> ExitCode {
        let start = ContinuousClock.now
        var sum: RenderReport?
        let layout = try sequence.write(metadata: pictures.source.metadata) { (time) throws(CommandError) in
            let frame = try rethrow(
                renderer.render(
                    transition, at: time, from: pictures.source.pixels, to: pictures.target,
                    extraImages: pictures.extraImages),
                as: CommandError.frost)
            var report = frame.report
            report.add(sum)
            sum = report
            return frame.image
        }
        let total = .now - start
        sequence.report(
            layout, schema: "frost.transition/1",
            text: "\(sum?.place ?? "")  \(fixed(total.milliseconds, 0)) ms",
            details: .joined(["effect": .string(transition.name)], sum.json), render: sum?.blurMilliseconds ?? 0,
            total: total)
        return .done
    }
}
