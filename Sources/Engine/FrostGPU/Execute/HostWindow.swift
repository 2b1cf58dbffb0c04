package import FrostCore
import FrostDrawing
import FrostGLES
import Synchronization

/// A texture of the host that content layers draw: a window, for example. The executor keeps a copy in the form in which
/// shaders read content. So colours, alpha mode, rows and transform of the host's texture are converted once for each change,
/// and the host may write the texture again after a frame.
///
/// Not thread-safe: use it only while the host's context is current.
package final class HostWindow {
    /// The number that content layers have for the texture.
    package let number: UInt64
    /// The image of the content layers that stand for the texture.
    package var image: ContentImage {
        ContentImage(texture: number, width: description.width, height: description.height)
    }
    /// A description of the textures, without a name.
    private let description: HostImage
    private let executor: HostExecutor
    private var target: Target?
    /// The executor's generation in which the copy was created.
    private var generation = 0
    /// The pixels in which the copy does not match the host's texture.
    private var stale: Region

    private static let count = Atomic<UInt64>(0)

    /// Creates a window without copying any pixels.
    package init(_ image: HostImage, on executor: HostExecutor) {
        description = image.withoutName
        self.executor = executor
        number = Self.count.add(1, ordering: .relaxed).newValue
        stale = Region(image.extent)
    }

    /// Whether the window can show a texture: it has the same size, format and layout as those before.
    package func serves(_ image: HostImage) -> Bool { description == image.withoutName }

    /// Whether the copied pixels still exist. They are given up if the GL refuses a call.
    package var isValid: Bool { target == nil || generation == executor.generation }

    /// The maximum number of rectangles of changes. If there are more, some are joined.
    private static let rectLimit = 32

    /// Reports that the host's texture has changed in a rectangle, whose coordinates and size may have any value.
    package func invalidate(_ rect: Rect) {
        guard let rect = rect.clipped(to: description.extent) else { return }
        stale.formUnion(Region(rect))
        if stale.rects.count > Self.rectLimit { stale = Region(stale.cover(limit: Self.rectLimit)) }
    }

    /// Copies the pixels that have changed.
    ///
    /// - Returns: these pixels.
    package func update(from source: HostImage) throws(GPUError) -> Region {
        guard !stale.isEmpty else { return stale }
        try source.check()
        try executor.perform { (pipeline, gl) throws(GPUError) in
            try pipeline.chooseShaders(in: gl)
            try source.check(in: gl)
            let target = try self.target(pipeline, gl)
            for window in stale.cover(waste: 4096) {
                try pipeline.convert(
                    copy(window), from: .host(source), to: .part(target, x: 0, y: 0), executor.options.patience(nil),
                    in: gl)
            }
        }
        defer { stale = Region() }
        return stale
    }

    /// Loads or compiles the program that copies pixels.
    package func prepare() throws(GPUError) {
        try executor.perform { (pipeline, gl) throws(GPUError) in
            try pipeline.chooseShaders(measuresNow: true, in: gl)
            let entry = pipeline.entry(Self.format, .copy)
            _ = try rethrow(
                pipeline.programs.program(.conversion(copy(description.extent).key), entry, in: gl), as: GPUError.gl)
        }
    }

    /// The texture that content layers read.
    ///
    /// - Throws: ``GPUError/invalidPlan(_:)`` if no pixels were copied.
    var content: Target {
        get throws(GPUError) {
            guard let target, isValid else { throw .invalidPlan("the window has no texels") }
            return target
        }
    }

    /// Gives the copy back to the pool.
    package func drop() {
        if let target { executor.giveBack(target) }
        target = nil
        stale = Region(description.extent)
    }

    /// The format of the copy. Each pixel takes two texels: see ``FrostDrawing/ContentAtlas/bytes()``.
    private static let format = TextureFormat.rgba8

    private func copy(_ window: Rect) -> ConversionDraw {
        ConversionDraw(
            content: description.colors, texture: description.kind, map: description.map, width: description.width,
            window: window)
    }

    private func target(_ pipeline: Pipeline, _ gl: borrowing CurrentContext) throws(GPUError) -> Target {
        if let target, isValid { return target }
        let (width, height) = (2 * description.width, description.height)
        guard max(width, height) <= pipeline.limits.textureSize else {
            throw .imageTooLarge(
                what: "the window", side: max(width, height), limit: pipeline.limits.textureSize)
        }
        let target = try pipeline.take(
            TargetKey(format: Self.format, width: width, height: height, isKept: true), in: gl)
        self.target = target
        generation = pipeline.generation
        return target
    }
}

extension HostImage {
    /// The description without the texture's name.
    fileprivate var withoutName: HostImage {
        var image = self
        image.texture.name = 0
        return image
    }
}
