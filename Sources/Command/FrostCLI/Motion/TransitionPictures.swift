import Frost
import FrostImages
import FrostPipeline

/// The pictures of a transition, converted so that they can be mixed: all have the same colour space, and the sample type of
/// the deepest one.
struct TransitionPictures {
    let source: DecodedImage
    let target: PixelBuffer
    var extraImages: TransitionExtraImages
    /// Whether a file has more than 8 bits per sample.
    let isDeep: Bool

    /// Reads the pictures.
    ///
    /// - Parameter stated: the colour space to which all pictures are converted; nil for that of the first picture.
    init(
        _ arguments: Arguments, _ reading: ImageReadOptions, in stated: ColorSpace?, _ console: Console
    ) throws(CommandError) {
        let words = arguments.paths
        func image(_ path: FilePath) throws(CommandError) -> DecodedImage {
            let image = try Pictures.read(path, reading, console)
            if let warning = image.metadata.profileWarning { console.warn("\(path.shownName): \(warning)") }
            return image
        }
        var source = try image(words[0])
        let space = stated ?? source.pixels.format.colorSpace
        var isDeep = false
        func converted(_ pixels: PixelBuffer, _ path: FilePath) throws(CommandError) -> PixelBuffer {
            if !pixels.format.sample.isEightBit { isDeep = true }
            do throws(ImageError) {
                if let converted = try pixels.converted(to: space, name: path.text) { return converted }
            } catch {
                throw .image(error)
            }
            console.warn(
                "\(path.shownName): its colours cannot be converted to "
                    + (stated == nil ? "the colour space of \(words[0].shownName)" : "sRGB")
                    + "; they are mixed unconverted")
            return pixels
        }
        source.pixels = try converted(source.pixels, words[0])
        func read(_ path: FilePath) throws(CommandError) -> PixelBuffer {
            try converted(try image(path).pixels, path)
        }
        let target = try read(words[1])
        let shading = try arguments.path(.shading).map { (path) throws(CommandError) in try read(path) }
        let backside = try arguments.path(.backside).map { (path) throws(CommandError) in try read(path) }
        let samples = [source.pixels, target, shading, backside].compactMap { $0?.format.sample }
        let deepest = samples.max { $0.size < $1.size } ?? .u8
        do throws(PixelError) {
            source.pixels = try source.pixels.widened(to: deepest)
            self.source = source
            self.target = try target.widened(to: deepest)
            extraImages = TransitionExtraImages(
                mask: nil, shading: try shading?.widened(to: deepest), backside: try backside?.widened(to: deepest))
        } catch {
            throw .frost(.pixels(error))
        }
        self.isDeep = isDeep
    }
}
