import Frost
import FrostImages

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

    /// Reads and blurs a picture, and writes the result to a sink.
    ///
    /// - Parameters:
    ///   - reader: a reader from which no row has been read.
    ///   - time: measures the time of the work on the picture. It is checked once more before the result is completed.
    ///   - name: the name of the picture, for errors.
    ///   - complete: receives the sink with the complete picture.
    static func run<Sink: ByteSink & ~Copyable>(
        _ reader: consuming ImageReader, through renderer: RowRenderer, to sink: consuming Sink,
        as format: ImageFormat, options: ImageWriteOptions, threads: Int, time: TimeLimit, name: String,
        complete: (consuming Sink) throws(ImageError) -> Void
    ) throws(PipelineError) -> Times {
        let writer: ImageWriter<Sink>
        do throws(ImageError) {
            writer = try ImageWriter(
                to: sink, as: format, layout: renderer.output, metadata: reader.metadata, options: options)
        } catch {
            throw .image(error)
        }
        let rows = RowsAhead(reader, isThreaded: threads > 1)
        defer { rows.stop() }
        let encode = try sweep(rows, renderer, writer) { (sink) throws(ImageError) in
            try time.check(name: name)
            try complete(sink)
        }
        return Times(decode: rows.busy, encode: encode)
    }

    /// Passes all rows through the renderer to the writer.
    ///
    /// - Returns: the time that encoding took.
    private static func sweep<Sink: ByteSink & ~Copyable>(
        _ rows: RowsAhead, _ renderer: RowRenderer, _ writer: consuming ImageWriter<Sink>,
        complete: (consuming Sink) throws(ImageError) -> Void
    ) throws(PipelineError) -> Duration {
        let clock = ContinuousClock()
        var encode = Duration.zero
        while let block = try rethrow(rows.next(), as: PipelineError.image) {
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            let bytes = unsafe block.bytes.span.bytes
            let rowByteCount = bytes.byteCount / block.rows
            for row in 0..<block.rows {
                var failure: ImageError?
                do throws(FrostError) {
                    try renderer.push(bytes.extracting(row * rowByteCount..<(row + 1) * rowByteCount)) { row in
                        guard failure == nil else { return }
                        let start = clock.now
                        do throws(ImageError) { try writer.writeRow(row) } catch { failure = error }
                        encode += clock.now - start
                    }
                } catch {
                    throw .frost(error)
                }
                if let failure { throw .image(failure) }
            }
        }
        let start = clock.now
        do throws(ImageError) { try complete(try writer.finish()) } catch { throw .image(error) }
        return encode + (clock.now - start)
    }
}
