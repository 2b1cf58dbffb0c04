import Foundation
import FrostCore
import FrostTestSupport
import Testing

@testable import FrostMotion

@Suite("The schema and the reader of scenes")
struct SceneSchemaTests {
    let validator = SchemaValidator(root: Scene.schema)

    @Test("The published schema is the one that the reader's declarations make")
    func publishedSchema() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/scene.schema.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == Scene.schema.prettyText + "\n", "'frost animate --schema > docs/scene.schema.json' updates it")
    }

    @Test("The schema names every member that an example uses, and the example uses every member of the schema")
    func members() throws {
        let rich = try JSONParser.parse(SceneExamples.rich.utf8)
        #expect(validator.accepts(rich))
        _ = try Scene(rich)
        var used: Set<String> = []
        visit(rich) { _, value in if case .object(let members) = value { used.formUnion(members.map(\.name)) } }
        var declared: Set<String> = []
        func collect(_ schema: JSONValue) {
            switch schema {
            case .object(let members):
                if case .object(let properties)? = schema["properties"] { declared.formUnion(properties.map(\.name)) }
                // The definitions of single effects and transitions follow their catalogues.
                for member in members where !member.name.hasPrefix("effect-") && !member.name.hasPrefix("transition-") {
                    collect(member.value)
                }
            case .array(let elements): elements.forEach(collect)
            case .null, .bool, .number, .string: break
            }
        }
        collect(Scene.schema)
        #expect(declared.subtracting(used) == [])
        for (prefix, all) in [
            ("effect", EffectCatalog.withGaussian.map { ($0.name, $0.parameters) }),
            ("transition", TransitionCatalog.all.map { ($0.name, $0.parameters) }),
        ] {
            for (name, parameters) in all {
                guard case .object(let properties)? = Scene.schema["$defs"]?["\(prefix)-\(name)"]?["properties"] else {
                    Issue.record("\(name) has no definition")
                    continue
                }
                #expect(Set(properties.map(\.name)) == Set(parameters.map(\.name)))
            }
        }
    }

    @Test("The schema states the defaults, also those of effects, and a scene in which they are written is the same")
    func defaults() throws {
        func stated(_ definition: String, _ member: String) -> JSONValue? {
            Scene.schema["$defs"]?[definition]?["properties"]?[member]?["default"]
        }
        #expect(Scene.schema["properties"]?["fps"]?["default"] == 60)
        #expect(stated("transition", "curve") == "linear" && stated("backdrop", "mode") == "aspect-fill")
        #expect(stated("panel", "position") == [0, 0] && stated("panel", "alpha") == 1)
        #expect(stated("behavior-attachment", "form") == "distance" && stated("behavior-snap", "damping") == 0.5)
        #expect(stated("effect-7blur-light", "saturation") == 1.8 && stated("effect-dark", "edge") == "clamp")
        // A member that must be given has none.
        #expect(stated("item", "center") == nil && stated("panel", "size") == nil)
        var panel: [JSONValue.Member] = [.init("effect", "dark"), .init("size", [9, 9])]
        for name in ["position", "rotation", "alpha", "corner-radius", "from"] {
            panel.append(.init(name, try #require(stated("panel", name))))
        }
        let (plain, written) = (
            try SceneExamples.panel(["effect": "dark", "size": [9, 9]]), try SceneExamples.panel(.object(panel))
        )
        #expect(try plain.state(at: 1) == written.state(at: 1))
    }

    /// Each value of the example is removed, renamed or replaced. What the reader accepts, the schema accepts. What the
    /// schema accepts and the reader refuses is a rule about several values or the text of a colour.
    @Test("The schema and the reader agree on hundreds of changed scenes")
    func mutations() throws {
        let rich = try JSONParser.parse(SceneExamples.rich.utf8)
        // A cut needs a later time than the backdrop before it. A transition, which the rich scene has, does not.
        let cuts: JSONValue = [
            "size": [20, 10], "duration": 2, "backdrop": [["color": "red"], ["color": "blue", "at": 1]],
        ]
        var paths: [(scene: JSONValue, path: [Step])] = []
        for scene in [rich, cuts] { visit(scene) { path, _ in paths.append((scene, path)) } }
        var counts = (both: 0, neither: 0, rules: 0)
        let replacements: [JSONValue?] = [nil, .null, "?", -1e9, 1e9, 0.5, [], [1, 2], .object([]), true]
        for (index, (base, path)) in paths.enumerated() where !path.isEmpty {
            let some = [0, 1 + index % 9, 1 + (4 * index + 5) % 9].map { replacements[$0] }
            for replacement in TestCases.every ? replacements : some {
                let scene = base.replacing(path[...], by: replacement)
                let isValid = validator.accepts(scene)
                do throws(SceneError) {
                    _ = try Scene(scene)
                    #expect(isValid, "the schema refuses \(path) = \(String(describing: replacement))")
                    counts.both += 1
                } catch {
                    counts.neither += isValid ? 0 : 1
                    counts.rules += isValid ? 1 : 0
                    guard isValid else { continue }
                    switch error {
                    case .invalid, .parameter, .circular, .dynamics: break
                    // An id that no panel has, and what a rule about several members needs.
                    case .unknownWord(_, _, let kind, _): #expect(["panel", "item"].contains(kind), "\(error)")
                    case .missing(let path, _):
                        let needed = ["mask", "anchor"].contains { "\(path)".hasSuffix($0) }
                        #expect(needed, "\(error)")
                    case .syntax, .parserMissing, .outOfRange, .unknownMember, .duplicate, .resource, .overLimit,
                        .rendering:
                        Issue.record("the schema accepts what the reader refuses: \(error)")
                    }
                }
            }
            let renamed = base.renaming(path[...])
            if renamed != base { #expect(!validator.accepts(renamed)) }
        }
        // The comparison must have seen all three cases.
        #expect(counts.both > 30 && counts.neither > 250 && counts.rules > 10, "\(counts)")
    }

}

private enum Step: Hashable {
    case member(String)
    case element(Int)
}

private func visit(_ value: JSONValue, _ path: [Step] = [], _ body: ([Step], JSONValue) -> Void) {
    body(path, value)
    switch value {
    case .object(let members): for member in members { visit(member.value, path + [.member(member.name)], body) }
    case .array(let elements):
        for (index, element) in elements.enumerated() { visit(element, path + [.element(index)], body) }
    case .null, .bool, .number, .string: break
    }
}

extension JSONValue {
    /// Returns the value with a part replaced, or removed if `new` is nil.
    fileprivate func replacing(_ path: ArraySlice<Step>, by new: JSONValue?) -> JSONValue {
        guard let step = path.first else { return new ?? self }
        let rest = path.dropFirst()
        switch (self, step) {
        case (.object(let members), .member(let name)):
            return .object(
                members.compactMap { member in
                    guard member.name == name else { return member }
                    if rest.isEmpty, new == nil { return nil }
                    return Member(name, member.value.replacing(rest, by: new))
                })
        case (.array(let elements), .element(let index)):
            return .array(
                elements.enumerated().compactMap { i, element in
                    guard i == index else { return element }
                    return rest.isEmpty && new == nil ? nil : element.replacing(rest, by: new)
                })
        case (_, _): return self
        }
    }

    /// Returns the value with a member renamed; the value itself if the path leads to an element.
    fileprivate func renaming(_ path: ArraySlice<Step>) -> JSONValue {
        guard case .member(let name)? = path.last else { return self }
        var parent = self
        for step in path.dropLast() {
            switch (parent, step) {
            case (.array(let elements), .element(let index)): parent = elements[index]
            case (_, .member(let name)): parent = parent[name] ?? .null
            case (_, .element): return self
            }
        }
        guard case .object(let members) = parent else { return self }
        let renamed = JSONValue.object(members.map { Member($0.name == name ? "x\(name)" : $0.name, $0.value) })
        return replacing(path.dropLast(), by: renamed)
    }
}
