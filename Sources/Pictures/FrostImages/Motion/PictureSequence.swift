import FrostCore

/// Writes each frame as a picture file of its own.
struct PictureSequence: SequenceEncoder, ~Copyable {
    private let target: SequenceTarget
    private let format: ImageFormat
    private let options: ImageWriteOptions
    private let metadata: ImageMetadata
    private let file: AtomicFile.Options
    private var tasks: FrameTasks<[UInt8]>
    /// The number of frames that were passed to `tasks`.
    private var framesAdded = 0
    private var framesStored = 0

    init(
        _ target: SequenceTarget, _ format: ImageFormat, _ sequence: SequenceDescription,
        _ file: AtomicFile.Options
    ) {
        self.target = target
        self.format = format
        var options = sequence.options.picture
        options.png.threads = Self.threadsPerPicture(frames: sequence.frames, sequence.options)
        self.options = options
        metadata = sequence.metadata
        self.file = file
        tasks = FrameTasks(sequence)
    }

    /// Returns the number of threads for each PNG file. They are already busy with other frames, unless there is only a
    /// single frame.
    static func threadsPerPicture(frames: Int, _ options: SequenceOptions) -> Int { frames == 1 ? options.threads : 1 }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        if let bytes = try tasks.nextIfFull() { try store(bytes) }
        let (format, options, metadata, name) = (format, options, metadata, target.name(of: framesAdded))
        tasks.add { () throws(ImageError) in
            let image = DecodedImage(pixels: frame, metadata: metadata)
            return try ImageFile.encode(image, as: format, to: MemorySink(name: name), options: options).bytes
        }
        framesAdded += 1
    }

    mutating func finish() throws(ImageError) {
        while let bytes = try tasks.next() { try store(bytes) }
    }

    private mutating func store(_ bytes: [UInt8]) throws(ImageError) {
        var sink = try target.open(frame: framesStored, file)
        try sink.write(bytes)
        try sink.commit()
        framesStored += 1
    }
}
