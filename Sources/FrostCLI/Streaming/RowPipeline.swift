import Frost
import FrostImages
import Glibc

/// Decodes, blurs and encodes a picture row by row. Only a few rows are in memory.
///
/// Decoding uses its own thread, and compression uses several threads. The blur runs on the caller's thread. If only
/// one thread is allowed, everything runs on the caller's thread.
enum RowPipeline {
    /// The wall-clock times of decoding and encoding, including waiting. Decoding and encoding overlap.
    struct Times {
        let decode: Duration
        var encode = Duration.zero
    }

    /// Reads and blurs a picture, and writes the result to a path. The result is written completely or not at all. The
    /// path "-" means standard output.
    ///
    /// - Parameters:
    ///   - time: measures the time of the work on the picture. It is checked once more before the result is completed.
    ///   - budget: the memory for an output that must be held until it is complete.
    static func run(
        _ reader: consuming ImageReader, through renderer: RowRenderer, to path: FilePath, _ file: AtomicFile.Options,
        as format: ImageFormat, options: ImageWriteOptions, threads: Int, time: TimeLimit, budget: HeldBudget
    ) throws(CommandError) -> Times {
        defer { Interruption.setTemporaryFile(nil) }
        do throws(ImageError) {
            let writer = try ImageWriter(
                to: PictureSink(path: path, file, budget), as: format, layout: renderer.output,
                metadata: reader.metadata,
                options: options)
            let rowByteCount = reader.layout.rowByteCount
            let rows = RowsAhead(reader, isThreaded: threads > 1)
            defer { rows.stop() }
            let encode = try sweep(rows, rowByteCount, renderer, writer) { () throws(ImageError) in
                try time.check(name: budget.name)
            }
            return Times(decode: rows.busy, encode: encode)
        } catch {
            throw .writing(error)
        }
    }

    /// Passes all rows through the renderer to the writer.
    ///
    /// - Returns: the time that encoding took.
    private static func sweep(
        _ rows: RowsAhead, _ rowByteCount: Int, _ renderer: RowRenderer, _ writer: consuming ImageWriter<PictureSink>,
        checkTime: () throws(ImageError) -> Void
    ) throws(ImageError) -> Duration {
        let clock = ContinuousClock()
        var encode = Duration.zero
        while let block = try rows.next() {
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
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
        let sink = try writer.finish()
        try checkTime()
        try sink.commit()
        return encode + (clock.now - start)
    }
}
