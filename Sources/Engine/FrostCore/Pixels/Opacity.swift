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
        let (least, size) = (Sample(nearest: Sample.maximum), MemoryLayout<Sample>.size)
        var isOpaque = true
        for index in stride(from: place, to: unsafe bytes.count / size, by: count) {
            isOpaque = unsafe isOpaque && Sample(row, at: index) >= least
        }
        return isOpaque
    }
}
