import Frost
import FrostImages

/// What is drawn over an effect: `--content`, `--vibrancy` and `--content-mode`.
struct EffectContent {
    let path: String
    private let vibrancy: Vibrancy?
    private let mode: ContentMode

    /// - Returns: nil where there is none.
    init?(_ arguments: Arguments, over effect: Effect) throws(CommandError) {
        let kind = arguments.value(.vibrancy, as: Vibrancy.Kind.self)
        let mode = try arguments.required(.contentMode, as: ContentMode.self)
        guard let path = arguments.value(.content) else {
            for option in [Option.vibrancy, .contentMode] where arguments.has(option) {
                throw .usage("--\(option.name) is about --content, which is not given")
            }
            return nil
        }
        if let kind, effect.vibrancy(kind) == nil {
            let styles = EffectCatalog.all.map(\.name).filter { name in
                (try? EffectCatalog.effect(name).make())?.appearance != nil
            }
            throw .usage(
                "--vibrancy: \(effect.name) is no style that is known to have some; those are "
                    + styles.joined(separator: ", "))
        }
        self.path = path
        vibrancy = kind.flatMap(effect.vibrancy)
        self.mode = mode
    }

    func layer(limits: ImageLimits) throws(CommandError) -> ContentLayer {
        ContentLayer(try Pictures.content(path, limits: limits), vibrancy: vibrancy, mode: mode)
    }
}
