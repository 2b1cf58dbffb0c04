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
    func convert(_ from: Row, to kind: RowKind, _ out: Row, _ samples: Int, _ kernels: KernelSet) {
        switch (self, kind) {
        case (.floats, .floats), (.fixed, .fixed), (.bytes, .bytes): out.copy(from: from, byteCount: samples * size)
        case (.floats, .fixed):
            unsafe kernels.table.pointee.fixed_load_floats(from.floats, out.fixed, Int32(samples))
        case (.fixed, .floats):
            unsafe kernels.table.pointee.fixed_store_floats(from.fixed, out.floats, Int32(samples))
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
        let kind = ByteKind(self)
        return kind == .rgb ? nil : kind
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

    /// Reads `count` pixels into a row of numbers, which is followed by slack.
    ///
    /// - Parameter decoding: the transfer function that decodes to linear light; only for floats.
    func read(_ row: Row, count: Int, into out: Row, as kind: RowKind, decoding: TransferFunction? = nil) {
        let table = unsafe KernelSet.best.table.pointee
        let samples = Int32(count * working.count)
        switch kind {
        case .floats:
            if let kind = self.samples {
                unsafe table.load_floats(kind, row.address, out.floats, samples)
            } else if ByteKind(self) == .rgb {
                unsafe Self.withBytes(samples) { rgba in
                    unsafe table.expand_rgb8(row.bytes, rgba, Int32(count))
                    unsafe table.load_floats(FROST_U8, rgba, out.floats, samples)
                }
            } else {
                unsafe load(row.address, count: count, into: out.floats)
            }
            if let decoding {
                var stage = frost_color_stage(decode: decoding)
                unsafe table.transfer(
                    out.floats, Int32(count), Int32(working.count), &stage, Float(format.sample.maximum))
            }
        case .fixed:
            switch ByteKind(self) {
            case .plain?: unsafe table.fixed_load_u8(row.bytes, out.fixed, samples)
            case .straightRGBA?: unsafe table.fixed_load_rgba8(row.bytes, out.fixed, samples)
            case .rgb?: unsafe table.fixed_load_rgb8(row.bytes, out.fixed, Int32(count))
            case nil: preconditionFailure("\(format) has no fixed-point form")
            }
        case .bytes:
            if ByteKind(self) == .rgb {
                unsafe table.expand_rgb8(row.bytes, out.bytes, Int32(count))
            } else {
                out.copy(from: row, byteCount: count * format.bytesPerPixel)
            }
        }
    }

    /// Converts `count` pixels of a row of numbers to the caller's format.
    ///
    /// - Parameter streams: whether to write around the caches if that is possible.
    func write(_ values: Row, as kind: RowKind, count: Int, into row: Row, streams: Bool = false) {
        let table = unsafe KernelSet.best.table.pointee
        let samples = Int32(count * working.count)
        switch kind {
        case .floats:
            if let kind = self.samples {
                unsafe table.store_floats(kind, values.floats, row.address, samples, streams ? 1 : 0)
            } else if ByteKind(self) == .rgb {
                unsafe Self.withBytes(samples) { rgba in
                    unsafe table.store_floats(FROST_U8, values.floats, rgba, samples, 0)
                    unsafe format.channels.narrow(rgba, count: count, into: row.bytes)
                }
            } else {
                unsafe store(values.floats, count: count, into: row.address)
            }
        case .fixed:
            switch ByteKind(self) {
            case .plain?: unsafe table.fixed_store_u8(values.fixed, row.bytes, samples)
            case .straightRGBA?: unsafe table.fixed_store_rgba8(values.fixed, row.bytes, samples)
            case .rgb?, nil: preconditionFailure("output stages write \(format), not a pass in fixed point")
            }
        case .bytes: preconditionFailure("bytes are written in place")
        }
    }

    /// Calls `body` with memory for opaque RGBA bytes. Through them the kernels for bytes read and write RGB, in about half
    /// of the time of the scalar conversions.
    private static func withBytes(_ count: Int32, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(count)) { bytes in
            if let bytes = bytes.baseAddress { unsafe body(bytes) }
        }
    }
}
