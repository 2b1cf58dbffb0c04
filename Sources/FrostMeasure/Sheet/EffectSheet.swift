import Frost
import FrostCLI
import FrostImages

extension Option {
    static let sheet = Option(
        "sheet", value: "OUT.png", kind: .file, "draw a contact sheet with every effect applied to the input")
}

/// Draws a contact sheet that shows every effect with its default parameters on one picture.
///
/// The picture is reduced to the points of a small screen, and the effects are applied to it at scale 1. The results
/// are reduced to thumbnails. Effects for panels are shown on one panel. The others cover the picture.
struct EffectSheet {
    private static let columns = 5
    /// The maximum size of a thumbnail. The screen has twice as many points in each direction.
    private static let cell = (240, 240)
    private static let gap = 16
    private static let background: Canvas.Ink = [244, 244, 246]
    private static let ink: Canvas.Ink = [28, 28, 30]
    private static let rule: Canvas.Ink = [200, 200, 204]

    private let input: String
    private let output: String
    private let format: ImageFormat
    private let limits: ImageLimits
    private let renderer: Renderer
    private let dither: Dither?
    /// The effects to show; nil for all effects.
    private let chosen: [EffectDescription]?
    /// The content that is drawn on the panels.
    private let content: EffectContent?

    init(_ arguments: Arguments, _ output: String, _ console: Console) throws(CommandError) {
        guard arguments.operands.count == 1 else { throw .usage("--sheet needs exactly one input") }
        format = try OutputNames.format(of: output, stated: nil) ?? .png
        input = arguments.operands[0]
        try arguments.checkStandardInput([input])
        self.output = output
        limits = try Pictures.limits(arguments)
        chosen = try arguments.chosenEffects()
        dither = arguments.has(.noDither) ? nil : Dither()
        let effects = try (chosen ?? EffectCatalog.all).map { (effect) throws(CommandError) in try Self.make(effect) }
        content = try EffectContent(arguments, overSome: effects, console)
        renderer = try arguments.renderer()
    }

    func run(_ console: Console) throws(CommandError) -> ExitCode {
        let picture = try Pictures.read(input, limits: limits).pixels
        let maximum = (2 * Self.cell.0, 2 * Self.cell.1)
        let content = try content?.image(limits: limits)
        let canvas = try draw(small(picture, Self.size(picture, within: maximum)), content)
        let sheet: PixelBuffer
        do throws(PixelError) { sheet = try canvas.picture() } catch { throw .frost(.pixels(error)) }
        try Pictures.write(DecodedImage(pixels: sheet), to: output, as: format)
        var console = console
        console.outputIsPicture = output == "-"
        if console.json {
            console.result(
                .object([
                    ("schema", .string("frost.sheet/1")), ("input", .string(input)), ("output", .string(output)),
                    ("status", .string("ok")), ("width", .int(sheet.width)), ("height", .int(sheet.height)),
                    ("effects", .int(chosen?.count ?? EffectCatalog.all.count)),
                ]))
        } else {
            console.note(
                "\(input.shownName) -> \(output.shownName): \(chosen?.count ?? EffectCatalog.all.count) effects, \(sheet.width)x\(sheet.height)"
            )
        }
        return .done
    }

    /// Returns the size of a picture. A picture that is larger than the maximum is reduced to fit.
    private static func size(_ picture: PixelBuffer, within maximum: (Int, Int)) -> (width: Int, height: Int) {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let factor = min(1, Double(maximum.0) / width, Double(maximum.1) / height)
        return (max(1, Int((width * factor).rounded())), max(1, Int((height * factor).rounded())))
    }

    // MARK: Layout

    private static let labelSize = 2
    private static let headingSize = 3
    private static let lineHeight = BitmapFont.height * labelSize + 2
    private static let headingHeight = BitmapFont.height * headingSize + gap + 6

