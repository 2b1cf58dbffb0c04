#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Frost
import FrostImages

/// One picture in a single sweep: rows are blurred as they are decoded, and encoded as they are blurred. Of the picture,
/// a few rows are in memory.
///
/// Decoding has a thread of its own, compression several, and the blur is done between them on the caller's. With one
/// thread everything is done on that.
enum RowPipeline {
    /// How long each end was at work or was waited for, by the clock. They overlap.
    struct Times {
        let decode: Duration
        var encode = Duration.zero
    }

    /// Reads, blurs and writes a picture to a path, whole or not at all, or to standard output for "-".
    static func run(
        _ reader: consuming ImageReader, through renderer: RowRenderer, to path: String, as format: ImageFormat,
        options: ImageWriteOptions, threads: Int
    ) throws(CommandError) -> Times {
        defer { Interruption.setTemporaryFile(nil) }
        do throws(ImageError) {
            let writer = try ImageWriter(
                to: PictureSink(path: path), as: format, layout: renderer.output, metadata: reader.metadata,
                options: options)
            let rowByteCount = reader.layout.rowByteCount
            let rows = RowsAhead(reader, isThreaded: threads > 1)
            defer { rows.stop() }
            let encode = try sweep(rows, rowByteCount, renderer, writer)
            return Times(decode: rows.busy, encode: encode)
        } catch {
            throw .writing(error)
        }
    }

    /// - Returns: how long encoding took.
    private static func sweep(
        _ rows: RowsAhead, _ rowByteCount: Int, _ renderer: RowRenderer, _ writer: consuming ImageWriter<PictureSink>
    ) throws(ImageError) -> Duration {
        let clock = ContinuousClock()
        var encode = Duration.zero
        while let block = try rows.next() {
            // SAFETY: an array of bytes has no padding that could be read uninitialised.
            let bytes = unsafe block.bytes.span.bytes
            for row in 0..<block.rows {
                var failure: ImageError?
                renderer.push(bytes.extracting(row * rowByteCount..<(row + 1) * rowByteCount)) { row in
                    guard failure == nil else { return }
                    let start = clock.now
                    do throws(ImageError) { try writer.writeRow(row) } catch { failure = error }
                    encode += clock.now - start
                }
                if let failure { throw failure }
            }
        }
        let start = clock.now
        try writer.finish().commit()
        return encode + (clock.now - start)
    }
}
