public import FrostCore

/// Writes the frames of an animation, one after the other: a Y4M stream, an animated WebP or PNG file, or one picture
/// file for each frame.
///
/// ```swift
/// var writer = try SequenceWriter(
///     to: .file(path: "out.webp"), as: .webp, layout: layout, rate: try FrameRate(60), frames: 72)
/// for frame in 0..<72 { try writer.write(render(frame)) }
/// try writer.finish()
/// ```
///
/// Frames are encoded on other threads while the caller renders the next frames. A Y4M stream, an animated PNG file and
/// picture files encode several frames at the same time. libwebp encodes the frames of an animated WebP file one after
/// the other. The writer holds at most one frame for each thread, and at most 256 MiB of frames, or one larger frame.
/// libwebp also holds the encoded frames until the end.
///
/// A file appears at its path only when it is complete. If an error occurs, or if the writer is destroyed before
/// ``finish()``, no incomplete file remains. Picture files of earlier frames remain.
///
/// Thread-safety: one thread at a time may use a writer.
public struct SequenceWriter: ~Copyable {
    /// The number of frames that ``write(_:)`` has taken.
    public private(set) var framesWritten = 0
    /// The number of frames of the animation.
    public let frames: Int
    /// The layout of every frame.
    public let layout: PixelLayout

    private let name: String
    private var encoder: any SequenceEncoder & ~Copyable

    /// Opens the destination and writes everything that precedes the first frame.
    ///
    /// - Parameters:
    ///   - target: the destination.
    ///   - format: the form in which the frames are stored.
    ///   - layout: the layout of every frame. If it has alpha, the alpha must be straight.
    ///   - rate: the number of frames per second. Picture files do not store it.
    ///   - frames: the number of frames that will be written, at least 1.
    ///   - durations: the duration of each frame in milliseconds, in place of `rate`. An animated WebP, PNG or AVIF file stores
    ///     them.
    ///   - metadata: the metadata to write, as far as `options` and the format keep them; see
    ///     ``ImageMetadata/lost(in:)``. Each picture file holds them. If they have no colour description, the files get the
    ///     colour space of the layout. A Y4M stream has no metadata, and its colours are read as sRGB, so convert the frames
    ///     first.
    ///   - options: how to write the frames.
    ///   - file: how to replace each file.
    /// - Throws: ``ImageError/cannotHold(path:format:what:remedy:)`` if the format cannot store the frames and
    ///   `options` do not allow reducing them, or if several picture files have only one name;
    ///   ``ImageError/cannotEncode(path:reason:)`` if `frames` is out of range, or an encoder rejects the layout or the
    ///   metadata;
    ///   ``ImageError/cannotWrite(path:errno:)``; and ``ImageError/outOfMemory(path:bytes:)``.
    public init(
        to target: SequenceTarget, as format: SequenceFormat, layout: PixelLayout, rate: FrameRate = .hertz60,
        frames: Int, durations: [Int]? = nil,
        metadata: ImageMetadata = ImageMetadata(), options: SequenceOptions,
        file: AtomicFile.Options = AtomicFile.Options()
    ) throws(ImageError) {
        let name = target.name()
        guard (1...Int(Int32.max)).contains(frames) else {
            throw .cannotEncode(path: name, reason: "\(frames) frames (allowed: 1 to \(Int32.max))")
        }
        guard !layout.format.channels.hasAlpha || layout.format.alpha == .straight else {
            throw .cannotEncode(path: name, reason: "\(layout.format) pixels; convert them to straight alpha first")
        }
        if case .pictures(let format) = format, frames > 1 {
            switch target {
            case .files: break
            case .file, .descriptor, .memory:
                throw .cannotHold(
                    path: name, format: format, what: "\(frames) frames", remedy: "write each frame to its own file")
            }
        }
        if let durations {
            guard durations.count == frames, durations.allSatisfy({ (0...1 << 30).contains($0) }) else {
                throw .cannotEncode(path: name, reason: "\(durations.count) durations for \(frames) frames")
            }
            guard format != .y4m else {
                throw .cannotEncode(path: name, reason: "Y4M has no durations of single frames")
            }
        }
        let times = durations.map { $0.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) } }
        let sequence = SequenceDescription(
            layout: layout, rate: rate, times: times, frames: frames, metadata: metadata.keeping(options.picture.keep),
            options: options)
        if let process = options.picture.encoderProcess, format.isEncodedApart(process.isolation) {
            encoder = try ProcessSequence(target, format, sequence, file, in: process)
        } else {
            encoder = try Self.encoder(target, format, sequence, file)
        }
        self.name = name
        self.frames = frames
        self.layout = layout
    }

    /// Returns an encoder that works in this process.
    static func encoder(
        _ target: SequenceTarget, _ format: SequenceFormat, _ sequence: SequenceDescription, _ file: AtomicFile.Options
    ) throws(ImageError) -> any SequenceEncoder & ~Copyable {
        switch format {
        case .y4m: try Y4MSequence(target, sequence, file)
        case .webp: try WebPSequence(target, sequence, file)
        case .apng: try APNGSequence(target, sequence, file)
        case .avif: try avif(target, sequence, file)
        case .pictures(let format): PictureSequence(target, format, sequence, file)
        }
    }

    private static func avif(
        _ target: SequenceTarget, _ sequence: SequenceDescription, _ file: AtomicFile.Options
    ) throws(ImageError) -> any SequenceEncoder & ~Copyable {
        #if AVIF
            return try AVIFSequence(target, sequence, file)
        #else
            throw .cannotEncode(path: target.name(), reason: ImageFormat.avif.absence)
        #endif
    }

    /// Takes the next frame. It is encoded later, on another thread. If too many frames wait, this method first waits
    /// for the oldest one and writes it.
    ///
    /// Do not use the writer again after an error.
    ///
    /// - Throws: the error of an earlier frame; ``ImageError/cannotEncode(path:reason:)`` if the frame has another
    ///   layout than ``layout``, if all frames have been written, or if the frame has transparent pixels that a Y4M stream
    ///   cannot hold; and ``ImageError/cannotWrite(path:errno:)``.
    public mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        guard framesWritten < frames else {
            throw .cannotEncode(path: name, reason: "more than the announced \(frames) frames")
        }
        guard frame.layout == layout else {
            throw .cannotEncode(
                path: name,
                reason: "frame \(framesWritten) has \(frame.width)x\(frame.height) \(frame.format) pixels, but the "
                    + "animation has \(layout.width)x\(layout.height) \(layout.format) pixels")
        }
        try encoder.write(frame)
        framesWritten += 1
    }

    /// Waits for all frames and completes the files.
    ///
    /// - Throws: ``ImageError/cannotEncode(path:reason:)`` if frames are missing, and the errors of ``write(_:)``.
    public consuming func finish() throws(ImageError) {
        guard framesWritten == frames else {
            throw .cannotEncode(
                path: name, reason: "only \(framesWritten) of the announced \(frames) frames were written")
        }
        try encoder.finish()
    }
}
