import Frost
import FrostCLI
import FrostImages

extension Option {
    static let sheet = Option(
        "sheet", value: "OUT.html", kind: .file, "write an HTML page that shows every effect on the input")
}

/// A page that shows one picture with each effect. The effects have their default parameters.
///
/// The picture is first reduced to a simulated screen, in which a pixel is a point. The effects are applied to this
/// screen at scale 1, and the results are reduced to thumbnails. An effect that is meant for panels is shown on one
/// panel. Any other effect covers the whole picture.
struct EffectSheet {
    private let files: SheetFiles
    private let dither: Dither?
    /// The effects to show; nil for all effects.
    private let chosen: [EffectDescription]?
    /// The content that is drawn on the panels.
    private let content: EffectContent?

    init(_ arguments: Arguments, _ output: FilePath, _ console: Console) throws(CommandError) {
        guard arguments.operands.count == 1 else { throw .usage("--sheet needs exactly one input") }
        files = try SheetFiles(arguments, output, others: [arguments.path(.content)].compactMap { $0 })
        chosen = try arguments.chosenEffects()
        dither = arguments.has(.noDither) ? nil : Dither()
        let effects = try (chosen ?? EffectCatalog.all).map { (effect) throws(CommandError) in try Self.make(effect) }
        content = try EffectContent(arguments, overSome: effects, console)
    }

    func run(_ console: Console) throws(CommandError) -> ExitCode {
        let screen = try files.screens(for: "the colours of the effects", console)[0]
        let given = try content?.picture(ImageReadOptions(limits: files.limits), console, hasOptions: false)
        let content: ContentImage?
        do throws(ImageError) { content = try given?.image(in: .sRGB, console) } catch { throw .image(error) }
        let size = PictureSize(width: screen.width, height: screen.height)
        let original = SheetPage.Section(
            heading: "Original", summary: "\(size) points",
            cells: [SheetPage.Cell(name: "original", summary: "", image: screen)])
        // Chosen effects keep their order on the command line.
        let groups =
            chosen.map { [("Effects", $0)] }
            ?? EffectDescription.Family.allCases.map { family in
                (family.rawValue, EffectCatalog.all.filter { $0.family == family })
            }
        let sections = try groups.map { (heading, effects) throws(CommandError) in
            SheetPage.Section(
                heading: heading, summary: "",
                cells: try effects.map { (effect) throws(CommandError) in
                    SheetPage.Cell(
                        name: effect.name, summary: effect.summary, image: try apply(effect, to: screen, content))
                })
        }
        let count = groups.reduce(0) { $0 + $1.1.count }
        let page = SheetPage(
            title: "\(count) effects with their default parameters", sections: [original] + sections)
        try files.write(page, count, "effects", [("input", files.inputs[0])], console)
        return .done
    }

    // MARK: Effects

    /// Returns an effect with its default parameters. A fixed seed replaces secret keys, so that equal inputs give
    /// equal sheets.
    private static func make(_ description: EffectDescription) throws(CommandError) -> Effect {
        let isSecret = description.parameters.contains { $0.name == "seed" }
        return try rethrow(
            description.make(isSecret ? ["seed": .number(1)] : [:]), as: { CommandError.frost(.parameter($0)) })
    }

    /// Applies an effect to the simulated screen, and returns the whole screen. An effect for panels changes only the
    /// panel.
    private func apply(
        _ description: EffectDescription, to screen: PixelBuffer, _ image: ContentImage?
    ) throws(CommandError) -> PixelBuffer {
        var effect = try Self.make(description)
        effect.outputStages.dither = dither
        if description.family.isOfPanels || effect.outputStages.followsShapes {
            effect.outputStages.clip = try rethrow([Self.panel(screen)], as: { CommandError.frost(.parameter($0)) })
        }
        if let content, let image {
            effect.outputStages.content = content.layers(image, over: effect)
            for index in effect.outputStages.content.indices {
                effect.outputStages.content[index].bounds = effect.outputStages.clip.first?.bounds
            }
        }
        do throws(FrostError) {
            let mask = try effect.mask == .image ? Self.ramp() : nil
            return try files.renderer.render(screen, effect, mask: mask, region: screen.layout.extent).image
        } catch {
            throw .frost(error)
        }
    }

    /// Returns the rounded rectangle of the panel. Around the panel, a border of the picture stays visible.
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
