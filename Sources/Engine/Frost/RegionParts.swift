import FrostCore

/// A part of a rectangle. Within the rectangle, an effect is rendered part by part.
struct RegionPart {
    /// The rectangle of the image that receives the part's result, in the image's pixels.
    let place: Rect
    /// The rectangle for which the effect is computed, in the image's pixels. It equals `place`, except in the narrow strips
    /// at the right and bottom ends of a mosaic, which show the colours of the cells next to them.
    let region: Rect
    /// The pixel of the image that has the coordinates 0, 0 in the part's coordinates.
    let origin: (x: Int, y: Int)

    /// Converts a rectangle from the image's coordinates to the part's coordinates.
    func moved(_ rect: Rect) -> Rect { rect.moved(x: -origin.x, y: -origin.y) }

    /// Returns an effect for this part. The bounds of the effect's content are converted to the part's coordinates.
    func moved(_ effect: Effect) -> Effect {
        var effect = effect
        effect.outputStages.content = effect.outputStages.content.map { layer in
            var layer = layer
            layer.bounds = layer.bounds.map { moved($0).moved(x: region.x - place.x, y: region.y - place.y) }
            return layer
        }
        return effect
    }
}

extension Effect {
    /// Returns the effect without its clip, and the clip's area, if the effect is divided into parts. These have their own
    /// coordinates, in which the clip cannot be drawn. Every pixel of such an effect is covered as a whole or not at all.
    var dividedClip: (effect: Effect, area: ClipArea?) {
        guard blur.cellSide != nil, !outputStages.clip.isEmpty else { return (self, nil) }
        var effect = self
        effect.outputStages.clip = []
        return (effect, outputStages.clipArea)
    }

    /// Returns the parts in which the effect is rendered within a rectangle. Only a mosaic can have several parts. The cells
    /// of a mosaic begin at the rectangle's upper left corner. If the cells do not fill the rectangle, a strip that is
    /// narrower than a cell remains at the right or at the bottom. Such a strip is a part of its own, and shows the colours
    /// of the cells next to it.
    ///
    /// - Parameter inside: the rectangle, cropped to the image.
    func parts(of inside: Rect) -> [RegionPart] {
        guard let side = blur.cellSide else {
            return [RegionPart(place: inside, region: inside, origin: (0, 0))]
        }
        func runs(_ pixels: Range<Int>) -> [(place: Range<Int>, region: Range<Int>)] {
            let rest = pixels.count % side
            guard rest > 0, pixels.count > rest else { return [(pixels, pixels)] }
            let end = pixels.upperBound - rest
            let whole = pixels.lowerBound..<end
            return [(whole, whole), (end..<pixels.upperBound, end - side..<end - side + rest)]
        }
        return runs(inside.rows).flatMap { rows in
            runs(inside.columns).map { columns in
                RegionPart(
                    place: Rect(columns: columns.place, rows: rows.place),
                    region: Rect(columns: columns.region, rows: rows.region), origin: (inside.x, inside.y))
            }
        }
    }
}

extension ClipArea {
    /// Returns the pixels of a rectangle that are covered, in runs.
    func runs(in rect: Rect) -> [Rect] {
        rect.rows.flatMap { y in
            var runs: [Rect] = []
            var start: Int?
            for x in rect.x...rect.x + rect.width {
                let isCovered = x < rect.x + rect.width && coverage(x, y) > 0
                if isCovered, start == nil { start = x }
                guard !isCovered, let first = start else { continue }
                runs.append(Rect(x: first, y: y, width: x - first, height: 1))
                start = nil
            }
            return runs
        }
    }
}
