import FrostCore

// The forms of behaviours in JSON.

extension SceneBehavior {
    private static let names = ["gravity", "push", "collision", "snap", "attachment", "properties", "field"]
    private static let itemsField = Field<[String]?>.optional(
        "items", .list(of: .text("an item's id"), "an array of ids", minimum: 1), "ids of the items; all by default")
    private static let fromField = Field<Double>(
        "from", .number(sceneTimes), default: 0, "time from which it acts, in seconds")
    private static let toField = Field<Double?>.optional(
        "to", .number(sceneTimes), "time until which it acts, in seconds")
    private static let force = -DynamicsLimits.force...DynamicsLimits.force
    private static let degrees = -36_000.0...36_000.0
    private static func point(_ name: String, _ help: String) -> Field<SIMD2<Double>> {
        Field(name, .pair(sceneCoordinates, "two numbers: x, y"), help)
    }
    private static func offset(_ name: String, _ help: String) -> Field<SIMD2<Double>> {
        Field(
            name, .pair(-DynamicsLimits.anchor...DynamicsLimits.anchor, "two numbers: x, y"), default: .zero, help)
    }
    private static func optional(_ name: String, _ range: ClosedRange<Double>, _ help: String) -> Field<Double?> {
        .optional(name, .number(range), help)
    }

    private static let contactForm: JSONForm<Contact> = {
        let item = Field<String>("item", .text("an item's id"), "id of the item")
        let other = Field<String?>.optional(
            "with", .text("an item's id"), "id of the other item; anything that the item touches by default")
        return JSONForm.object(
            "a contact: {\"item\": id}", [item.declaration, other.declaration]
        ) { (object) throws(SceneError) in
            Contact(item: try object(item), other: try object(other), path: object.node.path)
        }.named("contact")
    }()
    private static let contactField = Field<Contact?>.optional(
        "on-contact", contactForm, "the contact with which it begins to act, at \"from\" or later")
    private static let lengthField = Field<Double?>.optional(
        "for", .number(sceneTimes), "seconds that it acts after the contact; needs on-contact")

    /// Returns the form of a kind of behaviour: its own members, and those that all behaviours have.
    ///
    /// - Parameter rules: the schema's rules about several of its own members.
    private static func form(
        _ name: String, _ fields: [FieldDeclaration], rules: [JSONValue] = [],
        read: @escaping @Sendable (ObjectReader) throws(SceneError) -> Kind
    ) -> JSONForm<SceneBehavior> {
        let nameField = Field<String>("behavior", .word("behavior", of: [name]), "kind of behaviour")
        let common = [
            nameField.declaration, itemsField.declaration, fromField.declaration, toField.declaration,
            contactField.declaration, lengthField.declaration,
        ]
        let contactRule: JSONValue = [
            "dependentRequired": .object([.init(lengthField.name, [.string(contactField.name)])])
        ]
        return JSONForm<SceneBehavior>.object(
            "a behaviour", common + fields, extra: ["allOf": .array([contactRule] + rules)]
        ) { (object) throws(SceneError) in
            let (contact, length) = (try object(contactField), try object(lengthField))
            if length != nil, contact == nil {
                throw .missing(
                    object.path(contactField.name), expected: "a contact, after which the behaviour acts for a time")
            }
            return SceneBehavior(
                items: try object(itemsField), from: try object(fromField), to: try object(toField), contact: contact,
                length: length, kind: try read(object), path: object.node.path)
        }.named("behavior-\(name)")
    }

    private static let gravity: JSONForm<SceneBehavior> = {
        let magnitude = Field<Double>("magnitude", .number(-1000...1000), default: 1, "1 is 1000 pixels/s²")
        let angle = Field<Double>("angle", .number(degrees), default: 90, "direction in degrees, clockwise; 90 is down")
        return form("gravity", [magnitude.declaration, angle.declaration]) { (object) throws(SceneError) in
            .gravity(magnitude: try object(magnitude), angle: try object(angle))
        }
    }()

    private static let push: JSONForm<SceneBehavior> = {
        let magnitude = Field<Double>(
            "magnitude", .number(force), "1 accelerates 100x100 pixels of density 1 by 100 pixels/s²")
        let angle = Field<Double>("angle", .number(degrees), default: 0, "direction in degrees, clockwise; 0 is right")
        let once = Field<Bool>("instantaneous", .flag, default: false, "whether it is a single impulse")
        let offset = Self.offset("offset", "point at which the items are pushed, from their centres")
        return form(
            "push", [magnitude.declaration, angle.declaration, once.declaration, offset.declaration]
        ) { (object) throws(SceneError) in
            .push(
                magnitude: try object(magnitude), angle: try object(angle), isInstantaneous: try object(once),
                offset: try object(offset))
        }
    }()

