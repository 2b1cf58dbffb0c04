public import FrostCore

extension ImageFormat {
    /// Returns an estimate of the memory, in bytes, that writing a picture in this format takes, without the rows of
    /// the caller and without the bytes of the file that the sink keeps.
    ///
    /// - Parameters:
    ///   - layout: the layout of the picture.
    ///   - options: how to write the file.
    public func encodingMemory(for layout: PixelLayout, options: ImageWriteOptions) -> Int {
        let pixels = layout.width * layout.height
        let channels = layout.format.channels
        let sampleSize = options.depth == 8 ? min(layout.format.sample.size, 1) : layout.format.sample.size
        let samples = pixels * channels.count
        let colored = pixels * channels.addingColor.count
        switch self {
        case .png:
            // A strip of about a megabyte has its pixels, their filtered copy, and the compressed bytes in memory.
            let strip = max(1 << 20, layout.rowByteCount)
            return min(samples * sampleSize, strip * (options.png.threads + 1)) * 3 + (1 << 20)
        case .jpeg:
            // The coefficients of the whole picture, with two bytes each.
            guard options.jpeg.isProgressive || options.jpeg.isOptimized else { return layout.rowByteCount * 64 }
            return samples * 2
        // These three numbers of bytes per pixel were measured, with pictures of noise of 8 and 33 megapixels.
        case .webp: return options.webp.isLossless ? pixels * 32 : colored * 3
        case .qoi, .ppm, .pgm, .pnm, .pam: return layout.rowByteCount * 2
        // The file stores the last row first, so the rows are kept, and then collected in memory that grows by
        // doubling.
        case .pfm: return samples * MemoryLayout<Float>.size * 3
        #if TIFF
            // libtiff completes the first bytes of the file last. The memory of the file grows by doubling.
            case .tiff: return samples * sampleSize * 2
        #endif
        #if AVIF
            case .avif:
                let perPixel = sampleSize == 1 ? 32 : 48
                return pixels * (channels.hasAlpha ? perPixel * 4 / 3 : perPixel)
        #endif
        #if JPEGXL
            // libjxl computes in floats, and holds the results of several stages.
            case .jxl: return pixels * (options.jxl.isLossless ? 64 : 40) * max(3, channels.count) / 3
        #endif
        }
    }
}