    /// Breaks the name of an effect into as many lines as necessary. Names are broken at their hyphens.
    static func lines(_ name: String) -> [String] {
        let room = cell.0 / (BitmapFont.advance * labelSize)
        var lines: [String] = []
        for part in name.split(separator: "-", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + part.count <= room {
                lines[lines.count - 1] = "\(last)-\(part)"
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "-" }
                lines.append(String(part))
            }
        }
        return lines
    }

    /// A heading and the effects below it. An effect that is nil shows the picture without an effect.
    private typealias Section = (heading: String?, cells: [EffectDescription?])

    /// Returns the chosen effects in their order. Without a choice, returns the original picture followed by all
    /// effects, grouped by family.
    private static func sections(_ chosen: [EffectDescription]?) -> [Section] {
        if let chosen { return [(nil, chosen)] }
        let families = EffectDescription.Family.allCases.map { family -> Section in
            (family.rawValue, EffectCatalog.all.filter { $0.family == family })
        }
        return [("Original", [nil])] + families.filter { !$0.cells.isEmpty }
    }

    private func draw(_ screen: PixelBuffer, _ content: ContentImage?) throws(CommandError) -> Canvas {
        let sections = Self.sections(chosen)
        let size = Self.size(screen, within: Self.cell)
        let rowHeight = size.height + 2 * Self.lineHeight + Self.gap
        var canvas = Canvas(
            width: Self.columns * (Self.cell.0 + Self.gap) + Self.gap,
            height: sections.reduce(Self.gap) {
                $0 + ($1.heading == nil ? 0 : Self.headingHeight) + Self.rows($1) * rowHeight
            },
            background: Self.background)
        var top = Self.gap
        func heading(_ text: String) {
            canvas.fill(x: Self.gap, y: top, width: canvas.width - 2 * Self.gap, height: 1, ink: Self.rule)
            canvas.draw(text, x: Self.gap, y: top + 10, size: Self.headingSize, ink: Self.ink)
            top += Self.headingHeight
        }
        func cell(_ index: Int, _ name: String, _ image: PixelBuffer) {
            let x = Self.gap + index % Self.columns * (Self.cell.0 + Self.gap)
            let y = top + index / Self.columns * rowHeight
            canvas.draw(image, x: x, y: y)
            for (number, line) in Self.lines(name).prefix(2).enumerated() {
                canvas.draw(
                    line, x: x, y: y + size.height + 6 + number * Self.lineHeight, size: Self.labelSize, ink: Self.ink)
            }
        }
        for section in sections {
            if let text = section.heading { heading(text) }
            for (index, effect) in section.cells.enumerated() {
                let image = try effect.map { (effect) throws(CommandError) in
                    try apply(effect, to: screen, content)
                }
                cell(
                    index, effect?.name ?? "\(screen.width)x\(screen.height) points", try small(image ?? screen, size))
            }
            top += Self.rows(section) * rowHeight
        }
        return canvas
    }

    private static func rows(_ section: Section) -> Int { (section.cells.count + columns - 1) / columns }

    private func small(_ image: PixelBuffer, _ size: (width: Int, height: Int)) throws(CommandError) -> PixelBuffer {
        do throws(PixelError) { return try image.reduced(width: size.width, height: size.height) } catch {
            throw .frost(.pixels(error))
        }
    }

    // MARK: Effects

    /// Returns an effect with its default parameters. A fixed seed replaces secret keys, so that equal inputs give
    /// equal sheets.
    private static func make(_ description: EffectDescription) throws(CommandError) -> Effect {
        let isSecret = description.parameters.contains { $0.name == "seed" }
        do throws(ParameterError) { return try description.make(isSecret ? ["seed": .number(1)] : [:]) } catch {
            throw .frost(.parameter(error))
        }
    }

    /// Applies an effect to the whole screen.
    private func apply(
        _ description: EffectDescription, to screen: PixelBuffer, _ image: ContentImage?
    ) throws(CommandError) -> PixelBuffer {
        var effect = try Self.make(description)
        effect.outputStages.dither = dither
        if description.family.isOfPanels {
            do throws(ParameterError) { effect.outputStages.clip = [try Self.panel(screen)] } catch {
                throw .frost(.parameter(error))
            }
        }
        if let content, let image, var layer = content.layer(image, over: effect) {
            layer.bounds = effect.outputStages.clip.first?.bounds
            effect.outputStages.content = [layer]
        }
        do throws(FrostError) {
            let mask = try effect.mask == .image ? Self.ramp() : nil
            return try renderer.render(screen, effect, mask: mask, region: screen.layout.extent).image
        } catch {
            throw .frost(error)
        }
    }

    /// Returns the rounded rectangle of the panel, which leaves a border of the picture.
    private static func panel(_ screen: PixelBuffer) throws(ParameterError) -> RoundedRect {
        let (width, height) = (Double(screen.width), Double(screen.height))
        let inset = (min(width, height) * 0.14).rounded()
        let (inner, outer) = (min(width, height) - 2 * inset, 24.0)
        return try RoundedRect(
            x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset, radius: min(outer, inner / 2))
    }

    /// Returns a mask for effects that need one: it grows from 0 on the left to 1 on the right.
    private static func ramp() throws(FrostError) -> MaskImage {
        do throws(PixelError) {
            let layout = try PixelLayout(width: 256, height: 1, format: PixelFormat(.grey))
            return MaskImage(try PixelBuffer(layout: layout, bytes: (0...255).map { UInt8($0) }))
        } catch {
            throw .pixels(error)
        }
    }
}

extension EffectDescription.Family {
    /// Whether effects of this family are meant for panels, which cover a part of the screen.
    fileprivate var isOfPanels: Bool {
        switch self {
        case .imageEffects, .sevenBlur, .blurEffect: true
        case .gpuImage, .coreImage, .frost: false
        }
    }
}
