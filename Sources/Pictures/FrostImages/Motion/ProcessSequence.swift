import FrostCore
import Glibc

/// Writes an animation in a process of its own, which has given up its rights. The process writes to the file that this program has
/// opened; for an output in memory, that is a file in memory.
struct ProcessSequence: SequenceEncoder, ~Copyable {
    private var rows: ProcessEncoder
    private var sink: StreamSink?
    private let file: FileInMemory?

    init(
        _ target: SequenceTarget, _ format: SequenceFormat, _ sequence: SequenceDescription, _ file: AtomicFile.Options,
        in process: EncoderProcess
    ) throws(ImageError) {
        let name = target.name()
        let layout = sequence.layout
        let request = SequenceRequest(
            format: format,
            head: .encoding(layout, sequence.metadata, in: process),
            frames: sequence.frames, rate: sequence.rate, times: sequence.times, options: sequence.options,
            seconds: process.time.secondsOfLimit, isolation: process.isolation)
        // Errors of the options name the file, and come before it is opened.
        let picture = format.metadataFormat ?? .png
        _ = try RowFit(layout, .light, to: picture, options: sequence.options.picture, name: name)
        let sink = try target.open(file)
        let inMemory = try target.memory.map { (output) throws(ImageError) in try FileInMemory(output) }
        guard let descriptor = sink.descriptor ?? inMemory?.descriptor else {
            throw .cannotWrite(path: name, errno: EBADF)
        }
        let rows = try ProcessEncoder(
            layout, count: layout.height * sequence.frames, .sequence, picture,
            request: WireCoder.bytes(of: request, SequenceRequest.code), writingTo: descriptor,
            to: EncodedBytes(name: name), in: process)
        self.rows = consume rows
        self.sink = consume sink
        self.file = inMemory
    }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let bytes = unsafe frame.bytes.span.bytes
        do throws(ImageError) {
            for y in 0..<frame.height {
                let start = y * frame.layout.bytesPerRow
                try rows.writeRow(bytes.extracting(start..<start + frame.layout.rowByteCount))
            }
        } catch {
            throw file?.explained(error) ?? error
        }
    }

    mutating func finish() throws(ImageError) {
        do throws(ImageError) {
            try rows.end()
            while try rows.more() {}
        } catch {
            throw file?.explained(error) ?? error
        }
        try file?.copy()
        try sink.take()?.commit()
    }
}

/// A file in memory to which a process writes what a ``MemoryOutput`` then holds. It cannot become larger than the output may.
private final class FileInMemory: Sendable {
    let descriptor: Int32
    private let output: MemoryOutput

    init(_ output: MemoryOutput) throws(ImageError) {
        self.output = output
        do throws(Errno) {
            // Its pages exist only once they are written.
            descriptor = try Descriptor.inMemory(size: min(output.capacity, 1 << 40))
        } catch {
            throw .cannotWrite(path: output.name, errno: error.code)
        }
    }

    deinit { close(descriptor) }

    /// The error of the output for an error of the process: the kernel refuses to write more than the file can hold.
    func explained(_ error: ImageError) -> ImageError {
        guard case .cannotWrite(_, EPERM) = error else { return error }
        return .overMemory(path: output.name, needed: output.capacity + 1, available: output.capacity)
    }

    /// Copies the file into the output.
    func copy() throws(ImageError) {
        // The process and this program share the place of the file, so it is the number of bytes that were written.
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        var place = 0
        while place < count {
            let part: [UInt8]
            do throws(Errno) { part = try Descriptor.read(descriptor, min(1 << 20, count - place), at: place) } catch {
                throw .cannotRead(path: output.name, errno: error.code)
            }
            guard !part.isEmpty else { break }
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            try output.write(unsafe part.span.bytes)
            place += part.count
        }
    }
}
