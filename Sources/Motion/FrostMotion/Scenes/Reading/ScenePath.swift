/// The place of a value in a scene's JSON, for example `panels[2].position[1].at`.
public struct ScenePath: Sendable, Hashable, CustomStringConvertible {
    /// A part of a value.
    private enum Part: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    private indirect enum Parts: Sendable, Hashable {
        case root
        case part(Parts, Part)
    }

    // The parts are a list from the last to the first, so that a path shares the parts of its parent. A text is made only
    // for an error.
    private let parts: Parts

    private init(_ parts: Parts) { self.parts = parts }

    static let root = ScenePath(.root)

    func member(_ name: String) -> ScenePath { ScenePath(.part(parts, .member(name))) }
    func element(_ index: Int) -> ScenePath { ScenePath(.part(parts, .element(index))) }

    /// The path as text; "the scene" for the whole scene.
    public var description: String {
        var text = ""
        var rest = parts
        while case .part(let before, let part) = rest {
            switch part {
            case .member(let name): text = ".\(name)" + text
            case .element(let index): text = "[\(index)]" + text
            }
            rest = before
        }
        return text.isEmpty ? "the scene" : text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
}
