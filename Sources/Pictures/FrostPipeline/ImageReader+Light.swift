package import Frost
package import FrostImages

extension ImageReader {
    /// Returns the name, for a function that consumes the reader before it uses the name. With `let name = name` the optimiser
    /// would free the name too early: see "A fault of the optimiser" in docs/internals/Reliability.md.
    @inline(never) private borrowing func copiedName() -> String { name }

    /// Reads the whole picture, and converts CMYK pixels to sRGB.
    ///
    /// - Parameter limits: the limits on the picture, whose sandbox converts the pixels.
    package consuming func readLight(limits: ImageLimits) throws(ImageError) -> DecodedImage {
        let name = copiedName()
        let image = try readImage()
        guard image.metadata.colorModel == .cmyk else { return image }
        return try image.convertedFromCMYK(to: .u8, name: name, limits: limits).image
    }

    /// Reads the whole picture, and converts CMYK pixels to sRGB. The caller then converts the pixels to a number of bytes
    /// each, for example to make a mask.
    ///
    /// - Parameter see: receives the metadata.
    /// - Throws: ``ImageError``, also if the converted pixels do not fit into the memory.
    package consuming func readPixels(
        convertedTo bytesPerPixel: Int, limits: ImageLimits, see: (ImageMetadata) -> Void = { _ in }
    ) throws(ImageError) -> PixelBuffer {
        let name = copiedName()
        see(metadata)
        let picture = try readLight(limits: limits).pixels
        let bytes = picture.width * picture.height * bytesPerPixel
        try limits.check(memory: picture.layout.byteCount + bytes, name: name)
        try Memory.check(bytes, for: name)
        return picture
    }
}
