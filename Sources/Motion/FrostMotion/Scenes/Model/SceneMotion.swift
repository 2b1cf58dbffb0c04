import FrostCore

/// A motion of a panel with a name: 7blur's drop-down panel slides in from above and out again.
public struct SceneMotion: Sendable, Hashable {
    /// The direction of the motion.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// From above the frame to the panel's place, in 0.25 s, with alpha from 0 to 1.
        case slideDown = "slide-down"
        /// From the panel's place to above the frame, in 0.15 s, with alpha to 0.
        case slideUp = "slide-up"

        var duration: Double {
            switch self {
            case .slideDown: 0.25
            case .slideUp: 0.15
            }
        }

        /// How far the panel is in its place after the motion.
        var slideProgress: Double {
            switch self {
            case .slideDown: 1
            case .slideUp: 0
            }
        }
    }

    /// The direction of the motion.
    public let kind: Kind
    /// The time in seconds at which the motion begins.
    public let at: Double
    /// The length in seconds.
    public let duration: Double
    /// How the motion goes from its start to its end.
    public let curve: TimingCurve

    /// The distance between the frame's top edge and the bottom edge of a panel that has slid up, in pixels: 64, by which
    /// 7blur's panel rests below the top edge.
    static let gap = 64.0

    private static let nameField = Field<Kind>("name", .word("motion"), "slide-down or slide-up, as 7blur's panel does")
    private static let atField = Field<Double>("at", .number(sceneTimes), "time at which the motion begins, in seconds")
    private static let durationField = Field<Double?>.optional(
        "duration", .number(0...3600), "length in seconds; 0.25 for slide-down and 0.15 for slide-up by default")
    private static let curveField = Field<TimingCurve>(
        "curve", .curve, default: .easeInOut, "how the motion goes from its start to its end")

    private static let jsonForm = JSONForm.object(
        "a motion: {\"name\": …, \"at\": seconds}",
        [nameField.declaration, atField.declaration, durationField.declaration, curveField.declaration]
    ) { (object) throws(SceneError) in
        let kind = try object(nameField)
        return SceneMotion(
            kind: kind, at: try object(atField), duration: try object(durationField) ?? kind.duration,
            curve: try object(curveField))
    }.named("motion")

    static let listForm = JSONForm<[SceneMotion]>.list(of: jsonForm, "an array of motions").map {
        (motions, node) throws(SceneError) -> [SceneMotion] in
        for index in motions.indices.dropFirst() {
            let (last, next, path) = (motions[index - 1], motions[index], node.path.element(index))
            guard next.at > last.at else {
                throw .invalid(
                    path.member(atField.name), value: JSONValue.number(next.at).description,
                    expected: "a time after that of the last motion, \(JSONValue.number(last.at))")
            }
            guard next.kind != last.kind else {
                throw .invalid(
                    path.member(nameField.name), value: "\"\(next.kind.rawValue)\"",
                    expected: "the other motion, because the motion before is the same")
            }
        }
        return motions
    }

    /// Returns how far the panel is in its place over time: 0 above the frame, 1 at its place.
    static func slideProgress(_ motions: [SceneMotion]) -> Ramps {
        var ramps = Ramps(motions.first.map { 1 - $0.kind.slideProgress } ?? 1)
        for motion in motions {
            ramps.add(at: motion.at, to: motion.kind.slideProgress, duration: motion.duration, motion.curve)
        }
        return ramps
    }
}
