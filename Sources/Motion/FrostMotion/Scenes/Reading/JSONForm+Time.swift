import FrostCore

// The forms of values that change over time.

extension JSONForm<TimingCurve> {
    private static let bezier = Field<[Double]?>.optional(
        "cubic-bezier",
        .tuple(
            of: [.number(0...1), .number(-10...10), .number(0...1), .number(-10...10)],
            "four numbers: x1, y1, x2, y2"),
        "the control points x1, y1, x2, y2 of a cubic Bezier as in CSS; x1 and x2 are 0 to 1")

    private static let stiffness = Field<Double?>.optional(
        "stiffness", .number(Spring.stiffnessRange), "force per distance, in 1/s²; needs damping")
    private static let damping = Field<Double?>.optional(
        "damping", .number(Spring.dampingRange), "force per speed, in 1/s; needs stiffness")
    private static let duration = Field<Double>(
        "duration", .number(Spring.durationRange), default: 0.5,
        "period of the oscillation without damping, in seconds; not with stiffness")
    private static let bounce = Field<Double>(
        "bounce", .number(Spring.bounceRange), default: 0,
        "0 does not overshoot, values near 1 swing for long, negative values are slower; not with stiffness")

    private static let spring = JSONForm<Spring>.object(
        "a spring: stiffness and damping, or duration and bounce",
        [stiffness.declaration, damping.declaration, duration.declaration, bounce.declaration],
        extra: [
            "dependentRequired": ["stiffness": ["damping"], "damping": ["stiffness"]],
            "not": [
                "required": ["stiffness"],
                "anyOf": [["required": ["duration"]], ["required": ["bounce"]]],
            ],
        ]
    ) { (object) throws(SceneError) in
        guard let stiffness = try object(stiffness) else {
            guard !object.has(damping.name) else {
                throw .missing(object.path(stiffness.name), expected: "a number, because damping is given")
            }
            return Spring(duration: try object(duration), bounce: try object(bounce))
        }
        guard let damping = try object(damping) else {
            throw .missing(object.path(damping.name), expected: "a number, because stiffness is given")
        }
        for name in [duration.name, bounce.name] where object.has(name) {
            throw object.node.invalid("either stiffness and damping, or duration and bounce")
        }
        return Spring(stiffness: stiffness, damping: damping)
    }.named("spring")

    private static let springs = Field<Spring?>.optional("spring", spring, "a damped spring that starts at rest")

    private static let words = JSONForm<String>.word("curve", of: TimingCurve.named.map(\.name)).map {
        (word, node) throws(SceneError) -> TimingCurve in
        guard let known = TimingCurve.named.first(where: { $0.name == word }) else { throw node.invalid("a curve") }
        return known.curve
    }

    private static let own = JSONForm.object(
        "{\"cubic-bezier\": [x1, y1, x2, y2]} or {\"spring\": {…}}",
        [bezier.declaration, springs.declaration],
        extra: ["minProperties": 1, "maxProperties": 1]
    ) { (object) throws(SceneError) in
        switch (try object(bezier), try object(springs)) {
        case (let numbers?, nil):
            return .bezier(BezierCurve(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3]))
        case (nil, let spring?): return .spring(spring)
        case (_?, _?), (nil, nil): throw object.node.invalid("either cubic-bezier or spring")
        }
    }

    static let curve = JSONForm.either(words, own) { value in
        if case .object = value { false } else { true }
    }.named("curve")
}

/// The allowed times, in seconds.
let sceneTimes = 0.0...86_400.0

extension JSONForm {
    /// A constant value, or an array of keyframes.
    static func keyframes<Plain: Interpolable>(of plain: JSONForm<Plain>) -> JSONForm where Value == Keyframes<Plain> {
        let plainIsArray = plain.schema["type"] == "array"
        let at = Field<Double>("at", .number(sceneTimes), "time in seconds")
        let value = Field<Plain>("value", plain, "value at this time")
        let curve = Field<TimingCurve>(
            "curve", .curve, default: .linear, "how the value goes from here to the next keyframe")
        let members = JSONForm<(at: Double, value: Plain, curve: TimingCurve)>.object(
            "a keyframe: {\"at\": seconds, \"value\": …}", [at.declaration, value.declaration, curve.declaration]
        ) { (object) throws(SceneError) in (at: try object(at), value: try object(value), curve: try object(curve)) }
        // The schema has one definition for all keyframes, and only adds the rule for the value. Otherwise it would be
        // twice as long.
        let anyValue = FieldDeclaration(name: value.name, isRequired: true, schema: [:], definitions: [:])
        let common = JSONForm<Bool>.object("", [at.declaration, anyValue, curve.declaration]) { _ in true }.named(
            "keyframe")
        let frame = JSONForm<(at: Double, value: Plain, curve: TimingCurve)>(
            members.expectation,
            schema: .joined(common.schema, ["properties": .object([.init(value.name, plain.schema)])]),
            definitions: common.definitions.merging(plain.definitions) { a, _ in a }, read: members.read)
        let list = JSONForm<[(at: Double, value: Plain, curve: TimingCurve)]>.list(
            of: frame, "an array of keyframes", minimum: 1
        ).map { (frames, node) throws(SceneError) -> Keyframes<Plain> in
            for index in frames.indices.dropFirst() where frames[index].at <= frames[index - 1].at {
                throw .invalid(
                    node.path.element(index).member(at.name), value: numberText(frames[index].at),
                    expected: "a time after that of the last keyframe, \(numberText(frames[index - 1].at))")
            }
            return Keyframes(times: frames.map(\.at), values: frames.map(\.value), curves: frames.map(\.curve))
        }
        return .either(plain.map { (value, _) throws(SceneError) in Keyframes(value) }, list) { value in
            switch value {
            // A pair of numbers is an array too. The elements of keyframes are objects.
            case .array(let elements):
                if case .object? = elements.first { false } else { plainIsArray }
            case .null, .bool, .number, .string, .object: true
            }
        }
    }
}
