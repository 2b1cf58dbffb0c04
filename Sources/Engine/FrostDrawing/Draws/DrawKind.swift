/// What the program of a draw computes: how it reads its input.
package struct DrawKind: Hashable, Sendable {
    /// The shader files that follow filter.frag. The last one defines the function filtered().
    let files: [String]
    /// Whether the program reads the uniform block Taps.
    let readsTaps: Bool
    /// The filter for which the program is made; nil if the program serves all draws of the kind.
    let filter: UnrolledFilter?

    init(files: [String], readsTaps: Bool, filter: UnrolledFilter? = nil) {
        self.files = files
        self.readsTaps = readsTaps
        self.filter = filter
    }

    /// A run of passes along one axis, with weights from the uniform block of taps.
    static let pass = DrawKind(files: ["filter.pass.glsl"], readsTaps: true)
    /// A mixture of two levels of a blend, controlled by the blend's mask.
    static let blend = DrawKind(files: ["filter.blend.glsl"], readsTaps: false)

    /// A run of passes along one axis, whose filter has a program of its own.
    static func unrolled(_ filter: UnrolledFilter) -> DrawKind {
        DrawKind(files: ["filter.unrolled.glsl"], readsTaps: filter.readsTaps, filter: filter)
    }

    /// The kind of the program for strips along the borders. They have no unrolled filters.
    package var alongEdges: DrawKind { filter == nil ? self : .pass }
    /// Whether a program of the draw reads the uniform block Taps.
    package var bindsTaps: Bool { readsTaps || alongEdges.readsTaps }
}
