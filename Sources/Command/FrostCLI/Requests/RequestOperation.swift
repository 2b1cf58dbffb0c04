package import Frost
import FrostImages

/// What a request to a server asks to be applied to a picture: a Gaussian blur, or an effect.
package enum RequestOperation: Sendable {
    case blur
    case effect(EffectDescription)

    /// The name of the effect.
    package var name: String {
        switch self {
        case .blur: Command.blur.name
        case .effect(let description): description.name
        }
    }

    /// The options that a request may set, as the command declares them. None of them names a file, and none selects where
    /// the server computes: a stranger sets them.
    package var options: [Option] { ownOptions + Self.sharedOptions }

    /// The options that other operations may not have.
    package var ownOptions: [Option] {
        switch self {
        case .blur: [.sigma, .edge, .tint, .saturation, .opacity, .minContrast, .contentColor]
        case .effect(let description): description.options + [.vibrancy, .contentMode]
        }
    }

    /// The options of all operations.
    package static let sharedOptions: [Option] =
        [
            .rect, .ellipse, .feather, .invertRects, .cornerRadius, .cornerSmoothing, .cornerExponent, .bounded,
            .relativeTo, .linear, .dither, .noDither, .pictureFormat,
        ] + Option.sizes + Option.pictures

    /// The text for the error about an unknown option.
    var remark: String {
        switch self {
        case .blur: Command.blur.remark
        case .effect(let description): "; \(description.takes)"
        }
    }

    /// The command that has the options.
    private var command: Command {
        get throws(CommandError) {
            switch self {
            case .blur: .blur
            case .effect(let description): try Command.effect.specialized?([description.name]) ?? .effect
            }
        }
    }
}

extension Option {
    /// `--format` for a single picture.
    package static let pictureFormat = Option(
        Option.format.name, value: Option.format.value, kind: .word(ImageFormat.allNames),
        "output format; by default it follows from the header Accept")
}

extension RequestOperation {
    /// Returns the operation and the options of a preset, for a request that names it.
    ///
    /// - Parameter own: the operation of the request, for a preset that has none; nil if the preset must have one.
    package static func preset(
        _ name: String, among presets: [Preset], for own: RequestOperation? = nil
    ) throws(CommandError) -> (RequestOperation, [RequestOption]) {
        let preset = try PresetFile.preset(name, of: presets)
        let operation = try operation(of: preset, own)
        let command = try operation.command
        let words = try preset.words(for: command)
        let arguments = try Arguments(
            words[...], options: command.parameters + command.options + Command.common, environment: { _ in nil })
        // A request always gets a picture, and the server chooses where it computes.
        let ignored: [Option] = [.dataURI, .force, .noFollow, .backend, .device, .gpuShaders, .threads, .output]
        let known = Set(operation.options.map(\.name))
        var options: [RequestOption] = []
        for (name, values) in arguments.written(except: Set((ignored + Option.limits).map(\.name))) {
            guard known.contains(name) else {
                throw .usage("the preset \(preset.name) has --\(name), which a server does not take")
            }
            options += values.map { RequestOption(name, $0) }
        }
        return (operation, options)
    }

    private static func operation(
        of preset: Preset, _ own: RequestOperation?
    ) throws(CommandError) -> RequestOperation {
        let words = preset.command
        let named: RequestOperation?
        if words.first == Command.blur.name {
            named = .blur
        } else if words.first == Command.effect.name, words.count == 2 {
            named = .effect(try EffectCatalog.named(words[1]))
        } else if words.isEmpty {
            named = nil
        } else {
            throw .usage("the preset \(preset.name) is for frost \(words.joined(separator: " ")), not for pictures")
        }
        guard let operation = named ?? own else {
            throw .usage("the preset \(preset.name) names no command, so it needs an effect")
        }
        guard let own, let named, own.name != named.name else { return operation }
        throw .usage("the preset \(preset.name) is for \(named.name), not \(own.name)")
    }
}
