/// The place of a value in a scene's JSON, for example `panels[2].position[1].at`.
public struct ScenePath: Sendable, Hashable, CustomStringConvertible {
    /// A part of a value.
    private enum Part: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    private indirect enum Parts: Sendable, Hashable {
        case root(String)
        case part(Parts, Part)
    }

    // The parts are a list from the last to the first, so that a path shares the parts of its parent. A text is made only
    // for an error.
    private let parts: Parts

    private init(_ parts: Parts) { self.parts = parts }

    static let root = ScenePath(.root("the scene"))

    /// A path that begins at a value that belongs to no scene, such as "the behaviour".
    static func of(_ name: String) -> ScenePath { ScenePath(.root(name)) }

    func member(_ name: String) -> ScenePath { ScenePath(.part(parts, .member(name))) }
    func element(_ index: Int) -> ScenePath { ScenePath(.part(parts, .element(index))) }

    /// The path as text; a name such as "the scene" for a whole value.
    public var description: String {
        var text = ""
        var rest = parts
        while true {
            switch rest {
            case .root(let name): return text.isEmpty ? name : text.hasPrefix(".") ? String(text.dropFirst()) : text
            case .part(let before, .member(let name)): (rest, text) = (before, ".\(name)" + text)
            case .part(let before, .element(let index)): (rest, text) = (before, "[\(index)]" + text)
            }
        }
    }
}
