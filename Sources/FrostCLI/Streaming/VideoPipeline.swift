import Frost
import FrostImages
import Glibc

/// Processes a stream: one thread reads frames, several work on them, and the caller's thread writes them in order.
/// Only a few frames are in memory, however slow the reader of the output is.
enum VideoPipeline {
    /// The result of a run.
    struct Summary {
        var frames = 0
        /// The sum over all frames; nil if there were none.
        var report: RenderReport?
        /// Wall-clock time that decoding and encoding took, waiting included. They overlap.
        var decode = Duration.zero
        var encode = Duration.zero

        fileprivate mutating func add(_ report: RenderReport, decode: Duration, encode: Duration) {
            var sum = report
            sum.add(self.report)
            self.report = sum
            self.decode += decode
            self.encode += encode
            frames += 1
        }
    }

    private typealias Done = Result<(frame: VideoFrame, report: RenderReport, decode: Duration), CommandError>

    /// Standard output receives every complete frame, even before an error. A file appears only if all frames were
    /// written.
    ///
    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - depth: frames in memory.
    static func run(
        _ reader: VideoReader, through renderer: FrameRenderer, to path: String, depth: Int
    ) throws(CommandError) -> Summary {
        Interruption.wait()
        defer { Interruption.endIfRequested() }
        let flow = OrderedFlow<Done>(depth: depth) { work(on: reader, renderer) }
        defer { flow.stop() }
        return try write(flow, header: reader.header, to: path)
    }

    /// The next frame to process. If the stream breaks off, the last one reports the error.
    private static func work(on reader: VideoReader, _ renderer: FrameRenderer) -> OrderedFlow<Done>.Work? {
        let start = ContinuousClock.now
        do throws(ImageError) {
            guard let frame = try reader.next() else { return nil }
            let decode = ContinuousClock.now - start
            return {
                do throws(CommandError) {
                    let (frame, report) = try renderer.render(frame)
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
        _ flow: OrderedFlow<Done>, header: [UInt8]?, to path: String
    ) throws(CommandError) -> Summary {
        defer { Interruption.setTemporaryFile(nil) }
        var summary = Summary()
        var failure: CommandError?
        let clock = ContinuousClock()
        do throws(ImageError) {
            var writer = try VideoWriter(to: VideoSink(path: path), header: header)
            while failure == nil, let done = flow.next(unless: { Interruption.isRequested }) {
                switch done {
                case .success(let made):
                    let start = clock.now
                    try writer.write(made.frame)
                    summary.add(made.report, decode: made.decode, encode: clock.now - start)
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

/// Where a stream goes: standard output at once, or a file that appears when it is complete.
struct VideoSink: ByteSink, ~Copyable {
    let name: String
    private let isOutput: Bool
    private var file: AtomicFile?
    private var output: DescriptorSink

    /// - Parameter path: "-" for standard output.
    init(path: String) throws(ImageError) {
        isOutput = path == "-"
        name = isOutput ? "standard output" : path
        output = DescriptorSink(descriptor: STDOUT_FILENO, name: name)
        file = isOutput ? nil : try AtomicFile(path: path, willCreate: { Interruption.setTemporaryFile($0) })
    }

    mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if isOutput { try output.write(bytes) } else { try file?.write(bytes) }
    }

    /// The stream is complete.
    consuming func commit() throws(ImageError) {
        if let file = consume file { try file.commit() }
    }
}
