import Frost
import FrostCLI
import FrostImages

extension Command {
    static let transitions = Command(
        name: "transitions", operands: "[NAME...] [--json] | --sheet OUT.html A B",
        summary: "List the transitions, describe those named with their parameters, or show all at five times.",
        options: [.transitionSheet, .backend, .device, .threads] + Option.limits,
        examples: [
            "frost transitions", "frost transitions flash", "frost transitions --json | jq -r .name",
            "frost transitions --sheet sheet.html a.png b.png",
        ],
        run: { (arguments, console) throws(CommandError) in
            if let path = arguments.path(.transitionSheet) {
                return try TransitionSheet(arguments, path).run(console)
            }
            let chosen = try arguments.operands.map { (name) throws(CommandError) in try TransitionCatalog.named(name) }
            let listed = chosen.isEmpty ? TransitionCatalog.all : chosen
            if console.json {
                listed.forEach { console.result($0.json) }
            } else if chosen.isEmpty {
                listed.forEach { console.result($0.line(among: TransitionCatalog.all)) }
            } else {
                chosen.forEach { console.result($0.details([("re-creates", "\($0.source) of Core Image")])) }
            }
            return .done
        },
        otherOperands: .file)
}

extension Option {
    static let transitionSheet = Option(
        "sheet", value: "OUT.html", kind: .file,
        "write an HTML page that shows every transition from A to B at five times")
}

extension TransitionDescription {
    /// The transition as a JSON object. `frost transitions --json` prints one such object per line.
    fileprivate var json: JSONValue {
        [
            "schema": "frost.transitions/1", "name": .string(name), "summary": .string(summary),
            "source": .string(source), "parameters": .array(parameters.map(\.json)),
        ]
    }
}

/// A page that shows every transition between two pictures at five times.
struct TransitionSheet {
    private static let times = [0.1, 0.3, 0.5, 0.7, 0.9]

    private let files: SheetFiles

    init(_ arguments: Arguments, _ output: FilePath) throws(CommandError) {
        guard arguments.operands.count == 2 else { throw .usage("--sheet needs two pictures: A and B") }
        files = try SheetFiles(arguments, output)
    }

    func run(_ console: Console) throws(CommandError) -> ExitCode {
        let screens = try files.screens(for: "the colours of the transitions", console)
        let mask: MaskImage
        do throws(PixelError) { mask = try Self.mask() } catch { throw .frost(.pixels(error)) }
        let sections = try TransitionCatalog.all.map { (description) throws(CommandError) in
            SheetPage.Section(
                heading: description.name, summary: description.summary,
                cells: try Self.times.map { (time) throws(CommandError) in
                    let image = try render(description, screens[0], screens[1], mask, at: time)
                    return SheetPage.Cell(name: "at \(numberText(time))", summary: "", image: image)
                })
        }
        let count = TransitionCatalog.all.count
        let page = SheetPage(title: "\(count) transitions with their default parameters", sections: sections)
        let inputs = [("from", files.inputs[0]), ("to", files.inputs[1])]
        try files.write(page, count, "transitions", inputs, console)
        return .done
    }

    private func render(
        _ description: TransitionDescription, _ source: PixelBuffer, _ target: PixelBuffer, _ mask: MaskImage,
        at time: Double
    ) throws(CommandError) -> PixelBuffer {
        let transition: Transition
        do throws(ParameterError) { transition = try description.make() } catch { throw .frost(.parameter(error)) }
        let extraImages = TransitionExtraImages(mask: transition.extraImages.contains(.mask) ? mask : nil)
        return try rethrow(
            files.renderer.render(transition, at: time, from: source, to: target, extraImages: extraImages).image,
            as: CommandError.frost)
    }

    /// Returns a mask of soft spots, for the transition that needs one.
    private static func mask() throws(PixelError) -> MaskImage {
        let side = 64
        let layout = try PixelLayout(width: side, height: side, format: PixelFormat(.grey))
        var state: UInt32 = 1
        let bytes = (0..<side * side).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        return MaskImage(try PixelBuffer(layout: layout, bytes: bytes))
    }
}