    private static let collision: JSONForm<SceneBehavior> = {
        let mode = Field<String>(
            "mode", .word("mode", of: ["items", "boundaries", "everything"]), default: "everything",
            "what the items collide with")
        let insets = Field<[Double]?>.optional(
            "insets",
            .list(of: .number(sceneCoordinates), "four numbers: top, left, bottom, right", minimum: 4, maximum: 4),
            "distances of a boundary from the frame's top, left, bottom and right edge; no such boundary by default")
        let lines = Field<[[SIMD2<Double>]]>(
            "boundaries",
            .list(
                of: .list(of: .pair(sceneCoordinates, "two numbers: x, y"), "an array of points", minimum: 2),
                "an array of lines"), default: [], "lines of points [x, y] that items cannot cross")
        let rule = WordRule(
            insets.name, lines.name, onlyWith: mode.name, ["boundaries", "everything"], isDefault: true)
        return form(
            "collision", [mode.declaration, insets.declaration, lines.declaration], rules: [rule.schema]
        ) { (object) throws(SceneError) in
            let word = try object(mode)
            try rule.check(object, word: word)
            return .collision(
                word == "items" ? .items : word == "boundaries" ? .boundaries : .everything,
                insets: try object(insets), boundaries: try object(lines))
        }
    }()

    private static let snap: JSONForm<SceneBehavior> = {
        let point = Self.point("point", "where the item's centre goes")
        let damping = Field<Double>("damping", .number(0...1), default: 0.5, "1 oscillates least")
        return form("snap", [point.declaration, damping.declaration]) { (object) throws(SceneError) in
            .snap(try object(point), damping: try object(damping))
        }
    }()

    private static let attachment: JSONForm<SceneBehavior> = {
        let form = Field<Attachment.Form>("form", .word("form"), default: .distance, "how the item is attached")
        let anchor = Field<SIMD2<Double>?>.optional(
            "anchor", .pair(sceneCoordinates, "two numbers: x, y"),
            "point to which one item is attached, or at which two are joined")
        let offset = Self.offset("offset", "attached point of the first item, from its centre")
        let other = Self.offset("other-offset", "attached point of the second item, from its centre")
        let length = optional("length", 0...3 * DynamicsLimits.coordinate, "distance; the first one by default")
        let damping = Field<Double>("damping", .number(0...1000), default: 0, "damping of the spring; 1 is critical")
        let frequency = Field<Double>("frequency", .number(0...1000), default: 0, "of the spring in Hz; 0 is a bar")
        let axis = Field<SIMD2<Double>>(
            "axis", .pair(-1000...1000, "two numbers: x, y"), default: SIMD2(1, 0), "direction of sliding")
        func words(_ forms: Attachment.Form...) -> [String] { forms.map(\.rawValue) }
        let rules = [
            WordRule(axis.name, onlyWith: form.name, words(.sliding)),
            WordRule(damping.name, frequency.name, onlyWith: form.name, words(.distance), isDefault: true),
            WordRule(
                length.name, offset.name, other.name, onlyWith: form.name, words(.distance, .limit), isDefault: true),
        ]
        let spring: JSONValue = ["dependentRequired": .object([.init(damping.name, [.string(frequency.name)])])]
        return Self.form(
            "attachment",
            [
                form.declaration, anchor.declaration, offset.declaration, other.declaration, length.declaration,
                damping.declaration, frequency.declaration, axis.declaration,
            ], rules: rules.map(\.schema) + [spring]
        ) { (object) throws(SceneError) in
            let kind = try object(form)
            for rule in rules { try rule.check(object, word: kind.rawValue) }
            if !object.has(frequency.name) { try object.refuse([damping.name], "only with \(frequency.name)") }
            return .attachment(
                Attachment(
                    form: kind, anchor: try object(anchor), offset: try object(offset),
                    otherOffset: try object(other), length: try object(length), damping: try object(damping),
                    frequency: try object(frequency), axis: try object(axis)))
        }
    }()

