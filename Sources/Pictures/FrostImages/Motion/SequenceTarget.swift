public import FrostCore

/// The destination of an animation.
public enum SequenceTarget: Sendable {
    /// A file. It appears when all frames are complete.
    case file(path: FilePath)
    /// An open descriptor, which the caller keeps. `name` is the name of the output in error messages. The descriptor
    /// receives each frame as soon as it is encoded.
    case descriptor(Int32, name: String)
    /// One file for each frame. The function returns the path of a frame, whose number is counted from 0.
    case files(path: @Sendable (Int) -> FilePath)
    /// Memory.
    case memory(MemoryOutput)

    /// Opens the destination of a frame. An animation in a single file opens the destination of frame 0.
    func open(frame: Int = 0, _ file: AtomicFile.Options) throws(ImageError) -> StreamSink {
        switch self {
        case .file(let path): try StreamSink(path: path, options: file)
        case .files(let path): try StreamSink(path: path(frame), options: file)
        case .descriptor(let descriptor, let name): StreamSink(descriptor: descriptor, name: name)
        case .memory(let memory): StreamSink(memory)
        }
    }

    /// The memory that is the destination; nil for files and descriptors.
    var memory: MemoryOutput? {
        switch self {
        case .memory(let memory): memory
        case .file, .descriptor, .files: nil
        }
    }

    /// Returns the name of a frame's destination, for error messages.
    package func name(of frame: Int = 0) -> String {
        switch self {
        case .file(let path): path.text
        case .descriptor(_, let name): name
        case .files(let path): path(frame).text
        case .memory(let memory): memory.name
        }
    }
}
