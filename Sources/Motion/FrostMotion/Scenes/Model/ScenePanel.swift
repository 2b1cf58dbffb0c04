public import Frost
public import FrostCore

/// A panel of a scene: an area with an effect, whose place and strength change over time.
public struct ScenePanel: Sendable, Hashable {
    /// The name by which other panels follow this one; nil if it has none.
    public let id: String?
    /// The effect that the panel shows.
    public let effect: SceneEffect
    /// The top left corner in pixels over time. For a panel that follows something, it is the distance from it.
    public let position: Keyframes<SIMD2<Double>>
    /// The size in pixels over time; nil for the size of the item that the panel follows.
    public let size: Keyframes<SIMD2<Double>>?
    /// The angle in degrees over time, by which the panel with its content and mask is turned clockwise about its centre. What is
    /// seen through the panel does not turn.
    public let rotation: Keyframes<Double>
    /// The alpha of the whole panel over time, from 0 to 1. A curve that overshoots is limited to this range.
    public let alpha: Keyframes<Double>
    /// The radius of the corners in pixels over time. It is limited to the largest radius for which the panel has room.
    public let cornerRadius: Keyframes<Double>
    /// The curve of the corners.
    public let corners: CornerCurve
    /// The pictures over the effect, from bottom to top.
    public let content: [SceneContent]
    /// The name of the picture that is the effect's mask; nil for none.
    public let mask: String?
    /// Where masks lie: the mask picture, and the gradient, band or circle of the effect.
    public let maskPlacement: MaskPlacement
    /// The line along the inside of the outline; nil for none.
    public let hairline: SceneHairline?
    /// The shadow outside the outline; nil for none.
    public let shadow: SceneShadow?
    /// 7blur's motions, in the order of their times.
    public let motions: [SceneMotion]
    /// The vignette under the panel; nil for none.
    public let vignette: SceneVignette?
    /// What the panel follows; nil if its position is absolute.
    public let leader: Leader?
    /// The time in seconds during which the panel is shown. The end is nil if it stays.
    public let from: Double, to: Double?
    let path: ScenePath
    let slideProgress: Ramps
    let vignetteAlpha: Ramps?

    /// What a panel follows.
    public enum Leader: Sendable, Hashable {
        /// The top left corner of another panel.
        case panel(id: String)
        /// The centre of an item of the scene's dynamics. The panel's centre is there if its position is 0, 0.
        ///
        /// - Parameter turns: whether the panel turns with the item.
        case item(id: String, turns: Bool)
    }

    private static let idField = Field<String?>.optional("id", .text("a name"), "name by which other panels follow it")
    private static let positionField = Field<Keyframes<SIMD2<Double>>>(
        "position", .keyframes(of: .pair(sceneCoordinates, "two numbers: x, y")), default: Keyframes(.zero),
        "top left corner in pixels; the distance from what the panel follows")
    private static let sizeField = Field<Keyframes<SIMD2<Double>>?>.optional(
        "size", .keyframes(of: .pair(0...sceneCoordinates.upperBound, "two numbers: width, height")),
        "width and height in pixels; may be missing for a panel that follows an item")
    private static let rotationField = Field<Keyframes<Double>>(
        "rotation", .keyframes(of: .number(-1_000_000...1_000_000)), default: Keyframes(0),
        "angle in degrees, clockwise, by which the panel is turned about its centre; what it blurs does not turn")
    private static let relativeField = Field<MaskPlacement>(
        "relative-to", .word("place"), default: .rect,
        "where masks and gradients lie: rect for the panel, picture for the whole frame")
    private static let hairlineField = Field<SceneHairline?>.optional(
        "hairline", SceneHairline.jsonForm, "thin line along the inside of the panel's outline")
    private static let shadowField = Field<SceneShadow?>.optional(
        "shadow", SceneShadow.jsonForm, "shadow outside the panel's outline")
    private static let alphaField = Field<Keyframes<Double>>(
        "alpha", .keyframes(of: .number(0...1)), default: Keyframes(1), "alpha of the whole panel")
    private static let contentField = Field<[SceneContent]>(
        "content", .list(of: SceneContent.jsonForm, "an array of content"), default: [],
        "pictures over the effect, from bottom to top")
    private static let maskField = Field<String?>.optional(
        "mask", .text("the name of a picture file"), "file name of a picture: the effect's strength at each pixel")
    private static let motionsField = Field<[SceneMotion]>(
        "motions", SceneMotion.listForm, default: [], "7blur's motions, in the order of their times")
    private static let vignetteField = Field<SceneVignette?>.optional(
        "vignette", SceneVignette.jsonForm, "black over the backdrop while the panel is shown")
    private static let followField = Field<Leader?>.optional(
        "follow", .leader, "what the panel follows: another panel, or an item of the dynamics")
    private static let fromField = Field<Double>(
        "from", .number(sceneTimes), default: 0, "time from which it is shown, in seconds")
    private static let toField = Field<Double?>.optional(
        "to", .number(sceneTimes), "time until which it is shown, in seconds")

