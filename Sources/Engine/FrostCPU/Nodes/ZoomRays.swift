import CFrostKernels
import FrostCore

/// The part of a zoom blur that is computed by sums along rays; `zoom-rays.inc` has the method. The result is the same as
/// that of adding the samples of each line, except for rounding and, in images of 8 bits, an error below a given bound. But the
/// time does not grow with the length of the lines.
///
/// The rays of a pixel depend only on the pixel's distance from the centre, which is the larger of its distances along both
/// axes: from one power of two to the next there is one set of rays.
@safe final class ZoomRays {
    /// The distances that share a set of rays, and the factor that converts samples to integers.
    struct Octave {
        let near, far: Double
        let scale: Float
    }

    private(set) var octaves: [Octave] = []
    private let near: Double
    private var far = 0.0
    private let raysPerPixel: Int
    private let bendLimit: Float
    private let starts: RowStorage
    /// Memory for the bends of a wedge, and for their links.
    private let bends, links: RowStorage
    private let bendCount: Int

    /// The minimum number of samples of a line. Lines with fewer samples are faster without rays.
    private static let minimumSamples = 32.0
    private static let nearest = 16.0
    private static let farthest = 0x1p16

    /// Returns nil if no pixel of the output has long lines.
    ///
    /// - Parameters:
    ///   - maximum: the maximum of a sample.
    ///   - error: the maximum error that bends that are left out may cause; 0 if all count.
    init?(_ zoom: KernelZoom, maximum: Double, error: Double, output: Rect) throws(CPUError) {
        // If bends may be left out, fewer rays are faster; otherwise, more rays have fewer bends between two of them.
        raysPerPixel = error > 0 ? 20 : 32
        // The magnitude of a second difference is at most twice the maximum.
        bendLimit = error > 0 ? Float(error / (2 * maximum)) : -1
        let length = zoom.inward + zoom.outward
        near = max(Self.nearest, (Self.minimumSamples / length).rounded(.up))
        let farthest = [
            Double(output.x) - zoom.centerX, Double(output.columns.upperBound - 1) - zoom.centerX,
            Double(output.y) - zoom.centerY, Double(output.rows.upperBound - 1) - zoom.centerY,
        ].reduce(0) { max($0, abs($1)) }
        var end = 2 * Self.nearest
        while end <= Self.farthest, end / 2 <= farthest {
            // The sum of a line is below 2^31. It has at most length * end samples, and one for each of its two ends.
            let scale = 0x1p31 / (maximum * (length * end + 3))
            guard scale >= 2 else { break }
            if end > near {
                let power = Float(sign: .plus, exponent: scale.exponent, significand: 1)
                octaves.append(Octave(near: max(near, end / 2), far: end, scale: power))
                far = end
            }
            end *= 2
        }
        guard !octaves.isEmpty else { return nil }
        let columns = min(max(output.width, output.height), Int(far / 2)) + 1
        let window = Int(length * far) + 3
        // The rays of a wedge cross so many pixels of a column at the distance `far`. Lines that lead outwards go beyond it,
        // where the rays are further apart.
        let crossed = Double(FROST_ZOOM_RAYS) / Double(raysPerPixel)
        starts = try RowStorage(rows: 1, floats: 9 * columns * (Int(crossed) + 2), zeroed: false)
        bendCount = (columns + window) * (Int(crossed * (1 + zoom.outward)) + 3) + 1
        let bendFloats = MemoryLayout<frost_zoom_bend>.stride / MemoryLayout<Float>.stride
        bends = try RowStorage(rows: 1, floats: bendCount * bendFloats, zeroed: false)
        links = try RowStorage(rows: 1, floats: bendCount, zeroed: false)
    }

    /// Whether a pixel at this distance is computed by rays.
    func contains(_ distance: Double) -> Bool { distance >= near && distance < far }

    /// Computes the pixels of a block at the distances of an octave.
    ///
    /// SAFETY: the memory is large enough for the pixels and the bends of every octave; see `init`.
    @unsafe func compute(_ octave: Octave, _ zoom: inout frost_zoom_rays, _ kernels: KernelSet) {
        unsafe (zoom.near, zoom.far, zoom.scale) = (octave.near, octave.far, octave.scale)
        unsafe (zoom.rays_per_pixel, zoom.bend_limit) = (Int32(raysPerPixel), bendLimit)
        unsafe zoom.starts = starts.row(0).address.assumingMemoryBound(to: Int32.self)
        unsafe zoom.bends = bends.row(0).address.bindMemory(to: frost_zoom_bend.self, capacity: bendCount)
        unsafe zoom.links = links.row(0).address.assumingMemoryBound(to: Int32.self)
        unsafe kernels.table.pointee.zoom_rays(&zoom)
    }
}

extension CPUPlan {
    /// The error in steps that the sums of a zoom may have: nearly what the plan's own error leaves of the allowance. It is 0 if
    /// the samples have more than 8 bits or are decoded to linear light.
    var zoomError: Double {
        guard reader.format.sample.isEightBit, plan.decoding == nil else { return 0 }
        return max(0, (Arithmetic.allowance - 0.05 - plan.errorBound) / plan.outputStages.amplification)
    }
}

extension RowConversion {
    /// The maximum of the samples if they are integers, otherwise nil. Sums along rays are sums of integers.
    var integerMaximum: Double? {
        format.sample.isFloat ? nil : format.sample.maximum
    }
}
