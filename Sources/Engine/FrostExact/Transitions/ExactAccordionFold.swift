import FrostCore
import Glibc

/// ``AccordionFold`` in double precision.
struct ExactAccordionFold: ExactDrawing {
    private let top, fullHeight, height, pleat, shade, opacity, time: Double

    init(_ fold: AccordionFold, _ scene: ExactScene) {
        top = scene.origin.y
        fullHeight = scene.size.y
        let bottom = min(fold.bottomHeight, fullHeight)
        height = fullHeight * (1 - scene.time) + bottom * scene.time
        pleat = height / Double(fold.foldCount)
        let cosine = height / fullHeight
        shade = pow(fold.foldShadowAmount, 1 / 3.0) * (1 - cosine * cosine)
        opacity = bottom > 0 ? min(1, 10 * (1 - scene.time)) : 1
        time = scene.time
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let position = SIMD2(centerOf: x, y)
        let fromTop = position.y - top
        let place = min(max(fromTop, 0), fullHeight)
        let dark = darkLength(to: fromTop + 0.5) - darkLength(to: fromTop - 0.5)
        let moved = place * (fullHeight / height - 1)
        return ExactMixture(source: [
            ExactMixture.SourceLayer(
                share: opacity * unit(height - place + 1 - time), shade: 1 - shade * dark,
                place: .at(position + SIMD2(0, moved)))
        ])
    }

    /// Returns the total height of dark pleats from the top to a place. The second of each pair of pleats is dark.
    private func darkLength(to place: Double) -> Double {
        let pairs = (place / (2 * pleat)).rounded(.down)
        return pairs * pleat + max(0, place - pairs * 2 * pleat - pleat)
    }
}
