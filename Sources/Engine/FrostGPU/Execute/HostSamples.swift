package import FrostCore
import FrostDrawing
import FrostGLES

/// Samples of an image of the host, which the GPU draws and copies to a buffer. The CPU reads them later, usually in the next
/// frame, so that it does not wait for the GPU.
///
/// Not thread-safe: use it only while the host's context is current.
package final class HostSamples {
    private let grid: SampleGrid
    private let executor: HostExecutor
    private let buffer: PooledBuffer
    private let fence: Fence
    /// The executor's generation in which the buffer was created.
    private let generation: Int
    private var result: [SIMD4<Float>]?

    fileprivate init(
        _ grid: SampleGrid, _ buffer: PooledBuffer, _ fence: consuming Fence, of executor: HostExecutor
    ) {
        self.grid = grid
        self.buffer = buffer
        self.fence = fence
        self.executor = executor
        generation = executor.generation
    }

    /// Returns the samples: premultiplied RGBA, converted to sRGB and cut to 0...1, with 16 bits. Waits if the GPU has not
    /// finished yet.
    ///
    /// - Returns: nil if the GL refused a call since, so that the samples are lost.
    package func colors() throws(GPUError) -> [SIMD4<Float>]? {
        if let result { return result }
        guard generation == executor.generation else { return nil }
        let (width, height) = grid.size
        var bytes: [UInt8] = []
        try executor.perform { (pipeline, gl) throws(GPUError) in
            try executor.options.patience(nil).wait(for: fence, in: gl)
            try fromGL { () throws(GLError) in
                try unsafe buffer.buffer.withMapped(count: 8 * width * height, in: gl) { unsafe bytes = [UInt8]($0) }
            }
            pipeline.buffers.giveBack(buffer)
        }
        let colors = grid.colors(bytes)
        result = colors
        return colors
    }
}

extension HostExecutor {
    /// Draws samples of an image, and begins to copy them.
    ///
    /// - Parameter grid: a grid within the image, with at least one sample.
    package func sample(_ source: HostImage, at grid: SampleGrid) throws(GPUError) -> HostSamples {
        try source.check()
        let (width, height) = grid.size
        return try perform { (pipeline, gl) throws(GPUError) in
            try pipeline.chooseShaders(in: gl)
            try source.check(in: gl)
            // As for the texture of a content layer, each sample takes two texels.
            let target = try pipeline.take(TargetKey(format: .rgba8, width: 2 * width, height: height), in: gl)
            defer { pipeline.pool.giveBack(target) }
            var row = 0
            for part in grid.parts {
                let draw = ConversionDraw(
                    sampling: source.colors, texture: source.kind, map: source.map, part, step: grid.step,
                    width: width, row: row)
                try pipeline.convert(
                    draw, from: .host(source), to: .part(target, x: 0, y: 0), options.patience(nil), in: gl)
                row += part.rows
            }
            do throws(GLError) {
                let buffer = try pipeline.buffers.take(.readback, size: 8 * width * height, in: gl)
                try target.framebuffer.read(columns: 2 * width, rows: 0..<height, into: buffer.buffer, in: gl)
                return HostSamples(grid, buffer, try Fence(in: gl), of: self)
            } catch {
                throw .gl(error)
            }
        }
    }

    /// Loads or compiles the program that ``sample(_:at:)`` draws with, without drawing.
    ///
    /// - Parameter source: a description of the images, whose names are ignored.
    package func prepareSampling(of source: HostImage) throws(GPUError) {
        try HostWindow(source, on: self).prepare()
    }
}

extension SampleGrid {
    /// The size of the image in which the samples of a part lie below those of the part before.
    fileprivate var size: (width: Int, height: Int) {
        (parts.map(\.columns).max() ?? 0, parts.reduce(0) { $0 + $1.rows })
    }

    /// Returns the colours of the texels of the image. Its left half has the upper bytes of the numbers, and the right half the
    /// lower ones.
    fileprivate func colors(_ bytes: [UInt8]) -> [SIMD4<Float>] {
        let width = size.width
        var colors: [SIMD4<Float>] = []
        colors.reserveCapacity(count)
        var row = 0
        for part in parts {
            for y in row..<row + part.rows {
                for x in 0..<part.columns {
                    let upper = 4 * (y * 2 * width + x)
                    let lower = upper + 4 * width
                    var color = SIMD4<Float>()
                    for c in 0..<4 { color[c] = Float(256 * Int(bytes[upper + c]) + Int(bytes[lower + c])) / 65535 }
                    colors.append(color)
                }
            }
            row += part.rows
        }
        return colors
    }
}
