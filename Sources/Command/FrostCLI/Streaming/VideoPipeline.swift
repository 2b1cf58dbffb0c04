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
            if var sum = report {
                sum.add(self.report)
                self.report = sum
            }
            self.decode += decode
            self.encode += encode
            frames += 1
        }
    }

    private typealias Done = Result<(frame: VideoFrame, report: RenderReport?, decode: Duration), CommandError>

    /// Processes all frames of a stream. Standard output receives every complete frame, even if an error follows. An
    /// output file appears only if all frames were written.
    ///
    /// - Parameters:
    ///   - path: the path of the output, or "-" for standard output.
    ///   - file: how to replace a file.
    ///   - depth: the maximum number of frames in memory.
    static func run(
        _ reader: VideoReader, through renderer: FrameRenderer, to path: FilePath, _ file: AtomicFile.Options,
        depth: Int
    ) throws(CommandError) -> Summary {
        Interruption.wait()
        defer { Interruption.endIfRequested() }
        let flow = OrderedFlow<Done>(depth: depth) { work(on: reader, renderer) }
        defer { flow.stop() }
        return try write(flow, header: reader.header, to: path, file)
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
            do throws(CommandError) { try renderer.decideContent(by: frame, number) } catch {
                return { .failure(error) }
            }
            return {
                do throws(CommandError) {
                    let (frame, report) = try renderer.render(frame, number)
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
        _ flow: OrderedFlow<Done>, header: [UInt8]?, to path: FilePath, _ file: AtomicFile.Options
    ) throws(CommandError) -> Summary {
        defer { Interruption.setTemporaryFile(nil) }
        var summary = Summary()
        var failure: CommandError?
        let clock = ContinuousClock()
        do throws(ImageError) {
            let sink =
                path == "-"
                ? StreamSink(descriptor: STDOUT_FILENO, name: "standard output")
                : try StreamSink(path: path, options: file)
            var writer = try VideoWriter(to: sink, header: header)
            while failure == nil, let done = flow.next(unless: { Interruption.isRequested }) {
                switch done {
                case .success(let result):
                    let start = clock.now
                    try writer.write(result.frame)
                    summary.add(result.report, decode: result.decode, encode: clock.now - start)
                case .failure(let error): failure = error
                }
            }
            if failure == nil, !Interruption.isRequested { try writer.finish().commit() }
        } catch {
            throw .writing(error)
        }
        if let failure { throw failure }
        return summary
    }
}
