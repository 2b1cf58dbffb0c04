package import FrostCore

/// The position of an output in a larger target.
package struct TargetPlacement: Hashable, Sendable {
    /// The column of the output's top left pixel, counted from the target's left edge.
    package let x: Int32
    /// The row of the output's top left pixel, counted from the target's top edge.
    package let y: Int32
    /// The map from the output's pixels to the target's texels.
    private let map: PixelMap

    /// - Parameter surface: the map from the pixels of the target, as it is seen, to its texels.
    package init(x: Int, y: Int, on surface: PixelMap) {
        self.x = Int32(x)
        self.y = Int32(y)
        map = surface.from(x: x, y: y)
    }

    /// How the target stores the output.
    var order: ProgramKey.TexelOrder { ProgramKey.TexelOrder(map) }

    /// The value of the uniform outputPlace of filter.glsl, with which the shader converts texels of the target to pixels of
    /// the output.
    package var uniform: SIMD4<Int32> { map.inverse.uniform }

    /// Converts the columns and rows of a part of the output to columns and rows of the target.
    package func place(_ part: DrawPart) -> DrawPart {
        let rect = map.map(Rect(columns: part.columns, rows: part.rows))
        return DrawPart(columns: rect.columns, rows: rect.rows, hasEdges: part.hasEdges)
    }
}
