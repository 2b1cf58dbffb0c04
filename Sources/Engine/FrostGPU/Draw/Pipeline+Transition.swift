import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Uploads the images, draws one frame of a transition and reads it back.
    func execute(
        _ draw: TransitionDraw, images: TransitionImages, layers: TransitionLayers?, target: PixelTarget,
        _ patience: Patience, in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        try chooseShaders(in: gl)
        let format = try format(of: draw)
        var report = GPUReport()
        var textures: [TransitionTexture: Target] = [:]
        // The targets return to the pool even after an error, as in `draw`.
        defer { for texture in textures.values { pool.giveBack(texture) } }
        try report.time(\.uploadSeconds) { (report) throws(GPUError) in
            for (texture, input) in draw.inputs {
                guard let image = unsafe texture.image(of: images) else { continue }
                let target = try take(input.window.size(format), in: gl)
                textures[texture] = target
                report.bytesUploaded += try unsafe upload(into: target, patience, gl) { rows, memory in
                    unsafe draw.uploads.load(image, window: input.window, rows: rows, into: memory)
                }
            }
            if let layers, let region = draw.layersRegion {
                let target = try take(region.size(Self.layersFormat), in: gl)
                textures[.layersImage] = target
                report.bytesUploaded += try unsafe upload(into: target, patience, gl) { rows, memory in
                    unsafe layers.load(region, rows: rows, into: memory)
                }
            }
        }
        try patience.check()
        report.passes = 1
        let output = try take(draw.plan.region.size(format), in: gl)
        let stopwatch: Stopwatch?
        do throws(GPUError) {
            stopwatch = try report.time(\.drawSeconds) { (report) throws(GPUError) in
                try timed(in: gl) { () throws(GPUError) in
                    report.shaders = [try self.draw(draw, textures, to: output, patience, in: gl)]
                }
            }
        } catch {
            pool.giveBack(output)
            throw error
        }
        return try finish(Drawn(output: output, report: report, stopwatch: stopwatch), in: gl) { () throws(GPUError) in
            try unsafe self.read(output, patience, gl) { rows, pixels in
                unsafe draw.readback.store(pixels, rows: rows, to: target)
            }
        }
    }

    /// The texture format of the layers.
    private static let layersFormat = TextureFormat.rgba32F

    /// Chooses the texture format of the images and the result.
    private func format(of draw: TransitionDraw) throws(GPUError) -> TextureFormat {
        let choice = FormatChoice(
            available: formats, isEightBit: draw.output.sample.isEightBit, isOpaque: !draw.output.channels.hasAlpha)
        try choice.check()
        if draw.layersRegion != nil, !formats.contains(Self.layersFormat) {
            throw .unsupportedFormat("the device cannot render to 32-bit float textures, which the layers need")
        }
        return choice.image
    }

    private func draw(
        _ draw: TransitionDraw, _ textures: [TransitionTexture: Target], to output: Target, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> ShaderPath {
        let uniforms = try fromDrawing { () throws(DrawingError) in try TransitionUniforms(draw) }
        let entry = entry(output.texture.format, .copy)
        try fromGL { () throws(GLError) in
            let size = TransitionUniforms.size
            try self.uniforms.write(uniforms.words, to: .transition, size: size, in: gl)
            try self.uniforms.bind(.transition, 0..<size, in: gl)
            for (texture, target) in textures { try target.texture.bind(unit: texture.rawValue, in: gl) }
            try begin(.own(output), entry, covers: true, in: gl)
        }
        let whole = DrawPart(columns: 0..<draw.plan.region.width, rows: 0..<draw.plan.region.height)
        unfinishedCost = 0
        try cover(
            [whole], at: nil, entry, patience, hasStages: false, isForHost: false, in: gl
        ) { (_, gl) throws(GLError) in
            let program = try programs.program(.transition(draw.key), entry, in: gl)
            try program.use(in: gl)
            return program
        }
        try fromGL { () throws(GLError) in
            try finishStores(in: gl)
            try gl.checkErrors(after: "drawing a transition")
            gl.flush()
        }
        return entry.path
    }
}

extension TransitionLayers {
    /// Fills `memory` with rows of RGBA floats: the rest in red, the shadow in green.
    ///
    /// - Parameters:
    ///   - window: a part of the region.
    ///   - rows: rows of the window, counted from its top.
    fileprivate func load(_ window: Rect, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer) {
        let (rest, shadow) = unsafe (rest.floats, shadow.floats)
        // SAFETY: the memory has 16 bytes for each pixel of the rows.
        unsafe memory.withMemoryRebound(to: SIMD4<Float>.self) { out in
            for row in rows {
                let from = (window.y - region.y + row) * region.width + window.x - region.x
                let to = (row - rows.lowerBound) * window.width
                for i in 0..<window.width { unsafe out[to + i] = SIMD4(rest[from + i], shadow[from + i], 0, 0) }
            }
        }
    }
}
