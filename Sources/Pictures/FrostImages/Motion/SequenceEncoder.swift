import FrostCore

/// The properties of an animation that all formats need.
struct SequenceDescription: Sendable {
    let layout: PixelLayout
    let rate: FrameRate
    /// The time at which each frame begins, and that at which the last one ends, in milliseconds; nil if all frames have the
    /// duration that ``rate`` states.
    let times: [Int]?
    let frames: Int
    /// The metadata to write. All of them are kept.
    let metadata: ImageMetadata
    let options: SequenceOptions

    /// Returns the time at which a frame begins, in milliseconds. That of the number of frames is the end.
    func start(of frame: Int) -> Int { times?[frame] ?? rate.start(of: frame, ticksPerSecond: 1000) }

    /// Throws if the ICC profile does not match the pixels, for example a grey profile for coloured frames.
    func checkProfile(for pixels: PixelFormat, name: String) throws(ImageError) {
        guard let fault = metadata.iccProfile?.fault(for: pixels.channels, .light) else { return }
        throw .cannotEncode(path: name, reason: "its colour profile \(fault); --keep none drops it")
    }
}

/// The interface of the encoders of all sequence formats.
protocol SequenceEncoder: ~Copyable {
    /// Takes the next frame, which has the layout of the animation.
    mutating func write(_ frame: PixelBuffer) throws(ImageError)
    /// Completes the output. This is the last call to an encoder.
    mutating func finish() throws(ImageError)
}

/// Encodes frames in parallel, and returns the encoded frames in order.
struct FrameTasks<Encoded: Sendable>: ~Copyable {
    private var tasks: OrderedTasks<Result<Encoded, ImageError>>

    /// The maximum number of bytes of all frames in progress. One frame is always allowed.
    private static var maximumBytes: Int { 1 << 28 }

    init(_ sequence: SequenceDescription) {
        tasks = OrderedTasks(
            threads: Self.maximumCount(sequence.layout, frames: sequence.frames, threads: sequence.options.threads))
    }

    /// Returns the maximum number of frames in progress.
    static func maximumCount(_ layout: PixelLayout, frames: Int, threads: Int) -> Int {
        min(threads, max(1, Self.maximumBytes / layout.byteCount), frames)
    }

    /// Returns the oldest frame if the caller must take one before it adds another; otherwise nil.
    mutating func nextIfFull() throws(ImageError) -> Encoded? { tasks.isFull ? try tasks.next().get() : nil }

    /// Starts the encoding of a frame.
    ///
    /// - Precondition: ``nextIfFull()`` has been called since the last frame was added.
    mutating func add(_ work: @escaping @Sendable () throws(ImageError) -> Encoded) {
        tasks.add { Result(catching: work) }
    }

    /// Waits for the oldest frame and returns it. Returns nil if there are no more frames.
    mutating func next() throws(ImageError) -> Encoded? { tasks.isEmpty ? nil : try tasks.next().get() }
}
