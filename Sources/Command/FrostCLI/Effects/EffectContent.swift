package import Frost
package import FrostImages

/// The picture that is drawn over an effect, from the options `--content`, `--vibrancy` and `--content-mode`.
package struct EffectContent: Sendable {
    private let path: FilePath
    private let kind: Vibrancy.Kind?
    private let mode: ContentMode

    /// Reads the options for one effect.
    ///
    /// - Returns: nil without `--content`.
    /// - Throws: ``CommandError/usage(_:)`` if the effect has no vibrancy of the requested kind.
    package init?(_ arguments: Arguments, over effect: Effect) throws(CommandError) {
        try self.init(arguments)
        try check(over: effect)
    }

    /// Reads the options of a request for one effect. The picture comes with the request.
    ///
    /// - Parameter isGiven: whether the request has the picture.
    /// - Returns: nil without the picture.
    init?(ofRequest arguments: Arguments, over effect: Effect, isGiven: Bool) throws(CommandError) {
        guard isGiven else {
            try Self.checkAbsent(arguments)
            return nil
        }
        kind = arguments.value(.vibrancy, as: Vibrancy.Kind.self)
        mode = try arguments.required(.contentMode, as: ContentMode.self)
        path = "content"
        try check(over: effect)
    }

    /// Checks that the effect has the vibrancy that is asked for.
    private func check(over effect: Effect) throws(CommandError) {
        guard let kind, effect.vibrancy(kind) == nil else { return }
        throw .usage("--vibrancy: \(effect.name) has no vibrancy; \(Self.styles)")
    }

    /// Checks that no option needs the content.
    private static func checkAbsent(_ arguments: Arguments) throws(CommandError) {
        for option in [Option.vibrancy, .contentMode] where arguments.has(option) {
            throw .usage("--\(option.name) needs --content")
        }
    }

    /// Reads the options for several effects. Vibrant content is drawn only over effects that have the requested
    /// vibrancy. A warning names the other effects.
    ///
    /// - Returns: nil without `--content`.
    /// - Throws: ``CommandError/usage(_:)`` if none of the effects has the requested vibrancy.
    package init?(_ arguments: Arguments, overSome effects: [Effect], _ console: Console) throws(CommandError) {
        try self.init(arguments)
        guard let kind else { return }
        let others = effects.filter { $0.vibrancy(kind) == nil }
        guard others.count < effects.count else {
            throw .usage("--vibrancy: none of the chosen effects has vibrancy; \(Self.styles)")
        }
        guard !others.isEmpty else { return }
        var seen: Set<String> = []
        let names = others.map(\.name).filter { seen.insert($0).inserted }
        console.warn("drawn without content, because they have no vibrancy: " + names.joined(separator: ", "))
    }

    private init?(_ arguments: Arguments) throws(CommandError) {
        kind = arguments.value(.vibrancy, as: Vibrancy.Kind.self)
        mode = try arguments.required(.contentMode, as: ContentMode.self)
        guard let path = arguments.path(.content) else {
            try Self.checkAbsent(arguments)
            return nil
        }
        self.path = path
    }

    private static var styles: String {
        let styles = EffectCatalog.all.map(\.name).filter { name in
            (try? EffectCatalog.effect(name).make())?.appearance != nil
        }
        return "the effects with vibrancy are " + styles.joined(separator: ", ")
    }

    /// Reads the picture.
    ///
    /// - Parameter hasOptions: whether the command has the options for reading, such as `--first-frame`.
    package func picture(
        _ options: ImageReadOptions, _ console: Console, hasOptions: Bool = true
    ) throws(CommandError) -> ContentPicture {
        ContentPicture(
            path,
            try Pictures.read(
                path, options, bytesPerPixel: ContentPicture.bytesPerPixel, for: ("--content", console),
                hasOptions ? console : nil), options.limits)
    }

    /// Returns the layers that draw the content over an effect. The result is empty if `--vibrancy` is given and the
    /// effect has no vibrancy of that kind.
    package func layers(_ image: ContentImage, over effect: Effect) -> [ContentLayer] {
        guard let kind else { return [ContentLayer(image, mode: mode)] }
        return effect.vibrancy(kind).map { [ContentLayer(image, vibrancy: $0, mode: mode)] } ?? []
    }
}
