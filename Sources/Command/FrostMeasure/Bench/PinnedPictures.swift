import Frost
import Glibc

/// A picture, and room for results, in memory from and to which a renderer's GPU transfers pixels by itself.
final class PinnedPictures {
    private let renderer: Renderer
    private let memory: PixelMemory
    private let queue: RenderQueue
    private let layout: PixelLayout
    /// The number of results that the memory has room for.
    private static let targets = 3
    /// The number of pictures that ``stream(_:)`` renders.
    static let streamed = 12

    /// Returns nil if the renderer does not transfer pictures of this format in this way.
    init?(_ source: PixelBuffer, _ effect: Effect, _ renderer: Renderer) throws(FrostError) {
        layout = source.layout
        let size = layout.byteCount
        guard source.format.channels == .rgba, source.format.sample == .u8, renderer.deviceName != nil,
            effect.outputFormat(for: source.format) == source.format
        else { return nil }
        memory = try renderer.makeMemory(byteCount: size * (1 + Self.targets))
        guard memory.isPinned else { return nil }
        self.renderer = renderer
        queue = try RenderQueue(renderer, depth: Self.streamed)
        // SAFETY: the memory has room for the picture.
        unsafe source.withUnsafeBytes { from in
            unsafe memory.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: from[..<size]))
        }
    }

    private var source: PixelSource {
        // SAFETY: the memory begins with the picture.
        unsafe PixelSource(UnsafeRawPointer(memory.bytes.baseAddress.unsafelyUnwrapped), layout: layout)
    }

    private func target(_ index: Int) -> PixelTarget {
        let place = layout.byteCount * (1 + index % Self.targets)
        // SAFETY: the memory has room for the results after the picture.
        return unsafe PixelTarget(memory.bytes.baseAddress.unsafelyUnwrapped + place, layout: layout)
    }

    /// Renders one picture.
    func render(_ effect: Effect) throws(FrostError) {
        _ = try unsafe renderer.render(source, effect, region: layout.extent, into: target(0))
    }

    /// Renders a stream of pictures. Several are in progress at the same time.
    func stream(_ effect: Effect) throws(FrostError) {
        var tickets: [RenderTicket<RenderReport>] = []
        for index in 0..<Self.streamed {
            // A target is used again only when its last result is complete.
            if index >= Self.targets { _ = try tickets[index - Self.targets].wait() }
            tickets.append(try unsafe queue.submit(source, effect, region: layout.extent, into: target(index)))
        }
        for ticket in tickets { _ = try ticket.wait() }
    }
}
