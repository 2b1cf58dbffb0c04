import Frost
import FrostCore

/// The panels of a scene in layers.
///
/// A layer shows only the top panel where panels overlap, and the picture outside a panel's outline. A panel that fades, or does
/// not fill the pixels of its rectangle, lets the panels below it show. So where it overlaps others, it belongs to a higher layer,
/// which has the panel's effect in the whole rectangle. A scene without such panels has one layer.
final class SceneLayers {
    /// A panel of the frame, with its layer.
    struct PlacedPanel: Hashable {
        let state: SceneState.Panel
        let layer: Int
        /// Whether the panel lies over panels or shadows that it does not hide. Its layer then has the effect without the
        /// outline.
        let isOverOthers: Bool
        /// The part of the frame in which the panel is visible, or in which panels of higher layers are mixed with it.
        let visible: Region
        /// The part of the frame in which the panel's shadow is visible.
        let shaded: Region
    }

    private struct Layer {
        let painter: ScenePainter
        /// The panels at full strength. Pixels outside panels have no meaning.
        var pixels: PixelBuffer
    }

    private let canvas: SceneCanvas
    private let renderer: Renderer
    private let threads: Int?
    private let images: SceneImages
    private let shadows: SceneShadows
    /// Whether each panel of the scene fades at any time.
    private let fades: [Bool]
    private var layers: [Layer] = []

    init(_ scene: Scene, _ images: SceneImages, _ canvas: SceneCanvas, _ renderer: Renderer, threads: Int?) {
        self.canvas = canvas
        self.renderer = renderer
        self.threads = threads
        self.images = images
        shadows = SceneShadows(extent: canvas.layout.extent, threads: threads)
        fades = scene.panels.map(\.fades)
    }

    /// Returns the maximum number of layers of a scene's frames: each panel that can lie over another and does not hide it can
    /// need a layer of its own.
    static func maximumCount(_ scene: Scene) -> Int {
        let panels = scene.panels
        let count = panels.indices.count { index in
            !panels[index].alwaysHides && panels[..<index].contains { panels[index].canOverlap($0) }
        }
        return min(panels.count, 1 + count)
    }

    /// Reports that the picture has changed in a rectangle.
    func invalidate(_ rect: Rect) { for layer in layers { layer.painter.invalidate(rect) } }

    /// Renders the panels of a frame, each at full strength.
    ///
    /// - Returns: the panels with their layers, and the parts that were drawn.
    func render(
        _ panels: [SceneState.Panel], over picture: PixelBuffer, _ report: inout SceneFrameReport,
        _ cancellation: Cancellation?
    ) throws(SceneError) -> (placed: [PlacedPanel], updated: Region) {
        let placed = arranged(panels)
        var updated = Region()
        while layers.count <= placed.map(\.layer).max() ?? -1 {
            let painter = try rethrow(ScenePainter(renderer, threads: threads), as: SceneError.rendering)
            layers.append(Layer(painter: painter, pixels: PixelBuffer(layout: canvas.layout)))
        }
        for index in layers.indices {
            var panels = try images.panels(placed.filter { $0.layer == index }.map(\.state))
            for panel in placed where panel.layer == index && panel.isOverOthers {
                panels[panel.state.index].fillPixels()
            }
            let part = try rethrow(
                layers[index].painter.render(panels, over: picture, into: &layers[index].pixels, cancellation),
                as: SceneError.rendering)
            updated.formUnion(Region(part.updated))
            report.levelPasses += part.levelPasses
            report.panelPasses += part.panelPasses
            report.panelPixels += part.panelPixels
            report.errorBound = max(report.errorBound, part.errorBound)
        }
        try shadows.update(placed.map(\.state))
        return (placed, updated)
    }

    /// Draws the panels over the picture in a part of the frame, from bottom to top.
    func compose(_ placed: [PlacedPanel], into frame: inout PixelBuffer, within part: Region) {
        for panel in placed {
            if let shadow = shadows[panel.state] {
                for rect in panel.shaded.intersection(part).rects {
                    canvas.shade(&frame, shadow, panel.state.alpha, within: rect)
                }
            }
            for rect in panel.visible.intersection(part).rects {
                let outline = panel.isOverOthers ? panel.state.outline : nil
                canvas.mix(layers[panel.layer].pixels, panel.state.alpha, within: outline, into: &frame, rect)
            }
        }
    }

    /// Assigns panels to layers. A panel that lets others show is above all panels that it overlaps. Any other panel may be in
    /// the layer of those that it overlaps, because it hides them.
    private func arranged(_ panels: [SceneState.Panel]) -> [PlacedPanel] {
        let extent = canvas.layout.extent
        var layers: [Int] = []
        var isOver: [Bool] = []
        for (index, panel) in panels.enumerated() {
            let below = panels.indices.prefix(index).filter { other in
                panels[other].rect.intersection(panel.rect)?.intersection(extent) != nil
            }
            let top = below.map { layers[$0] }.max()
            let isOpen = fades[panel.index] || !panel.fillsPixels
            layers.append(top.map { isOpen ? $0 + 1 : $0 } ?? 0)
            let isOverShadow = panels[...index].contains { other in
                other.shadow?.reach(around: other.rect).intersection(panel.rect) != nil
            }
            isOver.append(!panel.fillsPixels && (top != nil || isOverShadow))
        }
        return panels.indices.map { index in
            let panel = panels[index]
            var visible = panel.rect.intersection(extent).map { Region($0) } ?? Region()
            for other in panels.indices.dropFirst(index + 1) where layers[other] == layers[index] {
                visible.subtract(Region(panels[other].rect))
            }
            let reach = panel.shadow?.reach(around: panel.rect).intersection(extent)
            return PlacedPanel(
                state: panel, layer: layers[index], isOverOthers: isOver[index], visible: visible,
                shaded: reach.map { Region($0) } ?? Region())
        }
    }
}

extension Panel {
    /// Removes the outline, so that the effect fills all of the rectangle.
    fileprivate mutating func fillPixels() { (insets, cornerRadius, corners, shape) = (Insets(), 0, .circular, nil) }
}

extension ScenePanel {
    /// Whether the panel fades at any time.
    fileprivate var fades: Bool { !(alpha.isConstant && alpha.value(at: 0) == 1 && motions.isEmpty) }

    /// The panel's rectangle, if it never moves.
    private var still: Placement? {
        guard leader == nil, motions.isEmpty, position.isConstant, rotation.isConstant, rotation.value(at: 0) == 0,
            let size, size.isConstant
        else { return nil }
        let (corner, extent) = (position.value(at: 0), size.value(at: 0))
        return Placement(x: corner.x, y: corner.y, width: extent.x, height: extent.y)
    }

    /// Whether the panel hides all that is below its rectangle at any time and scale.
    fileprivate var alwaysHides: Bool {
        !fades && still?.isWhole == true && cornerRadius.isConstant && cornerRadius.value(at: 0) == 0
    }

    /// Whether the rectangles of two panels can overlap at any time. They may touch the same pixels.
    fileprivate func canOverlap(_ other: ScenePanel) -> Bool {
        guard let a = still, let b = other.still else { return true }
        return a.x < b.x + b.width + 1 && b.x < a.x + a.width + 1 && a.y < b.y + b.height + 1
            && b.y < a.y + a.height + 1
    }
}
