import Frost
import FrostCore

/// The panels of a scene in layers.
///
/// A ``Backdrop`` shows only the top panel where panels overlap. A panel that fades lets the panels below it show, so it
/// belongs to a higher layer, with a backdrop of its own. A scene without overlapping panels that fade has one layer.
final class SceneLayers {
    /// A panel of the frame, with its layer.
    struct PlacedPanel: Hashable {
        let state: SceneState.Panel
        let layer: Int
        /// The part of the frame in which the panel is visible, or in which panels of higher layers are mixed with it.
        let visible: Region
    }

    private struct Layer {
        let backdrop: Backdrop
        /// The panels at full strength. Pixels outside panels have no meaning.
        var pixels: PixelBuffer
    }

    private let canvas: SceneCanvas
    private let threads: Int?
    private let images: SceneImages
    /// Whether each panel of the scene fades at any time.
    private let fades: [Bool]
    private var layers: [Layer] = []

    init(_ scene: Scene, _ images: SceneImages, _ canvas: SceneCanvas, threads: Int?) {
        self.canvas = canvas
        self.threads = threads
        self.images = images
        fades = scene.panels.map(\.fades)
    }

    /// Returns the maximum number of layers of a scene's frames: each panel that fades can need a layer of its own.
    static func maximumCount(_ scene: Scene) -> Int {
        min(scene.panels.count, 1 + scene.panels.filter(\.fades).count)
    }

    /// Reports that the picture has changed in a rectangle.
    func invalidate(_ rect: Rect) { for layer in layers { layer.backdrop.invalidate(rect) } }

    /// Renders the panels of a frame, each at full strength.
    ///
    /// - Returns: the panels with their layers, and the parts that were drawn.
    func render(
        _ panels: [SceneState.Panel], over picture: PixelBuffer, _ report: inout SceneFrameReport,
        _ cancellation: Cancellation?
    ) throws(SceneError) -> (placed: [PlacedPanel], updated: Region) {
        let placed = arranged(panels)
        var updated = Region()
        do throws(FrostError) {
            while layers.count <= placed.map(\.layer).max() ?? -1 {
                layers.append(
                    Layer(
                        backdrop: try Backdrop(coverage: .everywhere, threads: threads),
                        pixels: PixelBuffer(layout: canvas.layout)))
            }
            for index in layers.indices {
                layers[index].backdrop.panels = images.panels(placed.filter { $0.layer == index }.map(\.state))
                let part = try layers[index].backdrop.render(
                    picture, into: &layers[index].pixels, buffer: 0, cancellation: cancellation)
                updated.formUnion(Region(part.updated))
                report.levelPasses += part.levelPasses
                report.panelPasses += part.panelPasses
                report.panelPixels += part.panelPixels
                report.errorBound = max(report.errorBound, part.errorBound)
            }
        } catch {
            throw .rendering(error)
        }
        return (placed, updated)
    }

    /// Draws the panels over the picture in a part of the frame, from bottom to top.
    func compose(_ placed: [PlacedPanel], into frame: inout PixelBuffer, within part: Region) {
        for panel in placed.sorted(by: { ($0.layer, $0.state.index) < ($1.layer, $1.state.index) }) {
            for rect in panel.visible.intersection(part).rects {
                canvas.mix(layers[panel.layer].pixels, panel.state.alpha, into: &frame, rect)
            }
        }
    }

    /// Assigns panels to layers. A panel that fades is above all panels that it overlaps. Any other panel may be in the
    /// layer of those that it overlaps, because it hides them.
    private func arranged(_ panels: [SceneState.Panel]) -> [PlacedPanel] {
        let extent = canvas.layout.extent
        var layers: [Int] = []
        for (index, panel) in panels.enumerated() {
            let below = panels.indices.prefix(index).filter { other in
                panels[other].rect.intersection(panel.rect)?.intersection(extent) != nil
            }
            let top = below.map { layers[$0] }.max()
            layers.append(top.map { fades[panel.index] ? $0 + 1 : $0 } ?? 0)
        }
        return panels.indices.map { index in
            var visible = panels[index].rect.intersection(extent).map { Region($0) } ?? Region()
            for other in panels.indices.dropFirst(index + 1) where layers[other] == layers[index] {
                visible.subtract(Region(panels[other].rect))
            }
            return PlacedPanel(state: panels[index], layer: layers[index], visible: visible)
        }
    }
}

extension ScenePanel {
    /// Whether the panel fades at any time.
    fileprivate var fades: Bool { !(alpha.isConstant && alpha.value(at: 0) == 1 && motions.isEmpty) }
}
