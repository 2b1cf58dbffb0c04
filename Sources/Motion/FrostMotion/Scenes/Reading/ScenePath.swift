/// The place of a value in a scene's JSON, for example `panels[2].position[1].at`.
public struct ScenePath: Sendable, Hashable, CustomStringConvertible {
    /// A step from a value to a part of it.
    private enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    private indirect enum Steps: Sendable, Hashable {
        case root
        case step(Steps, Step)
    }

    // The steps are a list from the last to the first, so that a path shares the steps of its parent. A text is made only
    // for an error.
    private let steps: Steps

    private init(_ steps: Steps) { self.steps = steps }

    static let root = ScenePath(.root)

    func member(_ name: String) -> ScenePath { ScenePath(.step(steps, .member(name))) }
    func element(_ index: Int) -> ScenePath { ScenePath(.step(steps, .element(index))) }

    /// The path as text; "the scene" for the whole scene.
    public var description: String {
        var parts: [String] = []
        var rest = steps
        while case .step(let before, let step) = rest {
            switch step {
            case .member(let name): parts.append(".\(name)")
            case .element(let index): parts.append("[\(index)]")
            }
            rest = before
        }
        let text = parts.reversed().joined()
        return text.isEmpty ? "the scene" : text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
}
