public import FrostCore

/// An animated picture as data: a backdrop, panels with effects over it, and how they change over time.
///
/// A scene is read from JSON. `docs/scene.schema.json` describes the form, and ``schema`` returns the same. All lengths are in
/// pixels of the scene's ``width`` and ``height``, and all times in seconds. ``state(at:scale:)`` returns what a frame shows,
/// without any pixels. `SceneRenderer` renders frames.
///
/// ```swift
/// let scene = try Scene([
///     "size": [1280, 720], "duration": 2, "backdrop": ["picture": "photo.png"],
///     "panels": [["effect": "dark", "size": [640, 400], "position": [320, 160]]],
/// ])
/// ```
///
/// Thread safety: a scene is a value, which may be used from any thread.
public struct Scene: Sendable {
    /// The JSON that the scene was read from.
    public let source: JSONValue
    /// The size of a frame in pixels.
    public let width, height: Int
    /// The length in seconds.
    public let duration: Double
    /// The number of frames per second. A transition that ends with the scene reaches its target in the last frame at this rate.
    public package(set) var framesPerSecond: Double
    /// The colour where no backdrop is.
    public let background: Color
    /// Whether colours are blurred and mixed as light, by sRGB's transfer function.
    public let isLinear: Bool
    /// The backdrops in the order of their times. The first appears at time 0.
    public let backdrops: [SceneBackdrop]
    /// The masked reveal; nil for none.
    public let reveal: SceneReveal?
    /// The panels, from bottom to top.
    public let panels: [ScenePanel]
    /// The items that panels follow, and what moves them; nil for none.
    public let dynamics: SceneDynamics?
    let simulation: SceneSimulation?
    /// For each panel, the index of the panel that it follows.
    let leaders: [Int?]

    /// Reads a scene from a JSON text in UTF-8.
    ///
    /// - Throws: ``SceneError``.
    public init(parsing text: some Collection<UInt8>) throws(SceneError) {
        try self.init(try JSONParser.parse(text))
    }

    /// Reads a scene from a JSON value.
    ///
    /// - Throws: ``SceneError``.
    public init(_ source: JSONValue) throws(SceneError) {
        self = try Self.jsonForm.read(JSONNode(value: source, path: .root))
    }

