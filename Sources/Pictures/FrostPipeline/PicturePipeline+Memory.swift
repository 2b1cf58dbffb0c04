package import Frost
import FrostImages

/// The memory, in bytes, that the work on a picture takes.
struct PictureMemory {
    /// The maximum before the picture is encoded; 0 if it is encoded while it is read.
    var before = 0
    /// What is in memory while the picture is encoded, except for the encoder.
    var besideEncoder: Int
    /// What the encoder takes.
    var encoder: Int

    /// The maximum.
    var need: Int { max(before, besideEncoder + encoder) }

    /// Adds memory that is in use during all of the work.
    mutating func add(_ bytes: Int) {
        before += bytes
        besideEncoder += bytes
    }
}

extension PicturePipeline {
    /// Returns the memory that a picture takes if it is processed row by row.
    func memory(
        of reader: borrowing ImageReader, through rows: RowPlan, _ format: ImageFormat, _ writing: ImageWriteOptions
    ) -> PictureMemory {
        PictureMemory(
            besideEncoder: reader.rowMemory + RowsAhead.memory(for: reader.layout) + rows.workingBytes,
            encoder: format.encodingMemory(for: rows.output, options: writing))
    }

    /// Returns the memory that a picture takes if it is processed as a whole.
    ///
    /// - Parameter converted: the layout of the picture after a conversion from CMYK; nil without a conversion.
    func memory(
        of reader: borrowing ImageReader, converted: PixelLayout?, _ format: ImageFormat, _ writing: ImageWriteOptions
    ) -> PictureMemory {
        let layout = converted ?? reader.layout
        // A CMYK picture and its conversion to sRGB are in memory at the same time.
        let reading = reader.imageMemory + (converted?.byteCount ?? 0)
        let rendering = layout.byteCount + workingBytes(layout)
        // A resized reader has the layout of the result already.
        return PictureMemory(
            before: max(reading, rendering), besideEncoder: layout.byteCount,
            encoder: format.encodingMemory(for: padding.map { $0.layout(like: layout) } ?? layout, options: writing))
    }

    /// Returns the layout of the result for a picture that is not resized yet.
    func resultLayout(_ layout: PixelLayout) -> PixelLayout {
        if let padding { return padding.layout(like: layout) }
        guard let (width, height, _) = resizing?.placed(width: layout.width, height: layout.height) else {
            return layout
        }
        return (try? PixelLayout(width: width, height: height, format: layout.format)) ?? layout
    }

    /// Returns an upper bound on the bytes that rendering needs in addition to the picture. The bound includes the
    /// result. It also includes the data between passes, which are 32-bit floats: images at half resolution, or rows. A
    /// variable blur keeps several reduced images and a sum. A zoom blur keeps the source as floats, and one more copy
    /// for each thread's band. The exact backend keeps up to three copies in double precision.
    func workingBytes(_ layout: PixelLayout) -> Int {
        let samples = layout.width * layout.height * 4
        if renderer.backend == .exact { return layout.byteCount * 2 + samples * 25 }
        let more = samples * 4 * effect.blur.extraFloatsPerSample(threads: renderer.threads)
        return layout.byteCount * 2 + samples + more + min(1 << 26, samples * 16)
    }
}

extension MaskImage {
    /// The memory, in bytes, of the values.
    package var byteCount: Int { width * height * MemoryLayout<Float>.size }

    /// The memory, in bytes, of the values, and of a copy that is reduced to the size of a picture.
    func byteCount(over picture: PixelLayout) -> Int {
        guard width > picture.width || height > picture.height else { return byteCount }
        return byteCount + min(width, picture.width) * min(height, picture.height) * MemoryLayout<Float>.size
    }
}
