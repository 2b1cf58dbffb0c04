import FrostCore
import FrostGLES

extension Pipeline {
    /// Uploads the images, draws one frame of a transition and reads it back.
    func execute(
        _ work: TransitionWork, images: TransitionImages, layers: TransitionLayers?, target: PixelTarget,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let format = try work.format(of: formats)
        let clock = ContinuousClock()
        let start = clock.now
        var report = GPUReport()
        var textures: [TransitionTexture: Target] = [:]
        // The targets return to the pool even after an error, as in `draw`.
        defer { for texture in textures.values { pool.giveBack(texture) } }
        for (texture, input) in work.inputs {
            guard let image = unsafe texture.image(of: images) else { continue }
            let made = try take(input.window.size(format), in: gl)
            textures[texture] = made
            report.bytesUploaded += try unsafe upload(into: made, work.patience, gl) { rows, memory in
                unsafe work.uploads.load(image, window: input.window, rows: rows, into: memory)
            }
        }
        if let layers, let region = work.layersRegion {
            let made = try take(region.size(TransitionWork.layersFormat), in: gl)
            textures[.layersImage] = made
            report.bytesUploaded += try unsafe upload(into: made, work.patience, gl) { rows, memory in
                unsafe layers.load(rows: rows, into: memory)
            }
        }
        report.uploadSeconds = (clock.now - start).seconds

        let output = try take(work.plan.region.size(format), in: gl)
        defer { pool.giveBack(output) }
        try work.patience.check()
        var stopwatch = try timed(in: gl) { () throws(GPUError) in
            try draw(work, textures, to: output, in: gl)
        }
        defer { stopwatches.giveBack(&stopwatch) }
        report.passes = 1
        report.drawSeconds = (clock.now - start).seconds - report.uploadSeconds
        report.bytesRead = try unsafe read(output, work.patience, gl) { rows, pixels in
            unsafe work.readback.store(pixels, rows: rows, to: target)
        }
        try finish(&report, &stopwatch, in: gl)
        report.readSeconds = (clock.now - start).seconds - report.uploadSeconds - report.drawSeconds
        return report
    }

    private func draw(
        _ work: TransitionWork, _ textures: [TransitionTexture: Target], to output: Target,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let uniforms = try TransitionUniforms(work)
        try fromGL { () throws(GLError) in
            let size = TransitionUniforms.size
            if transitionBuffer == nil { transitionBuffer = try Buffer(.uniforms, size: size, in: gl) }
            try unsafe transitionBuffer?.withMapped(count: size, in: gl) { memory in
                // SAFETY: the words and the mapped memory both have the size of the uniform block.
                unsafe uniforms.words.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            }
            try transitionBuffer?.bindUniforms(0..<size, binding: TransitionUniforms.binding, in: gl)
            for (texture, target) in textures { try target.texture.bind(unit: texture.rawValue, in: gl) }
            try begin(.own(output), covers: true, in: gl)
            try transitionPrograms.use(work.key, from: &programs.binaries, in: gl)
        }
        let whole = DrawPart(
            columns: 0..<work.plan.region.width, rows: 0..<work.plan.region.height, hasEdges: false)
        let parts = bands(of: [whole], work.patience, hasStages: false, isForHost: false).parts
        for (index, part) in parts.enumerated() {
            if index > 0 { try work.patience.wait(for: fromGL { () throws(GLError) in try Fence(in: gl) }, in: gl) }
            try fromGL { () throws(GLError) in
                try gl.drawTriangle(columns: part.columns, rows: part.rows, vertexArray)
            }
        }
        try fromGL { () throws(GLError) in
            try gl.checkErrors(after: "drawing a transition")
            gl.flush()
        }
    }
}

extension TransitionLayers {
    /// Fills `memory` with rows of RGBA floats: the rest in red, the shadow in green.
    fileprivate func load(rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer) {
        // SAFETY: the memory has 16 bytes for each pixel of the rows, and both arrays have a value for each pixel.
        unsafe memory.withMemoryRebound(to: SIMD4<Float>.self) { out in
            let first = rows.lowerBound * region.width
            for i in 0..<rows.count * region.width {
                unsafe out[i] = SIMD4(rest[first + i], shadow[first + i], 0, 0)
            }
        }
    }
}
