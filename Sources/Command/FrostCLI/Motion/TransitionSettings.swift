import Frost
import FrostImages
import FrostMotion
import FrostPipeline

/// The checked options of a transition, from a command line or a request.
package struct TransitionSettings: Sendable {
    let times: FrameTimes
    let picture: PictureOptions
    let transition: Transition
    let extent: RectPlace?
    let shadowExtent: RectPlace?
    let isLinear: Bool

    /// - Parameter limits: the limits on the pictures; nil for those of the command line.
    init(
        _ arguments: Arguments, _ description: TransitionDescription, limits: ImageLimits? = nil
    ) throws(CommandError) {
        times = try Self.times(arguments)
        picture = try PictureOptions(arguments, limits: limits)
        let transition = try arguments.transition(description)
        for (option, isUsed) in [
            (Option.extent, transition.usesExtent), (.shadowExtent, transition.usesShadowExtent),
        ] where arguments.has(option) && !isUsed {
            throw .usage("--\(option.name) does not apply to \(transition.name)")
        }
        extent = arguments.value(.extent, as: RectPlace.self)
        shadowExtent = arguments.value(.shadowExtent, as: RectPlace.self)
        isLinear = arguments.has(.linearLight)
        self.transition = transition
    }

    /// Throws if a picture is given that the transition does not use, or if it lacks one.
    func check(_ roles: Set<TransitionRole>) throws(CommandError) {
        let used = transition.extraImages
        for role in TransitionRole.allCases where roles.contains(role) {
            guard let image = role.extraImage, !used.contains(image) else { continue }
            throw .usage("--\(role.rawValue) does not apply to \(transition.name)")
        }
        if used.contains(.mask), !roles.contains(.mask) { throw .usage("\(transition.name) needs --mask FILE") }
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
}
