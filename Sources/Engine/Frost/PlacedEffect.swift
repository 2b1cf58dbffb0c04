import FrostCore

/// An effect for a rectangle of an image. The cells of a mosaic begin at the rectangle's upper left corner and do not cross its
/// edges, so a mosaic has coordinates of its own there.
struct PlacedEffect {
    let effect: Effect
    /// The rectangle, in the image's pixels.
    let place: Rect
    /// The pixel of the image that has the coordinates 0, 0 for the effect.
    let origin: (x: Int, y: Int)
    /// The clip, if it is not a part of the effect because it has the image's coordinates. Such an effect covers every pixel as a
    /// whole or not at all.
    private let area: ClipArea?

    /// - Parameter place: the rectangle, cropped to the image.
    init(_ effect: Effect, in place: Rect) {
        self.place = place
        guard var mosaic = effect.blur as? Mosaic else {
            (self.effect, origin, area) = (effect, (0, 0), nil)
            return
        }
        var effect = effect
        origin = (place.x, place.y)
        area = effect.outputStages.clip.isEmpty ? nil : effect.outputStages.clipArea
        effect.outputStages.clip = []
        func moved(_ rect: Rect) -> Rect { rect.moved(x: -place.x, y: -place.y) }
        mosaic.bounds = moved(place)
        effect.blur = mosaic
        effect.maskBounds = effect.maskBounds.map(moved)
        effect.outputStages.content = effect.outputStages.content.map { layer in
            var layer = layer
            layer.bounds = layer.bounds.map(moved)
            return layer
        }
        self.effect = effect
    }

    /// Converts a rectangle from the image's coordinates to the effect's coordinates.
    func moved(_ rect: Rect) -> Rect { rect.moved(x: -origin.x, y: -origin.y) }

    /// The rectangles of the image that receive the result.
    var runs: [Rect] { area?.runs(in: place) ?? [place] }
}

extension ClipArea {
    /// Returns the pixels of a rectangle that are covered, in runs.
    fileprivate func runs(in rect: Rect) -> [Rect] {
        rect.rows.flatMap { y in
            var runs: [Rect] = []
            forEachPart(rect.columns, row: y) { columns, part in
                guard part > 0 else { return }
                if let last = runs.last, last.x + last.width == columns.lowerBound {
                    runs[runs.count - 1].width += columns.count
                } else {
                    runs.append(Rect(columns: columns, rows: y..<y + 1))
                }
            }
            return runs
        }
    }
}
