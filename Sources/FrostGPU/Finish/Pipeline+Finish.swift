import FrostCore
import FrostGLES

/// A mask on the GPU. The last one is kept, since a picture is blurred with the same mask again and again.
final class MaskTexture {
    let image: MaskImage
    let window: MaskWindow
    let target: Target

    init(_ image: MaskImage, _ window: MaskWindow, _ target: Target) {
        self.image = image
        self.window = window
        self.target = target
    }
}

/// Content on the GPU. The last one is kept, as the mask is.
final class ContentTexture {
    let atlas: ContentAtlas
    let target: Target

    init(_ atlas: ContentAtlas, _ target: Target) {
        self.atlas = atlas
        self.target = target
    }
}

extension Pipeline {
    /// Puts what the last draw needs beyond its taps into the block, mask and content into textures.
    func prepareFinish(_ finish: FinishSchedule, _ work: Work, in gl: borrowing CurrentContext) throws(GPUError) {
        let window = try prepareMask(finish, work, in: gl)
        let atlas = try prepareContent(finish, in: gl)
        let block = try FinishBlock(
            finish, storing: FinishStore(work), source: work.schedule.sourceWindow, mask: window, content: atlas)
        try fromGL { () throws(GLError) in
            if finishBlock == nil { finishBlock = try Buffer(.uniforms, size: FinishBlock.size, in: gl) }
            try unsafe finishBlock?.withMapped(count: FinishBlock.size, in: gl) { memory in
                // SAFETY: both have the block's size.
                unsafe block.words.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            }
        }
    }

    private func prepareMask(
        _ finish: FinishSchedule, _ work: Work, in gl: borrowing CurrentContext
    ) throws(GPUError) -> MaskWindow? {
        guard finish.mask == .image else { return nil }
        guard let image = work.mask else { throw .invalidPlan("a mask that is an image, and no image") }
        let window = MaskWindow(image, region: finish.region, extent: finish.maskExtent)
        // Comparing the same array with itself takes no time.
        if let mask, mask.window == window, mask.image == image { return window }
        let (width, height) = (window.window.width, window.window.height)
        if let old = mask { pool.giveBack(old.target) }
        mask = nil
        let target = try upload(window.bytes(image), "the mask", width, height, in: gl)
        mask = MaskTexture(image, window, target)
        return window
    }

    private func prepareContent(
        _ finish: FinishSchedule, in gl: borrowing CurrentContext
    ) throws(GPUError) -> ContentAtlas? {
        guard !finish.content.isEmpty else { return nil }
        if let content, content.atlas.isOf(finish) { return content.atlas }
        if let old = content { pool.giveBack(old.target) }
        content = nil
        let atlas = ContentAtlas(finish)
        let target = try upload(atlas.bytes(), "the content", 2 * atlas.width, atlas.height, in: gl)
        content = ContentTexture(atlas, target)
        return atlas
    }

    /// A texture of bytes, four a texel.
    private func upload(
        _ bytes: [UInt8], _ what: String, _ width: Int, _ height: Int, in gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        guard max(width, height) <= limits.textureSize else {
            throw .imageTooLarge(what: what, side: max(width, height), limit: limits.textureSize)
        }
        let target = try take(TargetKey(format: .rgba8, width: width, height: height), in: gl)
        var failure: GLError?
        unsafe bytes.withUnsafeBytes { memory in
            do throws(GLError) {
                try unsafe target.texture.upload(rows: 0..<height, from: memory, in: gl)
            } catch let error {
                failure = error
            }
        }
        if let failure {
            pool.giveBack(target)
            throw .gl(failure)
        }
        return target
    }

    /// Binds what ``prepareFinish(_:_:in:)`` prepared.
    ///
    /// - Parameter source: the source's texture.
    func bindFinish(_ finish: FinishSchedule, source: DrawInput?, in gl: borrowing CurrentContext) throws(GLError) {
        try finishBlock?.bindUniforms(0..<FinishBlock.size, binding: FilterProgram.finishBinding, in: gl)
        if !finish.content.isEmpty { try content?.target.texture.bind(unit: FilterProgram.contentUnit, in: gl) }
        // A sampler has to have some texture.
        let mask = finish.mask == .image ? mask.map { DrawInput.target($0.target) } : nil
        if let source, finish.original != nil { try source.bind(unit: FilterProgram.originalUnit, in: gl) }
        if finish.mask != nil || finish.original != nil {
            try (mask ?? source)?.bind(unit: FilterProgram.maskUnit, in: gl)
        }
    }
}
