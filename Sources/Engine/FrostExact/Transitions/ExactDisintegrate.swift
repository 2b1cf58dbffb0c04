import FrostCore

/// ``Disintegrate`` in double precision.
struct ExactDisintegrate: ExactDrawing {
    private let mask: DisintegratingMask
    private let region: Rect
    /// The shadow's weight on the target, for each pixel of the region, row by row.
    private let shadow: [Double]

    init(
        _ disintegrate: Disintegrate, _ scene: ExactScene, mask image: MaskImage?, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) {
        guard let image else {
            throw .parameter(.extraImage(Transition.ExtraImage.mask.rawValue, needed: true))
        }
        mask = DisintegratingMask(image: image.fitted(to: scene.extent), extent: scene.extent, time: scene.time)
        region = scene.region
        shadow = try Self.shadow(disintegrate, scene, of: mask, threads: threads, cancellation: cancellation)
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        var mixture = ExactMixture(share: mask.rest(x, y))
        mixture.targetShade = 1 - shadow[(y - region.y) * region.width + x - region.x]
        return mixture
    }

    /// Returns the weight of the shadow for each pixel of the region. The rest of the source's alpha is blurred in a plane
    /// that is transparent outside the canvas. The blur is then moved by the shadow's offset.
    private static func shadow(
        _ disintegrate: Disintegrate, _ scene: ExactScene, of mask: DisintegratingMask, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> [Double] {
        let (region, canvas) = (scene.region, scene.canvas)
        let extent = Rect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let rest = try ExactRows.values(
            rows: extent.height, samples: extent.width, threads: threads, cancellation
        ) { y in
            extent.columns.map { x in
                let alpha = scene.source.pixel(x, y)[3]
                return alpha > 0 ? mask.rest(x, y) * alpha : 0
            }
        }
        let sigma = try rethrow(
            GaussianBlur(sigma: disintegrate.shadowRadius).effectiveSigma(.x), as: ExactError.parameter)
        let taps = sigma > 0 ? SampledGaussian.taps(sigma: sigma) : [1]
        // The shadow of a pixel lies between two columns and two rows of the blur.
        let (left, top) = (-disintegrate.shadowOffset.x.rounded(.up), -disintegrate.shadowOffset.y.rounded(.up))
        let (partX, partY) = (-disintegrate.shadowOffset.x - left, -disintegrate.shadowOffset.y - top)
        let read = Rect(
            x: region.x + Int(left), y: region.y + Int(top), width: region.width + 1, height: region.height + 1)
        let average = { axis in AxisAverage(taps: taps, edge: .clear, input: extent[axis], output: read[axis]) }
        let blurred = try ExactSeparable.filtered(
            rest, x: [average(.x)], y: [average(.y)], extent: extent, count: 1, threads: threads,
            cancellation: cancellation)
        return try ExactRows.values(
            rows: region.height, samples: region.width, threads: threads, cancellation
        ) { y in
            (0..<region.width).map { x in
                let first = y * read.width + x
                let above = blurred[first] * (1 - partX) + blurred[first + 1] * partX
                let next = first + read.width
                let below = blurred[next] * (1 - partX) + blurred[next + 1] * partX
                return disintegrate.shadowDensity * (above * (1 - partY) + below * partY)
            }
        }
    }
}

/// The mask of ``Disintegrate``, stretched over the extent.
private struct DisintegratingMask: Sendable {
    let image: MaskImage
    let extent: Rect
    let time: Double

    /// Returns the rest k of the source at a pixel.
    func rest(_ x: Int, _ y: Int) -> Double {
        let center = value(x, y)
        let differences = abs(value(x + 1, y) - value(x - 1, y)) + abs(value(x, y + 1) - value(x, y - 1))
        let change = max(differences / 2, 1 / 256)
        let (low, high) = (max(0, center - change / 2), min(1, center + change / 2))
        return 1 - unit((time - low) / (high - low))
    }

    private func value(_ x: Int, _ y: Int) -> Double {
        image.value(
            x: (Double(x - extent.x) + 0.5) / Double(extent.width),
            y: (Double(y - extent.y) + 0.5) / Double(extent.height))
    }
}
