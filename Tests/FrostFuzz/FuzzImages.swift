import FrostCore
import FrostImages

enum FuzzImages {
    /// Small limits: large pictures would only make each run slower.
    private static let limits = ImageLimits(maximumSide: 1024, maximumPixels: 1 << 16)

    /// Reads a picture twice, once as a whole refusing every fault, and once row by row accepting missing pixels, and
    /// writes what was read.
    ///
    /// - Parameter formats: bytes of another known format are ignored, because another target has them. Otherwise the
    ///   search would spend most of its time on those.
    static func run(_ bytes: [UInt8], _ formats: Set<ImageFormat>) {
        if let format = ImageFormat(firstBytes: Array(bytes.prefix(ImageFormat.signatureByteCount))),
            !formats.contains(format)
        {
            return
        }
        let strict = picture(bytes, .error)
        let tolerant = picture(bytes, .none)
        guard let strict else { return }
        // A picture without a fault has the same pixels whatever faults are accepted.
        require(strict.pixels == tolerant?.pixels, "accepting faults changed the pixels of a picture without any")
        write(strict)
    }

    /// Reads all frames of an animation, once refusing every fault and once accepting missing pixels.
    static func runFrames(_ bytes: [UInt8]) {
        let strict = picture(bytes, .error, .frames)
        let tolerant = picture(bytes, .none, .frames)
        guard let strict else { return }
        require(strict.pixels == tolerant?.pixels, "accepting faults changed the frames of an animation without any")
        require(
            strict.metadata.timing.map { strict.pixels.height % $0.durations.count } == 0,
            "the frames are not of one height")
    }

    private static func picture(_ bytes: [UInt8], _ failOn: FailOn, _ part: ImageReadOptions.Part = .picture)
        -> DecodedImage?
    {
        var options = ImageReadOptions(limits: limits, firstFrame: true, failOn: failOn)
        options.part = part
        do throws(ImageError) {
            let reader = try ImageReader(bytes: bytes, name: "fuzz", options: options)
            let layout = reader.layout
            let image = try reader.readImage()
            require(image.pixels.layout == layout, "the picture has another layout than its header states")
            return image
        } catch {
            // The text must exist for every error.
            require(!"\(error)".isEmpty)
            return nil
        }
    }

    /// Writes a picture with all of its metadata, in a format without loss, and reads it again.
    private static func write(_ image: DecodedImage) {
        do throws(ImageError) {
            let options = ImageWriteOptions()
            let file = try ImageFile.encode(image, as: .png, options: options)
            let again = try ImageReader(bytes: file, name: "again").readImage()
            require(again.pixels.layout.width == image.pixels.layout.width, "the written picture has another width")
        } catch {
            // PNG holds neither floats nor inks.
            let isFloat = image.pixels.layout.format.sample.isFloat
            require(
                isFloat || image.metadata.colorModel != .light, "a picture that was read cannot be written: \(error)")
        }
    }
}
