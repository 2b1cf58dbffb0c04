import Frost
import FrostCLI
import FrostImages

/// A catalogue as an HTML page: thumbnails with names and summaries, in sections.
struct SheetPage {
    struct Cell {
        let name: String
        let summary: String
        /// The picture to show. If it is larger than a thumbnail, it is reduced.
        let image: PixelBuffer
    }

    struct Section {
        let heading: String
        let summary: String
        let cells: [Cell]
    }

    /// The maximum width and height of a thumbnail, which is also the width of a column.
    static let column = 256
    private static let gap = 24
    private static let columns = 5

    let title: String
    let sections: [Section]

    func document() throws(CommandError) -> String {
        let sections = try sections.filter { !$0.cells.isEmpty }.map { (section) throws(CommandError) in
            let cells = try section.cells.map { (cell) throws(CommandError) in try Self.html(cell) }
            return """
                <section>
                <h2>\(Markup.escaped(section.heading))</h2>
                <p class="muted">\(Markup.escaped(section.summary))</p>
                <div class="cells">
                \(cells.joined(separator: "\n"))
                </div>
                </section>
                """
        }
        return Page.document(
            title: "Frost: \(Markup.escaped(title))", style: Self.style,
            body: """
                <header>
                <p class="brand">Frost \(Markup.escaped(frostVersion))</p>
                <h1>\(Markup.escaped(title))</h1>
                </header>
                <main>
                \(sections.joined(separator: "\n"))
                </main>
                """)
    }

    private static func html(_ cell: Cell) throws(CommandError) -> String {
        let picture = try PagePicture(cell.name, cell.image, within: column)
        let summary = cell.summary.isEmpty ? "" : " \(Markup.escaped(cell.summary))"
        return "<figure>\(picture.html(alt: cell.name))"
            + "<figcaption><b>\(Markup.escaped(cell.name))</b>\(summary)</figcaption></figure>"
    }

    private static let style = """
        body { max-width: \(columns * (column + gap) + gap)px; }
        .cells { display: flex; flex-wrap: wrap; gap: \(gap)px; margin-top: 12px; }
        .cells figure { width: \(column)px; }
        .cells img { display: block; max-width: 100%; height: auto; border-radius: 10px; box-shadow: 0 0 0 1px var(--line); }
        b { display: block; color: var(--ink); }
        """
}

/// The files of a sheet and how its pictures are rendered.
struct SheetFiles {
    /// The maximum side of a picture on which effects are shown, in pixels.
    private static let screen = 480

    let inputs: [FilePath]
    let output: FilePath
    let limits: ImageLimits
    let renderer: Renderer

    /// - Parameters:
    ///   - output: the value of `--sheet`.
    ///   - others: the files besides the inputs that must not be overwritten.
    init(_ arguments: Arguments, _ output: FilePath, others: [FilePath] = []) throws(CommandError) {
        inputs = arguments.paths
        try arguments.checkStandardInput(inputs)
        let name = output.name.text.lowercased()
        guard output == "-" || !name.contains(".") || name.hasSuffix(".html") || name.hasSuffix(".htm") else {
            throw .usage("--sheet \(output.shownName): the sheet is an HTML page; use a name that ends in .html")
        }
        try ReportFile.check([.sheet], in: arguments, over: inputs + others)
        self.output = output
        limits = try Pictures.limits(arguments)
        renderer = try arguments.renderer()
    }

    /// Reads the inputs and reduces them to the size of the first one on a simulated screen. Pages have no colour
    /// profile, so a picture is converted to sRGB if that is possible.
    ///
    /// - Parameter purpose: what the colours of the pictures are for, for a warning about those whose curve is not decoded.
    func screens(for purpose: String, _ console: Console) throws(CommandError) -> [PixelBuffer] {
        let pictures = try inputs.map { (path) throws(CommandError) in
            let image = try Pictures.read(path, ImageReadOptions(limits: limits), nil)
            Pictures.warnOfCurve(of: image.metadata, in: path, for: [purpose], console)
            let picture = image.pixels
            return try rethrow(
                picture.converted(to: .sRGB, name: path.text, limits: limits) ?? picture, as: CommandError.image)
        }
        let size = pictures[0].size(within: Self.screen)
        return try pictures.map { (picture) throws(CommandError) in try picture.reduced(to: size) }
    }

    /// Writes the page and prints what it shows.
    func write(
        _ page: SheetPage, _ count: Int, _ kind: String, _ inputs: [(String, FilePath)], _ console: Console
    ) throws(CommandError) {
        try ReportFile.write(try page.document(), to: output)
        var console = console
        console.outputIsPicture = output.isStandardOutput
        if console.json {
            console.result(
                .joined(
                    ["schema": "frost.sheet/1"], .object(inputs.map { .init($0.0, .path($0.1)) }),
                    ["output": .path(output), "status": "ok", kind: .int(count)]))
        } else {
            let names = inputs.map(\.1.shownName).joined(separator: ", ")
            console.note("\(names) -> \(output.shownName): \(count) \(kind)")
        }
    }
}
