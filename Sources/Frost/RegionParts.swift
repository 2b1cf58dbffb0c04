import FrostCore

/// A part of a rectangle in which an effect is rendered.
struct RegionPart {
    /// Where the result belongs, in the image's pixels.
    let place: Rect
    /// The pixels whose result is computed, in the image's pixels. The same as `place`, except for the ends of mosaics.
    let region: Rect
    /// The pixel that gets the coordinates 0, 0.
    let origin: (x: Int, y: Int)

    /// A rectangle of the image in the part's coordinates.
    func moved(_ rect: Rect) -> Rect {
        Rect(x: rect.x - origin.x, y: rect.y - origin.y, width: rect.width, height: rect.height)
    }

    /// An effect for the part: content is placed in the part's coordinates.
    func moved(_ effect: Effect) -> Effect {
        var effect = effect
        effect.outputStages.content = effect.outputStages.content.map { layer in
            var layer = layer
            layer.bounds = layer.bounds.map { bounds in
                let there = moved(bounds)
                return Rect(
                    x: there.x + region.x - place.x, y: there.y + region.y - place.y, width: there.width,
                    height: there.height)
            }
            return layer
        }
        return effect
    }
}

extension Effect {
    /// The parts of a rectangle. Only a mosaic has several: its cells begin at the rectangle's upper left corner, and what is
    /// left at the right and at the bottom, if it is narrower than a cell, gets the colours of the cells next to it.
    ///
    /// - Parameter inside: the rectangle's part within the image.
    func parts(of inside: Rect) -> [RegionPart] {
        // Coverage of partly covered pixels is computed in the image's coordinates.
        guard case .mosaic(let mosaic) = kernel, outputStages.clip.isEmpty else {
            return [RegionPart(place: inside, region: inside, origin: (0, 0))]
        }
        func runs(_ pixels: Range<Int>) -> [(place: Range<Int>, region: Range<Int>)] {
            let rest = pixels.count % mosaic.side
            guard rest > 0, pixels.count > rest else { return [(pixels, pixels)] }
            let end = pixels.upperBound - rest
            let whole = pixels.lowerBound..<end
            return [(whole, whole), (end..<pixels.upperBound, end - mosaic.side..<end - mosaic.side + rest)]
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
