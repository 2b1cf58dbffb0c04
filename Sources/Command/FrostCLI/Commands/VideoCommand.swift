import Frost

extension Command {
    package static let video: Command = Command(
        name: "video", operands: "INPUT -o OUTPUT (--sigma S[,SY] | --effect NAME) [options]",
        summary:
            "Blur a video file, or apply an effect, and keep its sound, subtitles, chapters, tags and timestamps.",
        options: [
            .videoOutput, .preset, .sigma, .videoEffect, .edge, .tint, .saturation, .opacity, .minContrast,
            .contentColor,
        ]
            + places + Option.sizes + [.linear, .dither, .noDither] + computing,
        examples: [
            "frost video in.mp4 -o out.mp4 --sigma 8",
            "frost video talk.mp4 -o safe.mp4 --sigma 30 --rect 400,200,160,200 --corner-radius 50%",
            "frost video screen.mkv -o safe.mkv --effect redact --rect 0,90%,40%,10%",
            "frost video wide.mp4 -o tall.mp4 --pad 1080x1920 --sigma 40",
            "frost video in.mov -o small.mp4 --effect blur-dark --video-codec libx265 --crf 22",
        ],
        run: { (arguments, console) throws(CommandError) in
            let conversion = try VideoConversion(arguments, console)
            guard arguments.has(.sigma) else { throw .usage("--sigma S[,SY] or --effect NAME is required") }
            return try conversion.run(try arguments.blur(console))
        },
        details: [
            "The programs ffmpeg and ffprobe decode and encode. 'frost video --effect NAME --help' describes an effect and "
                + "its parameters."
        ],
        otherOperands: .file,
        specialized: { (words) throws(CommandError) in
            let options = Command.video.options + Command.common + EffectCatalog.options
            let first = try Arguments(words, options: options, tolerant: true)
            guard let name = first.value(.videoEffect) else { return Command.video }
            return forEffect(try EffectCatalog.named(name))
        })

    /// The options of where an effect is applied.
    private static let places: [Option] = Option.regions + [.mask]
    private static let computing: [Option] = [.backend, .device, .gpuShaders, .threads] + Option.videoFiles

    /// Returns the command for one effect, with the effect's parameters as options.
    private static func forEffect(_ description: EffectDescription) -> Command {
        Command(
            name: "video", operands: "INPUT -o OUTPUT --effect \(description.name) [options]",
            summary: "\(description.name): \(description.summary).",
            options: [.videoOutput, .preset, .videoEffect] + places
                + Option.sizes + [.content, .vibrancy, .contentMode, .linear, .dither, .noDither, .key, .hold]
                + computing,
            examples: ["frost video in.mp4 -o out.mp4 --effect \(description.name)"],
            run: { (arguments, console) throws(CommandError) in
                let conversion = try VideoConversion(arguments, console)
                return try conversion.run(try arguments.effect(description, for: .frames, console))
            },
            parameters: description.options, remark: "; \(description.takes)", otherOperands: .file)
    }
}
