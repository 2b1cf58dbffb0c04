/// The position of an output in a larger target.
package struct TargetPlacement: Hashable, Sendable {
    /// The column of the output's top left pixel, counted from the target's left edge.
    package let x: Int32
    /// The row of the output's top left pixel, counted from the target's top edge.
    package let y: Int32
    /// The height of the target in pixels.
    let height: Int32
    /// Whether the target stores rows bottom-up, so that its first row is the bottom row.
    let rises: Bool

    package init(x: Int, y: Int, height: Int, rises: Bool) {
        self.x = Int32(x)
        self.y = Int32(y)
        self.height = Int32(height)
        self.rises = rises
    }

    /// The value of the uniform outputPlace of filter.glsl, with which the shader converts pixel coordinates in the target
    /// to pixel coordinates in the output. It consists of an offset for x, an offset for y, a factor for x and a factor for
    /// y. The factors are 1 or -1.
    package var uniform: SIMD4<Int32> {
        rises ? SIMD4(-x, height - 1 - y, 1, -1) : SIMD4(-x, -y, 1, 1)
    }

    /// Converts the columns and rows of a part of the output to columns and rows of the target.
    package func place(_ part: DrawPart) -> DrawPart {
        let (left, top) = (Int(x), Int(y))
        let columns = part.columns.lowerBound + left..<part.columns.upperBound + left
        let end = Int(height) - top
        return DrawPart(
            columns: columns,
            rows: rises
                ? end - part.rows.upperBound..<end - part.rows.lowerBound
                : part.rows.lowerBound + top..<part.rows.upperBound + top, hasEdges: part.hasEdges)
    }
}
