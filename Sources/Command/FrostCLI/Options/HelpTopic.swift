/// A group of options in the help of a command that has many.
enum HelpTopic: String, CaseIterable {
    case effect = "the effect"
    case place = "where to apply it"
    case size = "the size"
    case output = "the output"
    case input = "reading the input"
    case files = "several pictures"
    case serving = "serving"
    case access = "who may ask for what"
    case computing = "where to compute"
    case limits = "limits"
    case other = "other options"

    /// The options of the topic. An option that is in no list is in ``other``.
    private var options: [Option] {
        switch self {
        case .effect: [.sigma, .edge, .tint, .saturation, .linear, .dither, .noDither, .key, .hold]
        case .place: Option.regions + [.mask, .content, .vibrancy, .contentMode]
        case .size: Option.sizes
        case .output:
            [
                .output, .format, .quality, .subsampling, .progressive, .optimize, .lossless, .background, .bitDepth,
                .keep, .dataURI, .videoCodec, .crf, .bitrate, .videoPreset, .force, .noFollow,
            ]
        case .input: [.firstFrame, .failOn, .frameSize, .hwaccel, .deinterlace]
        case .files: Option.batch
        case .computing: [.backend, .device, .gpuShaders, .threads]
        case .serving: Option.serving
        case .access: Option.access
        case .limits: Option.limits + Option.serverLimits
        case .other: []
        }
    }

    /// Groups options by their topics. Leaves out the topics without options.
    static func groups(_ options: [Option]) -> [(title: String, options: [Option])] {
        let topics = allCases.map { topic in (topic, Set(topic.options.map(\.name))) }
        return topics.map { topic, names in
            let own = options.filter { option in
                topic == .other ? !topics.contains { $0.1.contains(option.name) } : names.contains(option.name)
            }
            return (topic.rawValue, own)
        }.filter { !$0.1.isEmpty }
    }

    /// The options that most users need, in the order of the short help.
    static let usual: [Option] = [
        .listen, .root, .sign, .presetsOnly, .output, .sigma, .edge, .rect, .cornerRadius, .mask, .content, .resize,
        .recursive, .format, .quality, .force,
        .backend,
    ]
}
