import FrostCore

/// ``BarsSwipe`` in double precision.
struct ExactBarsSwipe: ExactDrawing {
    private let along, across: ExactDistance
    private let width, barOffset, time: Double
    private let count: Int

    init(_ bars: BarsSwipe, _ scene: ExactScene) {
        let direction = SIMD2(angle: bars.angle)
        along = scene.distance(along: direction)
        across = scene.distance(along: SIMD2(-direction.y, direction.x))
        width = bars.width
        barOffset = bars.barOffset
        time = scene.time
        count = max(1, Int(((across.high - across.low - 0.001) / width).rounded(.up)))
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let position = SIMD2(centerOf: x, y)
        let place = across.clamped(position) - across.low
        let bar = min(max(Int((place / width).rounded(.down)), 0), count - 1)
        // A bar is at least 2 pixels wide, so at most one of the two borders is within half a pixel.
        var source: [ExactMixture.SourceLayer] = []
        var own = 1.0
        for (neighbor, distance) in [
            (bar - 1, place - Double(bar) * width), (bar + 1, Double(bar + 1) * width - place),
        ] where (0..<count).contains(neighbor) {
            let share = unit(0.5 - distance)
            own -= share
            if share > 0 { source.append(layer(neighbor, position, share)) }
        }
        source.append(layer(bar, position, own))
        return ExactMixture(source: source)
    }

    private func layer(_ bar: Int, _ position: SIMD2<Double>, _ share: Double) -> ExactMixture.SourceLayer {
        let length = along.high - along.low + Double(count - 1) * barOffset
        let moved = max(0, length * time * time - Double(bar) * barOffset)
        let rest = unit(along.clamped(position) - moved - along.low + 1 - time)
        return ExactMixture.SourceLayer(share: share * rest, place: .at(position - along.direction * moved))
    }
}
