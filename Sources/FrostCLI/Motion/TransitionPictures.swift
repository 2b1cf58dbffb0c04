import Frost
import FrostImages

/// The pictures of a transition, converted so that they can be mixed: all have the colour space of the first picture and
/// the sample type of the deepest one.
struct TransitionPictures {
    let source: DecodedImage
    let target: PixelBuffer
    var extras: TransitionExtras

    init(_ arguments: Arguments, _ limits: ImageLimits, _ console: Console) throws(CommandError) {
        let words = arguments.paths
        let source = try Pictures.read(words[0], limits: limits)
        let space = source.pixels.format.colorSpace
        func read(_ path: FilePath) throws(CommandError) -> PixelBuffer {
            let pixels = try Pictures.read(path, limits: limits).pixels
            let converted: PixelBuffer?
            do throws(ImageError) { converted = try pixels.converted(to: space, name: path.text) } catch {
                throw .image(error)
            }
            if converted == nil {
                console.warn(
                    "\(path.shownName): its colours cannot be converted to the colour space of \(words[0].shownName); they "
                        + "are mixed unconverted")
            }
            return converted ?? pixels
        }
        let target = try read(words[1])
        let shading = try arguments.path(.shading).map { (path) throws(CommandError) in try read(path) }
        let backside = try arguments.path(.backside).map { (path) throws(CommandError) in try read(path) }
        let samples = [source.pixels, target, shading, backside].compactMap { $0?.format.sample }
        let deepest = samples.max { $0.size < $1.size } ?? .u8
        do throws(PixelError) {
            var image = source
            image.pixels = try source.pixels.widened(to: deepest)
            self.source = image
            self.target = try target.widened(to: deepest)
            extras = TransitionExtras(
                mask: nil, shading: try shading?.widened(to: deepest), backside: try backside?.widened(to: deepest))
        } catch {
            throw .frost(.pixels(error))
        }
    }
}
