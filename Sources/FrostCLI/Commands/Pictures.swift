#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Frost
import FrostImages

/// Reading and writing of the pictures that commands name.
enum Pictures {
    static func limits(_ arguments: Arguments) throws(CommandError) -> ImageLimits {
        ImageLimits(
            maximumSide: try arguments.required(.maxSide, as: Int.self),
            maximumPixels: try arguments.required(.maxPixels, as: Int.self))
    }

    /// Reads a PNG from a path, or from standard input for "-".
    static func read(_ path: String, limits: ImageLimits) throws(CommandError) -> DecodedImage {
        do throws(ImageError) {
            if path == "-" { return try PNG.read(descriptor: 0, name: "standard input", limits: limits) }
            return try PNG.read(path: path, limits: limits)
        } catch {
            throw .image(error)
        }
    }

    /// Reads a mask: the alpha of pictures that have some, else their luma.
    static func mask(_ path: String, limits: ImageLimits) throws(CommandError) -> MaskImage {
        MaskImage(try read(path, limits: limits, bytesPerPixel: MemoryLayout<Float>.size))
    }

    /// Reads what is to be drawn over an effect.
    static func content(_ path: String, limits: ImageLimits) throws(CommandError) -> ContentImage {
        ContentImage(try read(path, limits: limits, bytesPerPixel: MemoryLayout<SIMD4<UInt16>>.size))
    }

    /// Reads a picture of which as many bytes a pixel are to be made.
    private static func read(
        _ path: String, limits: ImageLimits, bytesPerPixel: Int
    ) throws(CommandError) -> PixelBuffer {
        let picture = try read(path, limits: limits).pixels
        let bytes = picture.width * picture.height * bytesPerPixel
        do throws(ImageError) { try Memory.check(bytes, for: path) } catch { throw .image(error) }
        return picture
    }

    /// Writes a PNG to a path, whole or not at all, or to standard output for "-".
    static func write(_ image: DecodedImage, to path: String) throws(CommandError) {
        do throws(ImageError) {
            if path == "-" { return try PNG.write(image, descriptor: 1, name: "standard output") }
            defer { Interruption.setTemporaryFile(nil) }
            let file = try AtomicFile(path: path, willCreate: { Interruption.setTemporaryFile($0) })
            let written = try PNG.encode(image, to: file)
            try written.commit()
        } catch {
            if case .cannotWrite(_, EPIPE) = error { Console.endByBrokenPipe() }
            throw .image(error)
        }
    }
}
