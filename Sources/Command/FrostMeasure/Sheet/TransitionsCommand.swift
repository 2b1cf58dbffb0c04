import Frost
import FrostCLI
import FrostImages

extension Command {
    static let transitions = Command(
        name: "transitions", operands: "[NAME...] [--json] | --sheet OUT.png A B",
        summary: "List the transitions, describe those named with their parameters, or draw all at five times.",
        options: [.transitionSheet, .backend, .device, .threads] + Option.limits,
        examples: [
            "frost transitions", "frost transitions flash", "frost transitions --json | jq -r .name",
            "frost transitions --sheet sheet.png a.png b.png",
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
                listed.forEach { console.result($0.line) }
            } else {
                chosen.forEach { console.result($0.details) }
            }
            return .done
        },
        otherOperands: .file)
}

extension Option {
    static let transitionSheet = Option(
        "sheet", value: "OUT.png", kind: .file, "draw a page that shows every transition from A to B at five times")
}

extension TransitionDescription {
    /// The line of a transition in the list.
    fileprivate var line: String {
        let width = TransitionCatalog.all.map(\.name.count).max() ?? 0
        return "\(name)\(String(repeating: " ", count: width - name.count + 2))\(summary)"
    }

    /// The full description of a transition.
    fileprivate var details: String {
        TextColumns.wrapped("\(name): \(summary)", indent: "  ") + "\n"
            + TextColumns.table([("re-creates", "\(source) of Core Image")], left: 10)
            + (parameters.isEmpty
                ? "  no parameters\n"
                : "  parameters\n"
                    + TextColumns.table(options.map { ("  --\($0.name) \($0.value ?? "")", $0.explanation) }))
    }

    /// The transition as a JSON object. `frost transitions --json` prints one such object per line.
    fileprivate var json: JSON {
        .object([
            ("schema", .string("frost.transitions/1")), ("name", .string(name)), ("summary", .string(summary)),
            ("source", .string(source)), ("parameters", .array(parameters.map(\.json))),
        ])
    }
}

/// A page that shows every transition between two pictures at five times.
struct TransitionSheet {
    /// The maximum size of the pictures, in pixels.
    private static let screen = (480, 480)
    private static let times = [0.1, 0.3, 0.5, 0.7, 0.9]

    private let inputs: [FilePath]
    private let output: FilePath
    private let format: ImageFormat
    private let limits: ImageLimits
    private let renderer: Renderer

    init(_ arguments: Arguments, _ output: FilePath) throws(CommandError) {
        guard arguments.operands.count == 2 else { throw .usage("--sheet needs two pictures: A and B") }
        format = try OutputNames.format(of: output, stated: nil) ?? .png
        inputs = arguments.paths
        try arguments.checkStandardInput(inputs)
        try ReportFile.refuse(.sheet, output, over: inputs)
        self.output = output
        limits = try Pictures.limits(arguments)
        renderer = try arguments.renderer()
    }

    func run(_ console: Console) throws(CommandError) -> ExitCode {
        let pictures = try inputs.map { (path) throws(CommandError) in
            try SheetPage.picture(path, limits: limits)
        }
        let size = SheetPage.size(pictures[0], within: Self.screen)
        let (source, target): (PixelBuffer, PixelBuffer)
        let mask: MaskImage
        do throws(PixelError) {
            source = try pictures[0].reduced(width: size.width, height: size.height)
            target = try pictures[1].reduced(width: size.width, height: size.height)
            mask = try Self.mask()
        } catch {
            throw .frost(.pixels(error))
        }
        let sections = try TransitionCatalog.all.map { (description) throws(CommandError) in
            SheetPage.Section(
                heading: description.name,
                cells: try Self.times.map { (time) throws(CommandError) in
                    let image = try render(description, source, target, mask, at: time)
                    return SheetPage.Cell(
                        name: "at \(decimal(time))", summary: time == Self.times[0] ? description.summary : "",
                        image: image)
                })
        }
        let page = SheetPage(
            title: ("Frost", "\(TransitionCatalog.all.count) transitions with their default parameters"), original: nil,
            sections: sections)
        let sheet = try page.write(to: output, as: format)
        var console = console
        console.outputIsPicture = output.isStandardOutput
        if console.json {
            console.result(
                .object([
                    ("schema", .string("frost.sheet/1")), ("from", .path(inputs[0])), ("to", .path(inputs[1])),
                    ("output", .path(output)), ("status", .string("ok")), ("width", .int(sheet.width)),
                    ("height", .int(sheet.height)), ("transitions", .int(TransitionCatalog.all.count)),
                ]))
        } else {
            console.note(
                "\(output.shownName): \(TransitionCatalog.all.count) transitions, \(sheet.width)x\(sheet.height)")
        }
        return .done
    }

    private func render(
        _ description: TransitionDescription, _ source: PixelBuffer, _ target: PixelBuffer, _ mask: MaskImage,
        at time: Double
    ) throws(CommandError) -> PixelBuffer {
        let transition: Transition
        do throws(ParameterError) { transition = try description.make() } catch { throw .frost(.parameter(error)) }
        let extras = TransitionExtras(mask: transition.extraImages.contains(.mask) ? mask : nil)
        do throws(FrostError) {
            return try renderer.render(transition, at: time, from: source, to: target, extras: extras).image
        } catch {
            throw .frost(error)
        }
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