    static let jsonForm = JSONForm.object(
        "a panel: an object with effect and size",
        [idField.declaration] + SceneEffect.fields + [
            positionField.declaration, sizeField.declaration, rotationField.declaration, alphaField.declaration,
        ] + SceneCorners.fields + [
            hairlineField.declaration, shadowField.declaration, contentField.declaration, maskField.declaration,
            relativeField.declaration, motionsField.declaration, vignetteField.declaration,
            followField.declaration, fromField.declaration, toField.declaration,
        ],
        extra: .joined(
            SceneEffect.schema, SceneCorners.rules,
            [
                "anyOf": [
                    ["required": ["size"]],
                    ["required": ["follow"], "properties": ["follow": ["required": ["item"]]]],
                ]
            ])
    ) { (object) throws(SceneError) in try ScenePanel(object) }.named("panel")

    private init(_ object: ObjectReader) throws(SceneError) {
        path = object.node.path
        id = try object(Self.idField)
        effect = try SceneEffect.read(object)
        position = try object(Self.positionField)
        size = try object(Self.sizeField)
        rotation = try object(Self.rotationField)
        maskPlacement = try object(Self.relativeField)
        hairline = try object(Self.hairlineField)
        shadow = try object(Self.shadowField)
        alpha = try object(Self.alphaField)
        (cornerRadius, corners) = try SceneCorners.read(object)
        content = try object(Self.contentField)
        mask = try object(Self.maskField)
        motions = try object(Self.motionsField)
        vignette = try object(Self.vignetteField)
        leader = try object(Self.followField)
        from = try object(Self.fromField)
        to = try object(Self.toField)
        slideProgress = SceneMotion.slideProgress(motions)
        vignetteAlpha = vignette?.ramps(motions, from: from, to: to)
        switch leader {
        case .item: break
        case .panel, nil:
            guard size != nil else { throw .missing(object.path(Self.sizeField.name), expected: "width and height") }
        }
        let effect = try effect.effect(at: 0)
        try checkOpenings(of: effect)
        for content in content { try content.check(over: effect) }
        if effect.blur.ownMask == .image, mask == nil {
            throw .missing(
                object.path(Self.maskField.name), expected: "a picture file, which the effect \(effect.name) needs")
        }
        if mask == nil, effect.mask == nil, effect.blur.ownMask == nil {
            try object.refuse([Self.relativeField.name], "only with a mask, a gradient, a band or a circle")
        }
        if mask != nil, let own = effect.mask, own != .image {
            throw .invalid(
                object.path(Self.maskField.name), value: "given",
                expected: "no picture, because the effect \(effect.name) has its own mask")
        }
    }

    /// Checks that nothing of the picture shows through or beside a redaction at any time.
    private func checkOpenings(of effect: Effect) throws(SceneError) {
        func refuse(_ member: String, _ value: String?, _ opening: Effect.Opening, _ expected: String)
            throws(SceneError)
        {
            guard let value, let reason = effect.refusal(of: opening) else { return }
            throw .invalid(
                path.member(member), value: value, expected: "\(expected) for \(effect.name), because \(reason)")
        }
        let (radius, share) = (cornerRadius.values.first { $0 != 0 }, alpha.values.first { $0 != 1 })
        try refuse(SceneCorners.radiusName, radius.map { numberText($0) }, .corners, "0")
        try refuse(Self.alphaField.name, share.map { numberText($0) }, .opacity, "1")
        try refuse(Self.maskField.name, mask.map { "\"\($0)\"" }, .mask, "no mask")
        // A panel fades while it slides.
        try refuse(Self.motionsField.name, motions.isEmpty ? nil : "given", .opacity, "no motions")
    }

    /// Whether the panel hides what is below it.
    var isRedaction: Bool { (try? effect.effect(at: 0))?.isRedaction == true }

    /// Whether the panel is shown at a time.
    func isShown(at time: Double) -> Bool { time >= from && time < to ?? .infinity }

    /// The path of the member that names what the panel follows.
    var followPath: ScenePath { path.member(Self.followField.name) }
}

extension JSONForm<ScenePanel.Leader> {
    private static let panelField = Field<String?>.optional("panel", .text("a panel's id"), "id of a panel")
    private static let itemField = Field<String?>.optional(
        "item", .text("an item's id"), "id of an item of the dynamics")

    private static let turnsField = Field<Bool?>.optional(
        "rotation", .flag, "whether the panel turns with the item; true by default")

    fileprivate static let leader = JSONForm.object(
        "{\"panel\": id} or {\"item\": id}",
        [panelField.declaration, itemField.declaration, turnsField.declaration],
        extra: ["oneOf": [["required": ["panel"], "maxProperties": 1], ["required": ["item"]]]]
    ) { (object) throws(SceneError) in
        let turns = try object(turnsField)
        switch (try object(panelField), try object(itemField)) {
        case (let id?, nil):
            guard turns == nil else {
                throw .invalid(
                    object.path(turnsField.name), value: "given", expected: "no rotation, which only items have")
            }
            return .panel(id: id)
        case (nil, let id?): return .item(id: id, turns: turns ?? true)
        case (_?, _?), (nil, nil): throw object.node.invalid("either panel or item")
        }
    }
}
