import CFrostKernels
import FrostCore

/// The type of the numbers in rows between nodes.
enum RowKind {
    /// Float, on the scale of the image's samples (0...255 for 8 bits).
    case floats
    /// UInt16, in 1/256 of an 8-bit step; see docs/internals/CPU.md.
    case fixed
    /// The bytes of the image. RGB is expanded to opaque RGBA.
    case bytes

    /// The size of a sample in bytes.
    var size: Int {
        switch self {
        case .floats: 4
        case .fixed: 2
        case .bytes: 1
        }
    }

    /// Copies `samples` numbers and converts them to another kind. Rows of bytes are not converted here; nodes convert
    /// bytes when they read or write them.
    ///
    /// SAFETY: both rows hold `samples` numbers and the slack that vector loops need.
    func convert(
        _ from: UnsafeRawPointer, to kind: RowKind, _ out: UnsafeMutableRawPointer, _ samples: Int, _ kernels: KernelSet
    ) {
        let table = unsafe kernels.table.pointee
        switch (self, kind) {
        case (.floats, .floats), (.fixed, .fixed), (.bytes, .bytes):
            unsafe out.copyMemory(from: from, byteCount: samples * size)
        case (.floats, .fixed):
            unsafe table.fixed_load_floats(
                from.assumingMemoryBound(to: Float.self), out.assumingMemoryBound(to: UInt16.self), Int32(samples))
        case (.fixed, .floats):
            unsafe table.fixed_store_floats(
                from.assumingMemoryBound(to: UInt16.self), out.assumingMemoryBound(to: Float.self), Int32(samples))
        case (.bytes, .floats), (.bytes, .fixed), (.floats, .bytes), (.fixed, .bytes):
            preconditionFailure("rows of bytes are converted when they are read and written")
        }
    }
}

/// The conversion between 8-bit samples and numbers, in kernels that read or write bytes directly.
enum ByteKind {
    /// Samples are used as they are: the image is opaque or premultiplied.
    case plain
    /// Four channels with straight alpha as the last channel; colours are premultiplied when they are read.
    case straightRGBA
    /// The bytes have three channels, the numbers four: an alpha channel is added.
    case rgb

    /// Returns nil for formats that need another conversion.
    init?(_ conversion: RowConversion) {
        let format = conversion.format
        guard format.sample.isEightBit else { return nil }
        if format.channels == .rgb, conversion.working == .rgba {
            self = .rgb
        } else if format.channels != conversion.working {
            return nil
        } else if !format.needsPremultiplication {
            self = .plain
        } else if format.channels == .rgba {
            self = .straightRGBA
        } else {
            return nil
        }
    }
}

/// Converts rows between the caller's sample format and the number format that the CPU's nodes compute with. Vector kernels
/// do the work if they support the format.
extension RowConversion {
    /// The conversion of a pass that reads or writes the caller's bytes directly; nil if a pass cannot do so, for
    /// example because a pixel has three samples in the image but four numbers in the pass.
    var directKind: ByteKind? {
        switch ByteKind(self) {
        case .plain?: .plain
        case .straightRGBA?: .straightRGBA
        case .rgb?, nil: nil
        }
    }

    /// The kind of the samples for kernels that convert between samples and floats; nil if there is no such kernel, because
    /// the channels change or because alpha is straight and the pixels are not RGBA.
    var samples: frost_samples? {
        guard format.channels == working else { return nil }
        let isStraight = format.needsPremultiplication
        guard !isStraight || working == .rgba else { return nil }
        // The bits of frost_samples.
        let traits = format.sample.traits
        return frost_samples(UInt32(traits.size) << 2 | (traits.isFloat ? 2 : 0) | (isStraight ? 1 : 0))
    }

    /// Reads `count` pixels into a row of numbers. The memory of `out` is followed by slack.
    ///
    /// - Parameter decoding: the transfer function that decodes to linear light; only for floats.
    @unsafe func read(
        _ row: UnsafeRawPointer, count: Int, into out: UnsafeMutableRawPointer, as kind: RowKind,
        decoding: TransferFunction? = nil
    ) {
        let table = unsafe KernelSet.best.table.pointee
        let bytes = unsafe row.assumingMemoryBound(to: UInt8.self)
        let samples = Int32(count * working.count)
        switch kind {
        case .floats:
            let out = unsafe out.assumingMemoryBound(to: Float.self)
            if let kind = self.samples {
                unsafe table.load_floats(kind, row, out, samples)
            } else {
                unsafe load(row, count: count, into: out)
            }
            if let decoding {
                var stage = frost_color_stage(decode: decoding)
                unsafe table.transfer(
                    out, Int32(count), Int32(working.count), &stage, Float(format.sample.maximum))
            }
        case .fixed:
            let out = unsafe out.assumingMemoryBound(to: UInt16.self)
            switch ByteKind(self) {
            case .plain?: unsafe table.fixed_load_u8(bytes, out, samples)
            case .straightRGBA?: unsafe table.fixed_load_rgba8(bytes, out, samples)
            case .rgb?: unsafe table.fixed_load_rgb8(bytes, out, Int32(count))
            case nil: preconditionFailure("\(format) has no fixed-point form")
            }
        case .bytes:
            if ByteKind(self) == .rgb {
                unsafe table.expand_rgb8(bytes, out.assumingMemoryBound(to: UInt8.self), Int32(count))
            } else {
                unsafe out.copyMemory(from: row, byteCount: count * format.bytesPerPixel)
            }
        }
    }

    /// Fills a row of `count` pixels with transparent black.
    @unsafe func clear(_ out: UnsafeMutableRawPointer, count: Int, as kind: RowKind) {
        unsafe out.initializeMemory(as: UInt8.self, repeating: 0, count: count * working.count * kind.size)
    }

    /// Converts `count` pixels of a row of numbers to the caller's format.
    ///
    /// - Parameter streams: whether to write around the caches if that is possible.
    @unsafe func write(
        _ values: UnsafeRawPointer, as kind: RowKind, count: Int, into row: UnsafeMutableRawPointer,
        streams: Bool = false
    ) {
        let table = unsafe KernelSet.best.table.pointee
        let bytes = unsafe row.assumingMemoryBound(to: UInt8.self)
        let samples = Int32(count * working.count)
        switch kind {
        case .floats:
            let values = unsafe values.assumingMemoryBound(to: Float.self)
            if let kind = self.samples {
                unsafe table.store_floats(kind, values, row, samples, streams ? 1 : 0)
            } else {
                unsafe store(values, count: count, into: row)
            }
        case .fixed:
            let values = unsafe values.assumingMemoryBound(to: UInt16.self)
            switch ByteKind(self) {
            case .plain?: unsafe table.fixed_store_u8(values, bytes, samples)
            case .straightRGBA?: unsafe table.fixed_store_rgba8(values, bytes, samples)
            case .rgb?, nil: preconditionFailure("output stages write \(format), not a pass in fixed point")
            }
        case .bytes: preconditionFailure("bytes are written in place")
        }
    }
}