    private static let properties: JSONForm<SceneBehavior> = {
        let elasticity = optional("elasticity", 0...1, "0 does not bounce, 1 loses no speed")
        let friction = optional("friction", 0...1000, "friction along other items")
        let density = optional("density", 0.001...1000, "mass of 100x100 pixels")
        let resistance = optional("resistance", 0...1_000_000, "damping of the velocity, in 1/s")
        let angular = optional("angular-resistance", 0...1_000_000, "damping of the rotation, in 1/s")
        let rotates = Field<Bool?>.optional("allows-rotation", .flag, "whether the items may turn")
        let anchored = Field<Bool?>.optional("anchored", .flag, "whether the items stay where they are")
        let velocity = Field<SIMD2<Double>>(
            "velocity", .pair(-DynamicsLimits.velocity...DynamicsLimits.velocity, "two numbers: x, y"), default: .zero,
            "velocity to add, in pixels per second")
        let spin = Field<Double>(
            "angular-velocity", .number(degrees), default: 0, "angular velocity to add, in degrees per second")
        return form(
            "properties",
            [
                elasticity.declaration, friction.declaration, density.declaration, resistance.declaration,
                angular.declaration, rotates.declaration, anchored.declaration, velocity.declaration, spin.declaration,
            ]
        ) { (object) throws(SceneError) in
            .properties(
                Properties(
                    elasticity: try object(elasticity), friction: try object(friction), density: try object(density),
                    resistance: try object(resistance), angularResistance: try object(angular),
                    allowsRotation: try object(rotates), isAnchored: try object(anchored),
                    velocity: try object(velocity), angularVelocity: try object(spin)))
        }
    }()

    private static let field: JSONForm<SceneBehavior> = {
        let kind = Field<ForceField.Form>("form", .word("form"), "what the field does to the items")
        let position = Field<SIMD2<Double>>(
            "position", .pair(sceneCoordinates, "two numbers: x, y"), default: .zero, "centre of the field")
        let direction = Field<SIMD2<Double>>(
            "direction", .pair(-1000...1000, "two numbers: x, y"), default: SIMD2(0, 1),
            "direction of linear gravity; length 1 is 1000 pixels/s²")
        let strength = Field<Double>(
            "strength", .number(-10_000...10_000), default: 1, "1 is 1000 pixels/s², for drag and springs 1/s and 1/s²")
        let falloff = Field<Double>(
            "falloff", .number(0...10), default: 0, "exponent by which the strength decreases with the distance")
        let minimum = Field<Double>(
            "minimum-radius", .number(0.1...DynamicsLimits.coordinate), default: 100,
            "distance within which the strength does not decrease, in pixels")
        let region = optional(
            "region-radius", 0...DynamicsLimits.coordinate, "distance beyond which the field does not act, in pixels")
        let rule = WordRule(direction.name, onlyWith: kind.name, [ForceField.Form.linearGravity.rawValue])
        return form(
            "field",
            [
                kind.declaration, position.declaration, direction.declaration, strength.declaration,
                falloff.declaration, minimum.declaration, region.declaration,
            ], rules: [rule.schema]
        ) { (object) throws(SceneError) in
            let form = try object(kind)
            try rule.check(object, word: form.rawValue)
            return .field(
                ForceField(
                    form: form, position: try object(position), direction: try object(direction),
                    strength: try object(strength), falloff: try object(falloff), minimumRadius: try object(minimum),
                    regionRadius: try object(region)))
        }
    }()

    static let jsonForm: JSONForm<SceneBehavior> = {
        let all = zip(names, [gravity, push, collision, snap, attachment, properties, field])
        let forms = Dictionary(uniqueKeysWithValues: all)
        let word = JSONForm<String>.word("behavior", of: names)
        return JSONForm(
            "a behaviour: {\"behavior\": name}",
            schema: ["anyOf": .array(names.compactMap { forms[$0]?.schema })],
            definitions: forms.values.reduce(into: [:]) { all, form in all.merge(form.definitions) { a, _ in a } }
        ) { (node) throws(SceneError) in
            guard case .object = node.value else { throw node.invalid("a behaviour: {\"behavior\": name}") }
            let path = node.path.member("behavior")
            guard let name = node.value["behavior"] else { throw .missing(path, expected: word.expectation) }
            let known = try word.read(JSONNode(value: name, path: path))
            guard let form = forms[known] else { throw node.invalid("a behaviour") }
            return try form.read(node)
        }
    }()
}

extension SceneBehavior {
    /// Reads a behaviour from a JSON text in UTF-8, in the form of a scene's.
    ///
    /// - Throws: ``SceneError``.
    package init(parsing text: some Collection<UInt8>) throws(SceneError) {
        self = try Self.jsonForm.read(JSONNode(value: try JSONParser.parse(text), path: .of("the behaviour")))
    }
}
