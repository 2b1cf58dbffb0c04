extension PixelFormat {
    /// Returns whether all pixels of a row are opaque.
    ///
    /// - Parameter row: the bytes of whole pixels, without padding.
    package func isOpaque(_ row: RawSpan) -> Bool {
        guard let place = channels.order.alpha else { return true }
        // SAFETY: the bytes are used only during the task.
        return unsafe row.withUnsafeBytes { bytes in
            unsafe sample.run(OpacityTask(bytes: bytes, place: place, count: channels.count))
        }
    }
}

extension PixelBuffer {
    /// Whether all pixels are opaque.
    package var isOpaque: Bool {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let source = unsafe bytes.span.bytes
        return (0..<height).allSatisfy { y in
            let start = y * layout.bytesPerRow
            return format.isOpaque(source.extracting(start..<start + layout.rowByteCount))
        }
    }
}

/// Returns whether the sample at a place of each pixel is at least the maximum.
///
/// SAFETY: the bytes are whole pixels, so that the last sample of each pixel is within them, and they outlive the task.
@safe private struct OpacityTask: SampleTask {
    let bytes: UnsafeRawBufferPointer
    let place, count: Int

    func run<Sample: WorkingSample>(_: Sample.Type) -> Bool {
        guard let row = unsafe bytes.baseAddress else { return true }
        // Pixels with alpha have 2 or 4 samples. The compiler vectorises loops with a constant step.
        return unsafe count == 4 ? isOpaque(row, Sample.self, step: 4) : isOpaque(row, Sample.self, step: count)
    }

    @inline(__always)
    private func isOpaque<Sample: WorkingSample>(_ row: UnsafeRawPointer, _: Sample.Type, step: Int) -> Bool {
        let least = Sample(nearest: Sample.maximum)
        let pixels = unsafe bytes.count / (step * MemoryLayout<Sample>.size)
        var isOpaque = true
        for pixel in 0..<pixels {
            // Without a short circuit, which would prevent vectors.
            let isPixelOpaque = unsafe Sample(row, at: step * pixel + place) >= least
            isOpaque = isPixelOpaque && isOpaque
        }
        return isOpaque
    }
}
