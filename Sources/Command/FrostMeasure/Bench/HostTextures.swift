package import Frost
package import FrostGLES

/// The textures of a host application: the source picture, and the picture that is shown. Both have RGBA pixels of 8
/// bits.
package final class HostTextures {
    private let source: Texture
    private let target: Texture
    private let from: Framebuffer
    private let to: Framebuffer
    private let format: PixelFormat
    private let compute: ComputeCopy?

    /// The GPU's own ways to copy a texture.
    enum Copy: String, CaseIterable {
        /// glBlitFramebuffer.
        case blit
        /// A compute shader that fetches and stores each texel.
        case compute
    }

    /// Creates both textures, and uploads the picture into the source.
    ///
    /// - Parameter picture: a picture with four channels of 8 bits and without gaps between rows.
    package init(_ picture: PixelBuffer, in current: borrowing CurrentContext) throws(GLError) {
        source = try Texture(.rgba8, width: picture.width, height: picture.height, in: current)
        target = try Texture(.rgba8, width: picture.width, height: picture.height, in: current)
        from = try Framebuffer(source, in: current)
        to = try Framebuffer(target, in: current)
        format = picture.format
        compute = try ComputeCopy(in: current)
        try upload(picture, row: 0, in: current)
    }

    /// The source as Frost takes it.
    package var image: HostImage {
        HostImage(HostTexture(name: source.name), width: source.width, height: source.height, format: format)
    }

    /// The target as Frost takes it.
    package var place: HostTarget {
        HostTarget(.texture(target.name), width: target.width, height: target.height, format: format)
    }

    /// Replaces rows of the source, from `row` on. The strip has the source's width and format.
    package func upload(_ strip: PixelBuffer, row: Int, in current: borrowing CurrentContext) throws(GLError) {
        // SAFETY: the rows have no gaps, and they are read only during the call.
        try unsafe strip.withUnsafeBytes { (bytes) throws(GLError) in
            try unsafe source.upload(rows: row..<row + strip.height, from: bytes, in: current)
        }
    }

    /// The copies that the context can do.
    var copies: [Copy] { compute == nil ? [.blit] : Copy.allCases }

    /// Copies the source into the target, or back, by one of ``copies``. Returns before the copy is done.
    func copy(_ way: Copy, back: Bool, in current: borrowing CurrentContext) throws(GLError) {
        switch (way, back) {
        case (.blit, false): try from.copy(to: to, in: current)
        case (.blit, true): try to.copy(to: from, in: current)
        case (.compute, false): try compute?.copy(source, to: target, in: current)
        case (.compute, true): try compute?.copy(target, to: source, in: current)
        }
    }

    /// Reads the target. Waits for the GPU.
    package func readTarget(in current: borrowing CurrentContext) throws(GLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: target.bytes)
        var span = bytes.mutableSpan
        // SAFETY: the array has room for all rows of the target, and it is written only during the call.
        try unsafe span.withUnsafeMutableBytes { (memory) throws(GLError) in
            try unsafe to.read(rows: 0..<target.height, into: memory, in: current)
        }
        return bytes
    }

    /// Waits until the GPU has done all work that was submitted.
    package func wait(in current: borrowing CurrentContext) throws(GLError) {
        guard try Fence(in: current).wait(nanoseconds: 60_000_000_000, in: current) else {
            throw .timeout(what: "the GPU", seconds: 60)
        }
    }
}
