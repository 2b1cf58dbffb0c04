import CFrostKernels
import FrostCore
import FrostThreads

/// An image of a transition, as rows of premultiplied, decoded RGBA floats in steps of the sample type.
///
/// SAFETY: the image's memory outlives this value, which is used during one call only.
@safe struct TransitionInput: @unchecked Sendable {
    /// The image's rectangle.
    let extent: Rect
    private let source: PixelSource
    private let conversion: RowConversion
    private let decode: frost_color_stage?

    /// - Parameter decoding: the transfer function that decodes the image.
    init(_ source: PixelSource, decoding: TransferFunction?) {
        unsafe self.source = source
        extent = unsafe source.layout.extent
        conversion = unsafe RowConversion(format: source.layout.format, addingAlpha: true)
        decode = decoding.map { frost_color_stage(decode: $0) }
    }

    /// The image's format.
    var format: PixelFormat { conversion.format }

    /// Whether the image's bytes are the caller's, so that they can be sampled without a copy.
    fileprivate var hasPlainBytes: Bool { isEightBit && format.channels == .rgba }

    /// Whether bytes of the image can be sampled.
    fileprivate var isEightBit: Bool { format.sample.isEightBit && decode == nil }

    func pixel(_ x: Int, _ y: Int) -> UnsafeRawPointer { unsafe source.row(y) + x * format.bytesPerPixel }

    /// Reads `count` pixels of row `y` from column `x` on. Pixels outside the image are transparent.
    ///
    /// - Parameters:
    ///   - scratch: room for 4 floats for each pixel.
    ///   - out: room for 4 floats for each pixel, followed by slack.
    func read(
        _ x: Int, _ y: Int, count: Int, scratch: UnsafeMutablePointer<Float>, into out: UnsafeMutablePointer<Float>
    ) {
        let inside = (x..<x + count).clamped(to: extent.columns)
        guard extent.rows.contains(y), !inside.isEmpty else {
            unsafe out.update(repeating: 0, count: 4 * count)
            return
        }
        let before = inside.lowerBound - x
        unsafe out.update(repeating: 0, count: 4 * before)
        unsafe load(pixel(inside.lowerBound, y), inside.count, scratch, out + 4 * before)
        let end = before + inside.count
        unsafe (out + 4 * end).update(repeating: 0, count: 4 * (count - end))
    }

    private func load(
        _ row: UnsafeRawPointer, _ count: Int, _ scratch: UnsafeMutablePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let working = conversion.working
        if working.isGrey {
            unsafe conversion.read(Row(reading: row), count: count, into: Row(scratch), as: .floats)
            unsafe working.expand(scratch, count: count, opaque: Float(format.sample.maximum), into: out)
        } else {
            unsafe conversion.read(Row(reading: row), count: count, into: Row(out), as: .floats)
        }
        if var stage = decode {
            unsafe KernelSet.best.table.pointee.transfer(out, Int32(count), 4, &stage, Float(format.sample.maximum))
        }
    }

    /// Fills a row of RGBA bytes, as ``TransitionSamples`` store them.
    fileprivate func loadBytes(row y: Int, into out: UnsafeMutableRawPointer) {
        let row = unsafe pixel(0, y).assumingMemoryBound(to: UInt8.self)
        let out = unsafe out.assumingMemoryBound(to: UInt8.self)
        switch format.channels {
        case .rgb: unsafe KernelSet.best.table.pointee.expand_rgb8(row, out, Int32(extent.width))
        case .grey, .greyAlpha, .rgba, .bgra:
            unsafe format.channels.expand(row, count: extent.width, opaque: 255, into: out)
        }
    }

    /// Fills a row of floats, as ``TransitionSamples`` store them.
    fileprivate func loadFloats(
        row y: Int, scratch: UnsafeMutablePointer<Float>, into out: UnsafeMutablePointer<Float>
    ) {
        unsafe load(pixel(0, y), extent.width, scratch, out)
    }
}

/// An image that can be read at positions between pixels: RGBA bytes, or premultiplied, decoded RGBA floats. RGBA bytes of
/// the caller are read in place; all other images are converted to a copy.
///
/// SAFETY: the object owns its copy. The caller's memory outlives the object, which is used during one call only. Kernels
/// read only pixels within the image.
@safe final class TransitionSamples: @unchecked Sendable {
    let width: Int
    let height: Int
    private let copy: UnsafeMutableRawBufferPointer?
    private let base: UnsafeRawPointer
    private let stride: Int
    private let isEightBit: Bool
    private let isStraight: Bool

    init(_ input: TransitionInput, bytesPerRow: Int, threads: Int) throws(CPUError) {
        (width, height, isEightBit) = (input.extent.width, input.extent.height, input.isEightBit)
        isStraight = input.isEightBit && input.format.needsPremultiplication
        if input.hasPlainBytes {
            unsafe copy = nil
            unsafe base = input.pixel(0, 0)
            stride = bytesPerRow
            return
        }
        let (width, height) = (width, height)
        let stride = width * Self.bytesPerPixel(isEightBit: isEightBit)
        self.stride = stride
        let slack = RowStorage.slack * 4
        let memory = try unsafe MemoryPool.shared.take(height * stride + slack)
        unsafe copy = memory
        unsafe base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        let address = UInt(bitPattern: memory.baseAddress)
        let bands = PlanPart.bands(input.extent, threads: threads)
        try ThreadPool.computation.runAll(bands) { (band) throws(CPUError) in
            // Conversions to floats write slack after a row, which is the start of the next row here. So these rows are
            // converted in temporary memory.
            let rows = try RowStorage(rows: 2, floats: input.isEightBit ? 0 : 4 * width)
            guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
            for y in height * band / bands..<height * (band + 1) / bands {
                let out = unsafe start + y * stride
                if input.isEightBit {
                    unsafe input.loadBytes(row: y, into: out)
                } else {
                    unsafe input.loadFloats(row: y, scratch: rows.row(0).floats, into: rows.row(1).floats)
                    unsafe out.copyMemory(from: rows.row(1).address, byteCount: stride)
                }
            }
        }
    }

    /// Returns the bytes of each pixel of the copy that is made of an image with this format; 0 if it is read in place.
    static func copiedBytes(_ format: PixelFormat, decoding: TransferFunction?) -> Int {
        let isEightBit = format.sample.isEightBit && decoding == nil
        return isEightBit && format.channels == .rgba ? 0 : bytesPerPixel(isEightBit: isEightBit)
    }

    private static func bytesPerPixel(isEightBit: Bool) -> Int { isEightBit ? 4 : 16 }

    deinit { if let copy = unsafe copy { unsafe MemoryPool.shared.give(copy) } }

    /// Reads pixels at positions, by bilinear interpolation with transparent pixels outside the image.
    func read(
        _ xs: UnsafePointer<Float>, _ ys: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let table = unsafe KernelSet.best.table.pointee
        let (stride, width, height) = (Int64(stride), Int32(width), Int32(height))
        if isEightBit {
            unsafe table.sample_u8(
                base.assumingMemoryBound(to: UInt8.self), stride, width, height, xs, ys, out, Int32(count),
                isStraight ? 1 : 0)
        } else {
            unsafe table.sample_f32(
                base.assumingMemoryBound(to: Float.self), stride, width, height, xs, ys, out, Int32(count))
        }
    }
}
