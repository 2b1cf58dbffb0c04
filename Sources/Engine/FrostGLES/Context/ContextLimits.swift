/// The capabilities of a context, queried once.
package struct ContextLimits: Sendable, Hashable {
    /// The maximum side of a texture that can also be rendered to, in texels.
    package let maximumTextureSize: Int
    /// The maximum size of a uniform block in bytes.
    package let maximumUniformBlockSize: Int
    /// The alignment of uniform buffer ranges in bytes. The start of a bound range must be a multiple of this number.
    package let uniformBufferOffsetAlignment: Int
    /// The formats that can be rendered to. Frost finds them by creating a small render target of each format.
    package internal(set) var renderableFormats: Set<TextureFormat>
    /// The formats of textures to which compute shaders can store; empty if the context has no compute shaders.
    package let storableFormats: Set<TextureFormat>
    /// The width and height of the groups in which Frost's compute shaders run.
    package let computeGroup: SIMD2<Int32>
    /// The formats of program binaries that the driver supports. Most drivers have one format, and some have none.
    package let programBinaryFormats: Set<UInt32>
}
