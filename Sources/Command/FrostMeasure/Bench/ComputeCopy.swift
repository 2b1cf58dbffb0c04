import FrostGLES

/// Copies a texture by a compute shader, which is the fastest copy of GPUs that keep few processors for graphics.
final class ComputeCopy {
    private let program: Program

    /// - Returns: nil if the context has no compute shaders.
    init?(in current: borrowing CurrentContext) throws(GLError) {
        guard current.limits.storableFormats.contains(.rgba8) else { return nil }
        let group = current.limits.computeGroup
        program = try Program(
            compute: """
                #version 310 es
                layout(local_size_x = \(group.x), local_size_y = \(group.y)) in;
                layout(rgba8, binding = 0) writeonly uniform highp image2D to;
                uniform highp sampler2D from;
                void main() {
                    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
                    if (all(lessThan(place, imageSize(to)))) imageStore(to, place, texelFetch(from, place, 0));
                }

                """, in: current)
        try program.use(in: current)
        try program.set(program.uniform("from", in: current), 0, in: current)
    }

    /// Copies a texture of 8 bits into another one of the same size. Returns before the copy is done.
    func copy(
        _ source: borrowing Texture, to target: borrowing Texture, in current: borrowing CurrentContext
    ) throws(GLError) {
        try program.use(in: current)
        try source.bind(unit: 0, in: current)
        try current.beginStoring(into: target)
        try current.dispatch(columns: target.width, rows: target.height)
        try current.orderStores(before: [.fetches, .stores])
    }
}
