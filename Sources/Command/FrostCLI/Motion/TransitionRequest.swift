package import Frost
package import FrostImages

/// The checked options of a request for a transition: one picture of it, or an animation.
package struct TransitionRequest: Sendable {
    /// The format that the request names; nil if it names none.
    package let format: SequenceFormat?
    /// Whether the result is an animation.
    package let isAnimation: Bool
    package let settings: TransitionSettings
    private let arguments: Arguments

    /// The formats of animations. A Y4M stream is for programs on the same machine.
    package static let animations: [SequenceFormat] = [.webp, .apng]

    /// Checks the options.
    ///
    /// - Parameters:
    ///   - limits: the server's limits on the pictures.
    ///   - roles: the pictures that come with the request.
    package init(
        _ description: TransitionDescription, _ options: [RequestOption], limits: ImageLimits,
        with roles: Set<TransitionRole>
    ) throws(RequestError) {
        let known = Self.options(of: description)
        arguments = try Arguments(options, of: known, remark: "; \(description.takes)")
        do throws(CommandError) {
            settings = try TransitionSettings(arguments, description, limits: limits)
            guard !settings.picture.keepsTimes else { throw .usage("--keep times applies to files") }
            isAnimation = arguments.has(.duration)
            guard isAnimation || !arguments.has(.loop) else { throw .usage("--loop needs --duration SECONDS") }
            format = try Self.format(arguments, isAnimation: isAnimation)
            try format?.check(arguments)
            try settings.check(roles)
        } catch {
            throw RequestError(error, known)
        }
    }

    /// The options of a request for a transition. None of them names a file: the pictures come with the request.
    package static func options(of description: TransitionDescription) -> [Option] {
        description.options + sharedOptions
    }

    /// The options of all transitions.
    package static let sharedOptions: [Option] =
        [.time, .duration, .fps, .loop, .extent, .shadowExtent, .linearLight, .transitionFormat] + Option.pictures

    private static func format(
        _ arguments: Arguments, isAnimation: Bool
    ) throws(CommandError) -> SequenceFormat? {
        guard let name = arguments.value(.transitionFormat)?.lowercased() else { return nil }
        guard isAnimation else { return ImageFormat(named: name).map { .pictures($0) } }
        guard let animation = animations.first(where: { $0.suffix == name }) else {
            throw .usage(
                "--format \(name): an animation can be \(animations.map(\.suffix).joined(separator: " or "))")
        }
        return animation
    }

    /// Returns the options for writing the result.
    ///
    /// - Parameters:
    ///   - format: the format of the result.
    ///   - threads: the number of threads that encode.
    package func writing(_ format: SequenceFormat, threads: Int) throws(CommandError) -> SequenceOptions {
        try format.options(arguments, picture: settings.picture.writing, threads: threads)
    }

    /// Whether the request gives an opaque colour to put behind transparent pixels.
    package var hasBackground: Bool { settings.picture.writing.background != nil }
}

extension Option {
    /// `--format` for a transition.
    fileprivate static let transitionFormat = Option(
        Option.format.name, value: Option.format.value,
        kind: .word(ImageFormat.allNames),
        "output format, of an animation webp or apng; by default it follows from the header Accept")
}
