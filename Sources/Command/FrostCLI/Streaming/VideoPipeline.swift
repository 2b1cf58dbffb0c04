import Frost
import FrostImages
import Glibc

/// Processes a video stream. One thread reads frames, several threads process them, and the caller's thread writes them
/// in order. Only a few frames are in memory, even if the program that reads the output is slow.
enum VideoPipeline {
    /// The result of processing a stream.
    struct Summary {
        var frames = 0
        /// The sum of the reports of all frames; nil if there were no frames.
        var report: RenderReport?
        /// The wall-clock time of decoding, including waiting. Decoding and encoding overlap.
        var decode = Duration.zero
        var encode = Duration.zero

        fileprivate mutating func add(_ report: RenderReport?, decode: Duration, encode: Duration) {
            if let report { self.report.append(report) }
            self.decode += decode
            self.encode += encode
            frames += 1
        }
    }

    private typealias Done = Result<(frame: VideoFrame, report: RenderReport?, decode: Duration), CommandError>

    /// Processes all frames of a stream. A descriptor receives every complete frame, even if an error follows. A file
    /// appears only if all frames were written. A signal to wait for (``Interruption/wait()``) ends the work after a frame.
    ///
    /// - Parameters:
    ///   - depth: the maximum number of frames in memory.
    ///   - progress: a function that is called with the number of frames after each frame.
    ///   - open: a function that opens the output.
    /// - Throws: ``CommandError/image(_:)`` if the stream cannot be read or the output cannot be written.
    static func run(
        _ reader: VideoReader, through renderer: FrameRenderer, depth: Int, progress: (Int) -> Void = { _ in },
        to open: () throws(ImageError) -> StreamSink
    ) throws(CommandError) -> Summary {
        let flow = OrderedFlow<Done>(depth: depth) { work(on: reader, renderer) }
        defer { flow.stop() }
        return try write(flow, reader, progress, to: open)
    }

    /// Returns the work for the next frame, or nil at the end of the stream. If the frame cannot be read, the returned
    /// work yields the error.
    private static func work(on reader: VideoReader, _ renderer: FrameRenderer) -> OrderedFlow<Done>.Work? {
        let start = ContinuousClock.now
        do throws(ImageError) {
            guard let frame = try reader.next() else {
                guard let missing = renderer.missingFrame(of: reader.framesRead) else { return nil }
                return { .failure(missing) }
            }
            let (decode, number) = (ContinuousClock.now - start, reader.framesRead - 1)
            let mosaic: Rendered?
            do throws(CommandError) { mosaic = try renderer.prepare(frame, number) } catch {
                return { .failure(error) }
            }
            return {
                do throws(CommandError) {
                    let (frame, report) = try renderer.render(frame, number, mosaic)
                    return .success((frame, report, decode))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            return { .failure(.image(error)) }
        }
    }

    private static func write(
        _ flow: OrderedFlow<Done>, _ reader: VideoReader, _ progress: (Int) -> Void,
        to open: () throws(ImageError) -> StreamSink
    ) throws(CommandError) -> Summary {
        var summary = Summary()
        var failure: CommandError?
        let clock = ContinuousClock()
        do throws(ImageError) {
            var writer = try VideoWriter(to: open(), header: reader.header)
            while failure == nil, let done = flow.next(unless: { Interruption.isRequested }) {
                switch done {
                case .success(let result):
                    let start = clock.now
                    try writer.write(result.frame)
                    summary.add(result.report, decode: result.decode, encode: clock.now - start)
                    progress(summary.frames)
                case .failure(let error): failure = error
                }
            }
            if failure == nil, !Interruption.isRequested { try writer.finish(trailer: reader.trailer).commit() }
        } catch {
            throw .image(error)
        }
        if let failure { throw failure }
        return summary
    }
}
