import FrostCore

/// Evaluates the definition of a lens in double precision: see ``Refraction``. Uses only the effect, never a plan.
struct ExactLens {
    private let lens: Lens
    private let group: ShapeGroup
    private let sampling: Int
    /// The image, and the region. Outside, the nearest place in it counts.
    private let bounds: Rect

    init(_ lens: Lens, _ shapes: [RoundedRect], join: Double, sampling: Int, within bounds: Rect) {
        self.bounds = bounds
        self.lens = lens
        group = ShapeGroup(shapes, join: join) { ShapeField(lens, along: $0) }
        self.sampling = sampling
    }

    /// Returns a region of the image that the lens shows.
    ///
    /// - Parameter blurred: computes a region of the blurred image.
    func render(
        _ region: Rect, threads: Int, _ cancellation: Cancellation?, _ blurred: (Rect) throws(ExactError) -> ExactImage
    ) throws(ExactError) -> ExactImage {
        // An offset is never longer than this, so all pixels that are read lie within.
        let read =
            region.grown(by: Int((abs(lens.depth) * (1 + lens.dispersion)).rounded(.up)) + 1).intersection(bounds)
            ?? region
        let image = try blurred(read)
        let count = image.channels.count
        let factors = factors(image.channels)
        let values = try ExactRows.values(
            rows: region.height, samples: region.width * count, threads: threads, cancellation
        ) { line in
            var values: [Double] = []
            values.reserveCapacity(region.width * count)
            for x in region.columns {
                if x & 255 == 0, cancellation?.isCancelled == true {
                    return [Double](repeating: 0, count: region.width * count)
                }
                let offsets = offsets(x, region.y + line)
                for c in 0..<count {
                    let samples = offsets.map { offset -> Double in
                        let place =
                            limited(SIMD2(Double(x), Double(region.y + line)) + offset * factors[c])
                            - SIMD2(Double(read.x), Double(read.y))
                        return value(image, place, c)
                    }
                    values.append(samples.reduce(0, +) / Double(samples.count))
                }
                // Dispersed colours at other places may exceed the alpha of this one.
                if lens.dispersion > 0, image.channels == .rgba, let alpha = values.last {
                    for c in values.count - 4..<values.count - 1 { values[c] = min(values[c], alpha) }
                }
            }
            return values
        }
        return ExactImage(width: region.width, height: region.height, channels: image.channels, values: values)
    }

    /// Returns the nearest place within the bounds. Places are those of the centres of pixels.
    private func limited(_ place: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            min(max(place.x, Double(bounds.x)), Double(bounds.columns.upperBound - 1)),
            min(max(place.y, Double(bounds.y)), Double(bounds.rows.upperBound - 1)))
    }

    /// Returns the offsets of the points of a pixel.
    private func offsets(_ x: Int, _ y: Int) -> [SIMD2<Double>] {
        (0..<sampling * sampling).map { index in
            let part = SIMD2(Double(index % sampling), Double(index / sampling)) + 0.5
            return group.offset(SIMD2(Double(x), Double(y)) + part / Double(sampling), x, y)
        }
    }

    /// Returns by what the offset of each channel is multiplied. Grey has the offset of green.
    private func factors(_ channels: ChannelLayout) -> [Double] {
        var factors = [Double](repeating: 1, count: channels.count)
        guard !channels.isGrey else { return factors }
        let colors = channels.order.colors
        (factors[colors[0]], factors[colors[2]]) = (1 - lens.dispersion, 1 + lens.dispersion)
        return factors
    }

    /// Interpolates a channel between the centres of pixels.
    private func value(_ image: ExactImage, _ place: SIMD2<Double>, _ channel: Int) -> Double {
        let whole = place.rounded(.down)
        let part = place - whole
        func pixel(_ x: Int, _ y: Int) -> Double {
            let (column, row) = (
                min(max(Int(whole.x) + x, 0), image.width - 1), min(max(Int(whole.y) + y, 0), image.height - 1)
            )
            return image.values[(row * image.width + column) * image.channels.count + channel]
        }
        let above = pixel(0, 0) + (pixel(1, 0) - pixel(0, 0)) * part.x
        let below = pixel(0, 1) + (pixel(1, 1) - pixel(0, 1)) * part.x
        return above + (below - above) * part.y
    }
}
