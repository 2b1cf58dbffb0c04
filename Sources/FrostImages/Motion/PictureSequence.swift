import FrostCore

/// Writes each frame as a picture file of its own.
struct PictureSequence: SequenceEncoder, ~Copyable {
    private let target: SequenceTarget
    private let format: ImageFormat
    private let options: ImageWriteOptions
    private let file: AtomicFile.Options
    private var tasks: FrameTasks<[UInt8]>
    /// The number of frames that were passed to `tasks`.
    private var framesAdded = 0
    private var framesStored = 0

    init(
        _ target: SequenceTarget, _ format: ImageFormat, _ shape: SequenceShape,
        _ file: AtomicFile.Options
    ) {
        self.target = target
        self.format = format
        var options = shape.options.picture
        // The threads are already busy with other frames, unless there is only a single frame.
        options.png.threads = shape.frames == 1 ? shape.options.threads : 1
        self.options = options
        self.file = file
        tasks = FrameTasks(shape)
    }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        if let bytes = try tasks.nextIfFull() { try store(bytes) }
        let (format, options, name) = (format, options, target.name(of: framesAdded))
        tasks.add { () throws(ImageError) in
            let image = DecodedImage(pixels: frame, metadata: ImageMetadata())
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
