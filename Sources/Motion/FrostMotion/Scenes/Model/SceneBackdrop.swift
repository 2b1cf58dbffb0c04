public import FrostCore

/// What is seen behind the panels of a scene from a certain time on.
public struct SceneBackdrop: Sendable, Hashable {
    /// The source of the backdrop's pixels.
    public enum Content: Sendable, Hashable {
        /// A surface of one colour.
        case color(Color)
        /// A picture, by the name that ``SceneResources`` knows.
        case picture(String, ContentMode)
        /// A video, by name. It starts at `start` seconds of its own time when the backdrop appears. After its last frame it
        /// starts again if `isLooping`, or else the last frame stays.
        case video(String, ContentMode, start: Double, isLooping: Bool)
    }

    /// The source of the pixels.
    public let content: Content
    /// The time in seconds at which the backdrop appears, or its transition begins.
    public let at: Double
    /// The transition from the last backdrop; nil for a cut.
    public let transition: SceneTransition?
    let path: ScenePath

    private static let colorField = Field<Color?>.optional("color", .color, "a surface of one colour")
    private static let pictureField = Field<String?>.optional(
        "picture", .text("the name of a picture file"), "file name of a picture, relative to the scene's file")
    private static let videoField = Field<String?>.optional(
        "video", .text("the name of a Y4M file"), "file name of a Y4M video, relative to the scene's file")
    private static let modeField = Field<ContentMode>(
        "mode", .word("mode"), default: .aspectFill, "how a picture or video is placed in the frame")
    private static let startField = Field<Double>(
        "start", .number(sceneTimes), default: 0, "time in the video at which it begins, in seconds")
    private static let loopField = Field<Bool>(
        "loop", .flag, default: false, "whether the video begins again after its last frame")
    private static let atField = Field<Double>(
        "at", .number(sceneTimes), default: 0, "time at which the backdrop appears, in seconds")
    private static let transitionField = Field<SceneTransition?>.optional(
        "transition", SceneTransition.jsonForm, "transition from the last backdrop, which begins at this time")

    static let jsonForm = JSONForm.object(
        "a backdrop: an object with color, picture or video",
        [
            colorField.declaration, pictureField.declaration, videoField.declaration, modeField.declaration,
            startField.declaration, loopField.declaration, atField.declaration, transitionField.declaration,
        ],
        extra: [
            "oneOf": [["required": ["color"]], ["required": ["picture"]], ["required": ["video"]]],
            "allOf": [
                ["not": ["required": ["color", "mode"]]],
                [
                    "anyOf": [
                        ["required": ["video"]], ["not": ["anyOf": [["required": ["start"]], ["required": ["loop"]]]]],
                    ]
                ],
            ],
        ]
    ) { (object) throws(SceneError) in
        let mode = try object(modeField)
        let content: Content
        switch (try object(colorField), try object(pictureField), try object(videoField)) {
        case (let color?, nil, nil):
            try object.refuse([modeField.name], "only with picture or video")
            try object.refuse([startField.name, loopField.name], "only with video")
            content = .color(color)
        case (nil, let name?, nil):
            try object.refuse([startField.name, loopField.name], "only with video")
            content = .picture(name, mode)
        case (nil, nil, let name?):
            content = .video(name, mode, start: try object(startField), isLooping: try object(loopField))
        case (_, _, _): throw object.node.invalid("exactly one of color, picture and video")
        }
        return SceneBackdrop(
            content: content, at: try object(atField), transition: try object(transitionField), path: object.node.path)
    }.named("backdrop")

    /// One backdrop, or several in the order of their times.
    static let listForm = JSONForm.either(
        jsonForm.map { (backdrop, _) throws(SceneError) in [backdrop] },
        .list(of: jsonForm, "an array of backdrops", minimum: 1)
    ) { value in
        if case .array = value { false } else { true }
    }.map { (backdrops, node) throws(SceneError) -> [SceneBackdrop] in
        try check(backdrops, node)
        return backdrops
    }

    private static func check(_ backdrops: [SceneBackdrop], _ node: JSONNode) throws(SceneError) {
        func invalid(_ backdrop: SceneBackdrop, _ value: Double, _ expected: String) -> SceneError {
            .invalid(backdrop.path.member(atField.name), value: numberText(value), expected: expected)
        }
        guard let first = backdrops.first else { return }
        guard first.at == 0 else { throw invalid(first, first.at, "0 for the first backdrop") }
        guard first.transition == nil else {
            throw .invalid(
                first.path.member(transitionField.name), value: "given",
                expected: "no transition for the first backdrop, which has none before it")
        }
        for (last, next) in zip(backdrops, backdrops.dropFirst()) {
            let end = last.at + (last.transition?.duration ?? 0)
            // A cut at the same time would hide the last backdrop. A transition begins with it.
            guard next.at >= end, next.at > last.at || next.transition != nil else {
                throw invalid(
                    next, next.at, "a time after the last backdrop has appeared, at \(numberText(end))")
            }
        }
    }
}
