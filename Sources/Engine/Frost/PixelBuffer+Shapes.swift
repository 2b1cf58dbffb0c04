package import FrostCore

// Parts of one image in another.

extension PixelBuffer {
    /// Copies a rectangle from an image of the same size and format. Parts of the rectangle outside the image are ignored.
    package mutating func copy(_ rect: Rect, from other: PixelBuffer) {
        guard let rect = rect.intersection(layout.extent) else { return }
        guard rect != layout.extent || layout != other.layout else { return self = other }
        let (size, stride, otherStride) = (format.bytesPerPixel, layout.bytesPerRow, other.layout.bytesPerRow)
        let (start, count) = (rect.x * size, rect.width * size)
        unsafe withUnsafeMutableBytes { bytes in
            // SAFETY: the rectangle lies within both images.
            unsafe other.withUnsafeBytes { from in
                for y in rect.rows {
                    let (to, first) = (y * stride + start, y * otherStride + start)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[to..<to + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: from[first..<first + count]))
                }
            }
        }
    }

    /// Copies all pixels that shapes cover, even partly, from an image of the same size and format.
    ///
    /// - Parameter isInverted: whether the pixels that are partly outside all shapes are copied instead.
    package mutating func copy(within shapes: [RoundedRect], isInverted: Bool, from other: PixelBuffer) {
        let area = ClipArea(shapes, join: 0, rule: ClipRule(isInverted: isInverted, coversTouched: true))
        guard isInverted || !shapes.allSatisfy(\.isWholePixels) else {
            for shape in shapes { copy(shape.bounds, from: other) }
            return
        }
        for place in isInverted ? [layout.extent] : shapes.map(\.bounds) {
            guard let place = place.intersection(layout.extent) else { continue }
            for y in place.rows {
                let near = area.near(place.columns, row: y)
                var x = place.x
                while x < place.columns.upperBound {
                    let start = x
                    while x < place.columns.upperBound, near.coverage(x, y) > 0 { x += 1 }
                    if x > start { copy(Rect(x: start, y: y, width: x - start, height: 1), from: other) }
                    x += 1
                }
            }
        }
    }
}

extension Rendered {
    /// Returns an image that shows this result in every pixel that shapes touch.
    ///
    /// - Parameters:
    ///   - image: an image of the size and format of the result.
    ///   - isInverted: whether the result is shown outside the shapes instead.
    /// - Throws: ``ParameterError/outsideImage(_:image:)`` if a shape covers no pixel of the image.
    package func shown(
        within shapes: [RoundedRect], isInverted: Bool, in image: PixelBuffer
    ) throws(ParameterError) -> Rendered {
        let extent = image.layout.extent
        try extent.check(shapes)
        var result = Rendered(image: image, report: report)
        result.image.copy(within: shapes, isInverted: isInverted, from: self.image)
        if !isInverted { for shape in shapes { result.report.warnIfCropped(shape, to: extent) } }
        return result
    }
}
