import Frost
import FrostImages
import FrostPipeline

/// The pictures of a transition, converted so that they can be mixed: all have the same colour space, and the sample type of
/// the deepest one.
struct TransitionPictures: Sendable {
    let source: DecodedImage
    let target: PixelBuffer
    let extraImages: TransitionExtraImages
    /// The first file with more than 8 bits per sample; nil if all files have 8.
    let deep: FilePath?
    /// Whether the pictures are opaque RGB, and were converted to premultiplied RGBA. All their frames are opaque, too.
    let hasAddedAlpha: Bool

    /// The memory, in bytes, of the pictures.
    var byteCount: Int {
        let pictures = [source.pixels, target, extraImages.shading, extraImages.backside]
        return pictures.reduce(extraImages.mask?.byteCount ?? 0) { $0 + ($1?.layout.byteCount ?? 0) }
    }

    /// The smallest rectangle that contains both pictures.
    var canvas: Rect { source.pixels.layout.extent.hull(target.layout.extent) }

    /// Reads the pictures.
    ///
    /// - Parameters:
    ///   - reading: how to read the pictures.
    ///   - stated: the colour space to which all pictures are converted; nil for that of the first picture.
    ///   - asked: what asks for the light or the colours of the pictures, for warnings.
    ///   - hasBackground: whether a colour is put behind transparent pixels. The pixels then get more bits than the files
    ///     have, so that the result is rounded once.
    ///   - addsAlpha: whether 8-bit RGB becomes RGBA, if all pictures have one size and no picture has other pixels. The frames are
    ///     quicker to draw and to convert to planes.
    init(
        _ inputs: TransitionInputs, _ reading: ImageReadOptions, in stated: ColorSpace?, asked: [String],
        hasBackground: Bool, addsAlpha: Bool, _ console: Console
    ) throws(CommandError) {
        var reading = reading
        let from = inputs.name(.from)
        func image(_ role: TransitionRole) throws(CommandError) -> DecodedImage {
            let image = try inputs.read(role, reading)
            if let warning = image.metadata.profileWarning {
                console.warn("\(inputs.name(role).shownName): \(warning)")
            }
            // The pictures stay in memory.
            reading.limits.take(image.pixels.layout.byteCount)
            return image
        }
        var source = try image(.from)
        Pictures.warnOfCurve(of: source.metadata, in: from, for: asked, console)
        let sourceMetadata = source.metadata
        let space = stated ?? source.pixels.format.colorSpace
        var deep: FilePath?
        /// Checks the memory for converted copies. The pictures that have been read stay in memory meanwhile.
        func check(_ bytes: Int, _ path: FilePath) throws(CommandError) {
            do throws(ImageError) { try reading.limits.check(memory: bytes, name: path.text) } catch {
                throw .image(error)
            }
        }
        func converted(_ pixels: PixelBuffer, _ path: FilePath) throws(CommandError) -> PixelBuffer {
            if !pixels.format.sample.isEightBit { deep = deep ?? path }
            if pixels.format.colorSpace.stated != space.stated {
                // 16 bits, and colour in place of grey.
                try check(pixels.width * pixels.height * pixels.format.channels.addingColor.count * 2, path)
            }
            do throws(ImageError) {
                if let converted = try pixels.converted(
                    to: space, name: path.text, limits: reading.limits)
                {
                    reading.limits.take(converted.layout.byteCount - pixels.layout.byteCount)
                    return converted
                }
            } catch {
                throw .image(error)
            }
            console.warn(
                "\(path.shownName): its colours cannot be converted to "
                    + (stated == nil ? "the colour space of \(from.shownName)" : "sRGB")
                    + "; they are mixed unconverted")
            return pixels
        }
        source.pixels = try converted(source.pixels, from)
        func read(_ role: TransitionRole) throws(CommandError) -> PixelBuffer? {
            guard inputs.roles.contains(role) else { return nil }
            let image = try image(role)
            let path = inputs.name(role)
            var asked = asked
            if image.metadata.codePoints != sourceMetadata.codePoints {
                let mixture = "the mixture with \(path.shownName)"
                Pictures.warnOfCurve(of: sourceMetadata, in: from, for: [mixture], console)
                asked.append("the mixture with \(from.shownName)")
            }
            Pictures.warnOfCurve(of: image.metadata, in: path, for: asked, console)
            return try converted(image.pixels, path)
        }
        guard let target = try read(.to) else { throw .usage("two pictures are required") }
        let shading = try read(.shading)
        let backside = try read(.backside)
        let pictures = [source.pixels, target, shading, backside].compactMap(\.self)
        let formats = pictures.map(\.format)
        var deepest = formats.map(\.sample).max { $0.size < $1.size } ?? .u8
        let isTransparent =
            formats.contains(where: \.channels.hasAlpha) || source.pixels.layout.extent != target.layout.extent
        if hasBackground, isTransparent {
            Pictures.warnOfCurve(of: sourceMetadata, in: from, for: ["--background"], console)
            if deepest.isEightBit { deepest = .u16 }
        }
        let addsAlpha =
            addsAlpha && !isTransparent && formats.allSatisfy { $0.channels == .rgb && $0.sample.isEightBit }
        if addsAlpha { try check(pictures.reduce(0) { $0 + 4 * $1.width * $1.height }, from) }
        let widened = pictures.filter { $0.format.sample != deepest }.reduce(0) { sum, picture in
            sum + picture.width * picture.height * picture.format.channels.count * deepest.size
        }
        try check(widened, from)
        let mask = inputs.roles.contains(.mask) ? try inputs.readMask(reading) : nil
        func prepared(_ image: PixelBuffer) throws(PixelError) -> PixelBuffer {
            addsAlpha ? try image.addingOpaqueAlpha() : try image.widened(to: deepest)
        }
        do throws(PixelError) {
            source.pixels = try prepared(source.pixels)
            self.source = source
            self.target = try prepared(target)
            extraImages = TransitionExtraImages(
                mask: mask, shading: try shading.map(prepared), backside: try backside.map(prepared))
        } catch {
            throw .frost(.pixels(error))
        }
        self.deep = deep
        hasAddedAlpha = addsAlpha
    }
}
