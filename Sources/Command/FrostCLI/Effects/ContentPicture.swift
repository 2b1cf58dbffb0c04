package import Frost
package import FrostImages
import Synchronization

/// The picture that `--content` names. It converts its colours to the colour spaces of the pictures that it is drawn
/// over.
///
/// Thread safety: may be used from any thread.
package final class ContentPicture: Sendable {
    private let path: FilePath
    private let pixels: PixelBuffer
    private let limits: ImageLimits
    /// The result of the last conversion. It can often be used again, because the pictures of a batch usually share one
    /// colour space.
    private let last = Mutex<(space: ColorSpace, image: ContentImage)?>(nil)

    /// - Parameter limits: the limits on pictures, whose sandbox converts the colours.
    init(_ path: FilePath, _ pixels: PixelBuffer, _ limits: ImageLimits) {
        (self.path, self.pixels, self.limits) = (path, pixels, limits)
    }

    /// The bytes of a pixel that is converted to 16 bits.
    package static let bytesPerPixel = MemoryLayout<SIMD4<UInt16>>.size

    /// The memory, in bytes, of the pixels and of their image in sRGB. An image in another colour space, and the pixels that
    /// are converted for it, are in memory besides.
    func byteCount(in space: ColorSpace) -> Int {
        let copies = space.stated == .sRGB ? 1 : 3
        return pixels.layout.byteCount + copies * pixels.width * pixels.height * Self.bytesPerPixel
    }

    /// Returns the picture with its colours converted to a colour space. If the conversion is not possible, prints a
    /// warning and returns the picture with its original colours.
    package func image(in space: ColorSpace, _ console: Console) throws(ImageError) -> ContentImage {
        let space = space.stated
        if let image = last.withLock({ $0?.space == space ? $0?.image : nil }) { return image }
        let converted = try pixels.converted(to: space, name: path.text, limits: limits)
        if converted == nil {
            console.warn(
                "\(path.shownName): its colours cannot be converted to the colour space of the picture below it; they "
                    + "are drawn unconverted")
        }
        let image = ContentImage(converted ?? pixels)
        last.withLock { $0 = (space, image) }
        return image
    }
}
