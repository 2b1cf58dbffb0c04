import Frost
import FrostImages

extension PicturePipeline {
    /// Returns the memory, in bytes, that a picture takes if it is processed row by row.
    func memory(of reader: borrowing ImageReader, through rows: RowPlan, _ format: ImageFormat) -> Int {
        reader.rowMemory + RowsAhead.memory(for: reader.layout) + rows.workingBytes
            + format.encodingMemory(for: rows.output, options: writing)
    }

    /// Returns the memory, in bytes, that a picture takes if it is processed as a whole: the maximum of reading,
    /// rendering and writing.
    func memory(of reader: borrowing ImageReader, converts: Bool, _ format: ImageFormat) -> Int {
        let layout = reader.layout
        // A CMYK picture and its conversion to sRGB are in memory at the same time.
        let reading = reader.imageMemory + (converts ? layout.byteCount : 0)
        let rendering = layout.byteCount + workingBytes(layout)
        return max(reading, rendering, layout.byteCount + format.encodingMemory(for: layout, options: writing))
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
