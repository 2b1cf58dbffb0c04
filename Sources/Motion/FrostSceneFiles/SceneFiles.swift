package import FrostCore
package import FrostImages
package import FrostMotion

/// The pictures and videos that a scene names, as files in a folder. Colours are converted to sRGB.
package struct SceneFiles: SceneResources {
    private let folder: FilePath
    private let limits: ImageLimits
    private let warn: (String) -> Void
    private let read: (FilePath) throws(SceneResourceError) -> PixelBuffer

    /// - Parameters:
    ///   - folder: the folder to which the names are relative.
    ///   - limits: the limits of videos.
    ///   - warn: is given what could not be done as asked, such as a conversion of colours.
    ///   - read: reads a picture.
    package init(
        in folder: FilePath, limits: ImageLimits, warn: @escaping (String) -> Void,
        read: @escaping (FilePath) throws(SceneResourceError) -> PixelBuffer
    ) {
        (self.folder, self.limits, self.warn, self.read) = (folder, limits, warn, read)
    }

    /// The bytes of a pixel of most pictures after they were read: they are converted to content of 16 bits.
    package static let bytesPerPixel = MemoryLayout<SIMD4<UInt16>>.size

    package func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
        let path = path(of: name)
        let picture: PixelBuffer
        do throws(SceneResourceError) { picture = try read(path) } catch {
            guard (try? VideoReader(path: path, limits: limits)) == nil else {
                throw SceneResourceError("\(path.shownName) is a Y4M video; name it with video instead of picture")
            }
            throw error
        }
        do throws(ImageError) {
            if let converted = try picture.converted(to: .sRGB, name: path.text, limits: limits) { return converted }
        } catch {
            throw SceneResourceError(error)
        }
        warn("\(path.shownName): its colours cannot be converted to sRGB; they are drawn unconverted")
        return picture
    }

    package func video(named name: String) throws(SceneResourceError) -> any SceneVideo {
        do throws(ImageError) { return try SceneVideoFile(path(of: name), limits) } catch {
            throw SceneResourceError(error)
        }
    }

    private func path(of name: String) -> FilePath { folder.appending(FilePath(name)) }
}

extension SceneResourceError {
    /// Keeps the class of an error: a file can be unreadable, or exceed a limit.
    package init(_ error: ImageError) { self.init("\(error)", isOverLimit: error.kind == .overLimit) }
}

/// A Y4M file whose frames are read in order. It is read once completely when it is opened, so that a file that is cut off is
/// refused before anything is written.
private final class SceneVideoFile: SceneVideo {
    let frameCount: Int
    let framesPerSecond: Double
    private let path: FilePath
    private let limits: ImageLimits
    private let conversion: ColorConversion
    private var reader: VideoReader
    /// The last frame that was read.
    private var last: (index: Int, pixels: PixelBuffer)?

    init(_ path: FilePath, _ limits: ImageLimits) throws(ImageError) {
        let reader = try VideoReader(path: path, limits: limits)
        while try reader.next() != nil {}
        func broken(_ reason: String) -> ImageError {
            .badStream(path: path.text, expected: "a Y4M video", reason: reason)
        }
        guard reader.framesRead > 0 else { throw broken("it has no frames") }
        guard case .yuv(let coding) = reader.format.coding else { throw broken("its frames are not Y'CbCr") }
        guard let rate = Self.rate(reader.header) else { throw broken("its header has no valid frame rate") }
        frameCount = reader.framesRead
        framesPerSecond = rate
        conversion = try ColorConversion(reader.format, coding, name: path.text)
        (self.path, self.limits) = (path, limits)
        self.reader = try VideoReader(path: path, limits: limits)
    }

    /// Returns the parameter F of a header: frames per second as a fraction.
    private static func rate(_ header: [UInt8]) -> Double? {
        let words = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let word = words.first(where: { $0.hasPrefix("F") }) else { return nil }
        let parts = word.dropFirst().split(separator: ":").map { Double($0) }
        guard parts.count == 2, let frames = parts[0], let seconds = parts[1], frames > 0, seconds > 0 else {
            return nil
        }
        return frames / seconds
    }

    func frame(_ index: Int) throws(SceneResourceError) -> PixelBuffer {
        if let last, last.index == index { return last.pixels }
        do throws(ImageError) {
            if index < reader.framesRead { reader = try VideoReader(path: path, limits: limits) }
            while let frame = try reader.next() {
                guard reader.framesRead == index + 1 else { continue }
                let pixels = conversion.pixels(of: frame)
                last = (index, pixels)
                return pixels
            }
        } catch {
            throw SceneResourceError(error)
        }
        throw SceneResourceError("the file has become shorter than \(frameCount) frames")
    }
}
