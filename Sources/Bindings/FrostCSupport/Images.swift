package import CFrost
package import Frost

/// The fields that `frost_source` and `frost_target` have in common.
package protocol ImageStruct: SizedStruct {
    var width: Int32 { get set }
    var height: Int32 { get set }
    var channels: Int32 { get set }
    var sample: Int32 { get set }
    var alpha: Int32 { get set }
    var reserved: Int32 { get }
    var bytes_per_row: Int { get set }
    var byte_count: Int { get set }
    /// The address of the first row; NULL if the caller has not set it.
    var address: UnsafeRawPointer? { get }
}

extension frost_source: ImageStruct {
    package var address: UnsafeRawPointer? { unsafe pixels }
}

extension frost_target: ImageStruct {
    package var address: UnsafeRawPointer? { unsafe UnsafeRawPointer(pixels) }
}

extension ImageStruct {
    /// Returns the layout of the pixels: size, format and stride. The size of the memory is not checked.
    ///
    /// - Parameter name: the argument's name, for error messages.
    package func layout(_ name: StaticString) throws(Failure) -> PixelLayout {
        guard reserved == 0 else { throw .argument("\(name): reserved is \(reserved), not 0") }
        let format = PixelFormat(
            try Constants.value(channels, "\(name)'s channels"),
            try Constants.value(sample, "\(name)'s sample"),
            alpha: try Constants.value(alpha, "\(name)'s alpha"))
        do throws(PixelError) {
            return try PixelLayout(
                width: Int(width), height: Int(height), format: format,
                bytesPerRow: bytes_per_row == 0 ? nil : bytes_per_row)
        } catch {
            throw Failure(FROST_ERROR_PIXELS, "\(name): \(error)")
        }
    }

    /// Checks that the caller's memory is large enough for the layout and aligned to the sample size, and returns its
    /// address.
    package func check(_ layout: PixelLayout, _ name: StaticString) throws(Failure) -> UnsafeRawPointer {
        guard let base = unsafe address else { throw .argument("\(name): pixels is NULL") }
        guard byte_count >= layout.byteCount else {
            throw .argument("\(name): byte_count is \(byte_count), but the image needs \(layout.byteCount)")
        }
        let start = UInt(bitPattern: base)
        guard !start.addingReportingOverflow(UInt(layout.byteCount)).overflow else {
            throw .argument(unsafe "\(name): \(layout.byteCount) bytes at \(base) exceed the address space")
        }
        guard start.isMultiple(of: UInt(layout.format.sample.size)) else {
            throw .argument("\(name): pixels is not aligned to \(layout.format.sample.size) bytes")
        }
        return unsafe base
    }
}

extension frost_source {
    /// Checks the caller's struct and returns its pixels, which are valid during the call.
    package func pixels(_ name: StaticString) throws(Failure) -> PixelSource {
        let layout = unsafe try layout(name)
        return unsafe PixelSource(try check(layout, name), layout: layout)
    }

    /// Returns a copy of the caller's pixels, without the padding between rows.
    package func copy(_ name: StaticString) throws(Failure) -> PixelBuffer {
        let source = try unsafe pixels(name)
        let from = unsafe source.layout
        return try failing { () throws(PixelError) in
            let layout = try PixelLayout(width: from.width, height: from.height, format: from.format)
            return unsafe PixelBuffer(layout: layout) { bytes in
                for y in 0..<layout.height {
                    unsafe bytes.baseAddress?.advanced(by: y * layout.bytesPerRow)
                        .copyMemory(from: source.row(y), byteCount: layout.rowByteCount)
                }
            }
        }
    }
}

extension frost_target {
    /// Checks the caller's struct and returns its pixels, which are valid during the call.
    package func pixels(_ name: StaticString) throws(Failure) -> PixelTarget {
        let layout = unsafe try layout(name)
        _ = try unsafe check(layout, name)
        // SAFETY: `check` has thrown an error if `pixels` is NULL.
        return unsafe PixelTarget(pixels.unsafelyUnwrapped, layout: layout)
    }

    /// Writes a layout to a caller's struct, whose `pixels` keeps its value.
    package static func describe(_ layout: PixelLayout, to target: UnsafeMutablePointer<frost_target>?) throws(Failure)
    {
        var result = try unsafe frost_target.read(target, "target")
        guard let width = Int32(exactly: layout.width), let height = Int32(exactly: layout.height) else {
            throw Failure(.tooLarge(width: layout.width, height: layout.height))
        }
        unsafe (result.width, result.height) = (width, height)
        unsafe result.channels = layout.format.channels.code
        unsafe result.sample = layout.format.sample.code
        unsafe result.alpha = layout.format.alpha.code
        unsafe result.bytes_per_row = layout.bytesPerRow
        unsafe result.byte_count = layout.byteCount
        try unsafe result.write(to: target, "target")
    }
}
