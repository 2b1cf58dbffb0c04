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

extension Pipeline {
    /// Puts what the last draw needs beyond its taps into the block, and the mask into a texture.
    func prepareFinish(_ finish: FinishSchedule, _ work: Work, in gl: borrowing CurrentContext) throws(GPUError) {
        let window = try prepareMask(finish, work, in: gl)
        let block = try FinishBlock(
            finish, storing: FinishStore(work), source: work.schedule.sourceWindow, mask: window)
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
        let window = MaskWindow(image, region: finish.region, extent: finish.extent)
        // Comparing the same array with itself takes no time.
        if let mask, mask.window == window, mask.image == image { return window }
        let (width, height) = (window.window.width, window.window.height)
        guard max(width, height) <= limits.textureSize else {
            throw .imageTooLarge(what: "the mask", side: max(width, height), limit: limits.textureSize)
        }
        if let old = mask { pool.giveBack(old.target) }
        mask = nil
        let target = try take(TargetKey(format: .rgba8, width: width, height: height), in: gl)
        var failure: GLError?
        unsafe window.bytes(image).withUnsafeBytes { memory in
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
        mask = MaskTexture(image, window, target)
        return window
    }

    /// Binds what ``prepareFinish(_:_:in:)`` prepared.
    ///
    /// - Parameter source: the source's texture.
    func bindFinish(_ finish: FinishSchedule, source: Target?, in gl: borrowing CurrentContext) throws(GLError) {
        try finishBlock?.bindUniforms(0..<FinishBlock.size, binding: FilterProgram.finishBinding, in: gl)
        // A sampler has to have some texture.
        let mask = finish.mask == .image ? mask?.target : nil
        if let source, finish.original != nil { try source.texture.bind(unit: FilterProgram.originalUnit, in: gl) }
        if finish.mask != nil || finish.original != nil {
            try (mask ?? source)?.texture.bind(unit: FilterProgram.maskUnit, in: gl)
        }
    }
}
