package import FrostCore

extension Transition {
    /// Returns an upper bound of the memory, in bytes, that the CPU takes for one frame besides the images and the result: the
    /// converted copies of the images that it reads between pixels, and the layers of ``Disintegrate``.
    package func memory(
        from source: PixelLayout, to target: PixelLayout, shading: PixelLayout? = nil, backside: PixelLayout? = nil
    ) throws(ParameterError) -> Int {
        // Which images a kind reads between pixels is the same at all times but the ends.
        let plan = try plan(at: 0.5, from: source.extent, to: target.extent)
        guard case .drawing(let kind, let frame) = plan.work else { return 0 }
        let parts = kind.kernel(frame, layers: nil).parts
        let sampled: [(TransitionBlock.Parts, PixelLayout?)] = [
            (.movedPage, source), (.movedTarget, target), (.back, backside), (.shading, shading),
        ]
        let copies = sampled.reduce(0) { sum, image in
            guard parts.contains(image.0), let layout = image.1 else { return sum }
            return sum + layout.width * layout.height * TransitionSamples.copiedBytes(layout.format, decoding: decoding)
        }
        let layers = extraImages.contains(.mask) ? plan.canvas.width * plan.canvas.height : 0
        return copies + layers * TransitionLayers.workingBytesPerPixel
    }
}
