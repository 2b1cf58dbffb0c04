import CFrostKernels
import FrostCore

// Parts of rows that a chain writes one after the other, while their numbers are in the cache.
extension OutputStageRunner {
    /// What the pixels of a part of a row show.
    enum Shown {
        /// Only the effect, and only the original.
        case effect, original
        /// Effect and original may be mixed.
        case mixture
    }

    /// Whether a chain may write rows completely by parts. This is allowed if the output stages use fixed point and draw no
    /// content.
    var completesParts: Bool { fixed != nil && outputStages.content.isEmpty }

    /// The number of pixels in a part of a row that shows the original at some pixels. The pixels of a small part more often
    /// show all the same, but each part takes some calls. If mask and clip are constant along rows, parts may be large.
    var partWidth: Int { coverage.variesAlongRows ? 256 : OutputInterpolation.partWidth }

    /// Returns what a part of a row shows. Takes much less time than computing the values of mask and clip.
    ///
    /// - Parameter part: columns, counted from the region's first column.
    func shown(_ part: Range<Int>, of y: Int) -> Shown {
        let clip = coverage.uniformClip(y, part)
        if clip == 0 { return .original }
        let mask = coverage.uniformMask(y, part)
        if mask == 0, showsMask { return .original }
        return clip == 1 && mask == 1 ? .effect : .mixture
    }

    /// Returns the row of the original image that is mixed with row `y`, if the output stages read the original.
    func original(_ y: Int, _ originals: Originals?) -> UnsafeRawPointer? {
        guard outputStages.readsOriginal, let row = edge.map(y, into: extent.rows) else { return nil }
        return unsafe originals?.row(row)
    }

    /// Whether a single kernel can mix a row with the original and write the bytes, with the same result as
    /// ``writeMixture(_:of:_:_:to:streams:)``.
    ///
    /// - Parameters:
    ///   - source: the row of the original image.
    ///   - isOpaque: whether all samples from which the row is computed are known to be opaque.
    func mixesBytes(_ source: UnsafeRawPointer?, isOpaque: Bool) -> Bool {
        guard makesBytes, fixed?.stages.isEmpty == true, outputStages.clip.isEmpty, reader.format.channels == .rgba,
            let kind = ByteKind(reader), let source = unsafe source,
            extent.columns.clamped(to: region.columns) == region.columns
        else { return false }
        switch kind {
        case .plain: return !writer.format.needsPremultiplication || isOpaque
        case .straightRGBA:
            let bytes = unsafe source.assumingMemoryBound(to: UInt8.self) + 4 * (region.x - extent.x)
            return unsafe isOpaque && kernels.table.pointee.is_opaque_rgba8(bytes, Int32(4 * region.width)) != 0
        case .rgb: return false
        }
    }

    /// Computes the mask's values in a part of a row.
    func fillMask(_ parts: UnsafeMutablePointer<Float>, _ part: Range<Int>, of y: Int) {
        guard let value = unsafe coverage.mask(y, part, into: parts) else { return }
        unsafe (parts + part.lowerBound).update(repeating: value, count: part.count)
    }

    /// Mixes a part of a row with the original by a single kernel; see ``mixesBytes(_:isOpaque:)``.
    ///
    /// - Parameters:
    ///   - numbers: the part's first pixel.
    ///   - mask: the mask's values for the whole row.
    func mixBytes(
        _ columns: Range<Int>, of y: Int, _ numbers: UnsafePointer<UInt16>, _ mask: UnsafePointer<Float>,
        _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        guard let source = unsafe source else { return }
        let x = region.x + columns.lowerBound
        unsafe kernels.table.pointee.fixed_mix_to_u8(
            numbers, source.assumingMemoryBound(to: UInt8.self) + 4 * (x - extent.x), mask + columns.lowerBound,
            out.assumingMemoryBound(to: UInt8.self) + 4 * columns.lowerBound, Int32(columns.count), dither.base,
            dither.phase(y, x), streams ? 1 : 0)
    }
}