    /// The JSON Schema (2020-12) of scenes. It describes what ``init(_:)`` reads, except for rules about several values: the
    /// order of times, names that refer to others, and numbers that must fit each other.
    public static let schema: JSONValue = .joined(
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Frost scene",
            "description": "An animated picture for frost animate. Lengths are in pixels, times in seconds.",
        ], jsonForm.schema,
        ["$defs": .object(jsonForm.definitions.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })])

    private static let schemaField = Field<String?>.optional(
        "$schema", .text("the address of the schema"), "address of this schema, for editors")
    private static let sizeField = Field<[Int]>(
        "size", .list(of: .whole(1...32768), "two whole numbers: width, height", minimum: 2, maximum: 2),
        "width and height of a frame in pixels")
    private static let durationField = Field<Double>("duration", .number(0.001...86_400), "length in seconds")
    private static let rateField = Field<Double>("fps", .number(0.01...1000), default: 60, "frames per second")
    private static let backgroundField = Field<Color>(
        "background", .color, default: Color.black, "colour where no backdrop is")
    private static let linearField = Field<Bool>(
        "linear", .flag, default: false, "whether to blur and mix light instead of the stored numbers")
    private static let backdropField = Field<[SceneBackdrop]>(
        "backdrop", SceneBackdrop.listForm, "a backdrop, or an array of backdrops in the order of their times")
    private static let revealField = Field<SceneReveal?>.optional(
        "reveal", SceneReveal.jsonForm, "a shape that moves along a path and shows an effect")
    private static let panelsField = Field<[ScenePanel]>(
        "panels", .list(of: ScenePanel.jsonForm, "an array of panels"), default: [], "panels, from bottom to top")
    private static let dynamicsField = Field<SceneDynamics?>.optional(
        "dynamics", SceneDynamics.jsonForm, "items that fall, bounce and swing, which panels follow")

    private static let jsonForm = JSONForm.object(
        "a scene: an object with size, duration and backdrop",
        [
            schemaField.declaration, sizeField.declaration, durationField.declaration, rateField.declaration,
            backgroundField.declaration, linearField.declaration, backdropField.declaration, revealField.declaration,
            panelsField.declaration, dynamicsField.declaration,
        ]
    ) { (object) throws(SceneError) in try Scene(object) }

    private init(_ object: ObjectReader) throws(SceneError) {
        source = object.node.value
        _ = try object(Self.schemaField)
        let size = try object(Self.sizeField)
        (width, height) = (size[0], size[1])
        duration = try object(Self.durationField)
        framesPerSecond = try object(Self.rateField)
        background = try object(Self.backgroundField)
        isLinear = try object(Self.linearField)
        backdrops = try object(Self.backdropField)
        reveal = try object(Self.revealField)
        panels = try object(Self.panelsField)
        dynamics = try object(Self.dynamicsField)
        leaders = try Self.leaders(of: panels, items: dynamics?.items.map(\.id) ?? [])
        let followed = panels.compactMap { panel in if case .item(let id, _)? = panel.leader { id } else { nil } }
        simulation = try dynamics.map { (dynamics) throws(SceneError) in
            try SceneSimulation(
                dynamics, reference: Rect(x: 0, y: 0, width: size[0], height: size[1]), followed: Set(followed))
        }
    }

    /// Whether a panel of the scene is a redaction.
    var hasRedaction: Bool { panels.contains(where: \.isRedaction) }

    /// Finds the panels that others follow.
    ///
    /// - Throws: ``SceneError/invalid(_:value:expected:)`` for an id that is used twice,
    ///   ``SceneError/unknownWord(_:value:kind:allowed:)`` for an unknown one, ``SceneError/circular(_:_:)``.
    private static func leaders(of panels: [ScenePanel], items: [String]) throws(SceneError) -> [Int?] {
        var indices: [String: Int] = [:]
        for (index, panel) in panels.enumerated() {
            guard let id = panel.id else { continue }
            guard indices.updateValue(index, forKey: id) == nil else {
                throw .invalid(panel.path.member("id"), value: "\"\(id)\"", expected: "an id that no other panel has")
            }
        }
        let leaders = try panels.map { (panel) throws(SceneError) -> Int? in
            let id: String
            switch panel.leader {
            case nil: return nil
            case .item(let item, _):
                guard items.contains(item) else {
                    throw .unknownWord(
                        panel.followPath.member("item"), value: item, kind: "item", allowed: items.sorted())
                }
                return nil
            case .panel(let panel): id = panel
            }
            guard let index = indices[id] else {
                throw .unknownWord(
                    panel.followPath.member("panel"), value: id, kind: "panel", allowed: indices.keys.sorted())
            }
            return index
        }
        // A panel that was visited from an earlier start leads to no circle.
        var isChecked = [Bool](repeating: false, count: panels.count)
        for start in panels.indices where !isChecked[start] {
            var chain = [start]
            isChecked[start] = true
            while let next = leaders[chain[chain.count - 1]] {
                if let first = chain.firstIndex(of: next) {
                    let names = (chain[first...] + [next]).map { panels[$0].id ?? "" }
                    throw .circular(panels[next].followPath, names)
                }
                guard !isChecked[next] else { break }
                isChecked[next] = true
                chain.append(next)
            }
        }
        return leaders
    }
}

extension Color {
    fileprivate static let black = Color(named: "black") ?? { preconditionFailure("black is a CSS colour") }()
}

extension Scene: Hashable, Codable {
    /// Whether two scenes were read from the same JSON.
    public static func == (a: Scene, b: Scene) -> Bool { a.source == b.source }
    /// Hashes the JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
    /// Reads a scene with any decoder, for example Foundation's JSONDecoder. The errors are those of ``init(_:)``, and the
    /// decoder's own.
    public init(from decoder: any Decoder) throws { try self.init(try JSONValue(from: decoder)) }
    /// Writes the JSON that the scene was read from.
    public func encode(to encoder: any Encoder) throws { try source.encode(to: encoder) }
}
