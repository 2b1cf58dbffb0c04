import Frost
import FrostCore

/// Draws the panels of a layer: on the CPU through a ``Backdrop``, which shares passes among panels, and on other backends panel
/// by panel.
final class ScenePainter {
    /// The cost of a layer's frame, in the numbers of ``SceneFrameReport``.
    struct Report {
        var updated: [Rect] = []
        var levelPasses = 0
        var panelPasses = 0
        var panelPixels = 0
        var errorBound = 0.0
    }

    private enum Way {
        case backdrop(Backdrop)
        case panels(Renderer)
    }

    private let way: Way
    /// The panels of the last frame, as they were drawn panel by panel.
    private var drawn: [Panel] = []
    private var isPictureChanged = true

    init(_ renderer: Renderer, threads: Int?) throws(FrostError) {
        switch renderer.backend {
        case .cpu: way = .backdrop(try Backdrop(coverage: .everywhere, threads: threads))
        case .gpu, .exact, .auto: way = .panels(renderer)
        }
    }

    /// Reports that the picture has changed in a rectangle.
    func invalidate(_ rect: Rect) {
        switch way {
        case .backdrop(let backdrop): backdrop.invalidate(rect)
        case .panels: isPictureChanged = true
        }
    }

    /// Draws the panels that changed. A panel hides those with a lower index.
    func render(
        _ panels: [Panel], over picture: PixelBuffer, into pixels: inout PixelBuffer, _ cancellation: Cancellation?
    ) throws(FrostError) -> Report {
        switch way {
        case .backdrop(let backdrop):
            backdrop.panels = panels
            let part = try backdrop.render(picture, into: &pixels, buffer: 0, cancellation: cancellation)
            return Report(
                updated: part.updated, levelPasses: part.levelPasses, panelPasses: part.panelPasses,
                panelPixels: part.panelPixels, errorBound: part.errorBound)
        case .panels(let renderer):
            let last = isPictureChanged ? [] : drawn
            // After an error, all is drawn again.
            (drawn, isPictureChanged) = ([], true)
            var report = Report()
            var shown: [Panel] = []
            for (index, panel) in panels.enumerated() {
                var panel = panel
                panel.region = Region(panel.rect).subtracting(panels[(index + 1)...].map(\.rect))
                    .moved(x: -panel.rect.x, y: -panel.rect.y)
                shown.append(panel)
                if last.indices.contains(index), last[index] == panel { continue }
                try draw(panel, over: picture, into: &pixels, renderer, &report, cancellation)
            }
            (drawn, isPictureChanged) = (shown, false)
            return report
        }
    }

    private func draw(
        _ panel: Panel, over picture: PixelBuffer, into pixels: inout PixelBuffer, _ renderer: Renderer,
        _ report: inout Report, _ cancellation: Cancellation?
    ) throws(FrostError) {
        let extent = picture.layout.extent
        guard let rect = panel.rect.intersection(extent) else { return }
        guard let drawn = try renderer.draw(panel, over: picture, into: &pixels, cancellation) else { return }
        report.updated.append(rect)
        report.panelPasses += drawn.passes
        report.panelPixels += rect.width * rect.height
        report.errorBound = max(report.errorBound, drawn.errorBound)
    }
}

extension Region {
    fileprivate func subtracting(_ rects: [Rect]) -> Region {
        var region = self
        for rect in rects { region.subtract(Region(rect)) }
        return region
    }

    fileprivate func moved(x: Int, y: Int) -> Region { Region(rects.map { $0.moved(x: x, y: y) }) }
}
