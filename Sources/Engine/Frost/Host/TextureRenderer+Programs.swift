public import FrostCore
public import FrostGPU

extension TextureRenderer {
    /// What programs are prepared for.
    public struct Use: OptionSet, Sendable, Hashable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// For ``TextureRenderer/render(_:_:mask:region:into:accuracy:cancellation:)``.
        public static let rendering = Use(rawValue: 1)
        /// For panels of a ``TextureBackdrop``, without rounded corners and with corners of every curve.
        public static let backdrops = Use(rawValue: 2)
        /// For panels of a ``TextureBackdrop`` with ``Backdrop/Layering/stacked``.
        public static let stacks = Use(rawValue: 4)
        /// For panels with a texture, whose format is that of the source, in the backdrops and stacks that are prepared.
        public static let textures = Use(rawValue: 8)
    }

    /// Loads or compiles the GPU programs that effects need, without drawing. A program that shows a frame in time
    /// calls this method while it starts, because compiling takes up to some hundred milliseconds.
    ///
    /// The programs depend on the blur and its sigma, on the kinds of output stages, and on the kinds and formats of
    /// source and target. They do not depend on numbers such as those of a colour. So prepare the sigmas that will be
    /// used. Afterwards, ``statistics`` counts no further program for such effects, unless an effect reads the image
    /// differently at another size. Drivers may still translate a part of a program when it draws for the first time.
    ///
    /// - Parameters:
    ///   - effects: the effects. Those whose content has no colour yet are prepared for backdrops only.
    ///   - source: a description of the sources. The texture's name is ignored.
    ///   - target: a description of the targets. The name of the texture or framebuffer is ignored. The target must have room
    ///     for the results, as for a render.
    ///   - uses: what the effects will be used for.
    ///   - accuracy: as for a render.
    /// - Throws: ``FrostError``. Programs that were compiled before the error are kept.
    public func prepare(
        _ effects: [Effect], source: HostImage, target: HostTarget, for uses: Use = [.rendering, .backdrops],
        accuracy: Accuracy? = nil
    ) throws(FrostError) {
        let accuracy = accuracy ?? .suited(from: source, to: target)
        // The programs do not depend on the mask's size and values.
        let anyMask = MaskImage(PixelBuffer(layout: try layout(of: PixelFormat(.grey))))
        func mask(of effect: Effect) -> MaskImage? { effect.mask == .image ? anyMask : nil }
        if uses.contains(.rendering) {
            for effect in effects where effect.outputStages.automaticContrast == nil {
                let plan = try plan(source, effect, mask: mask(of: effect), region: nil, into: target, accuracy)
                try device { () throws(GPUError) in
                    try executor.prepare(plan, source: source, mask: mask(of: effect), target: target)
                }
            }
        }
        let window = uses.contains(.textures) ? HostWindow(source, on: executor) : nil
        try device { () throws(GPUError) in try window?.prepare() }
        var ends: [(source: HostImage, target: HostTarget)] = uses.contains(.backdrops) ? [(source, target)] : []
        let isAutomatic = effects.contains { $0.outputStages.automaticContrast != nil }
        var effects = try rethrow(
            effects.map { (effect) throws(ParameterError) in try effect.decisions() }, as: FrostError.parameter
        ).flatMap { $0 }
        if uses.contains(.stacks) {
            let stage = HostStage.descriptions(like: source, for: target)
            ends = [(source, target), (source, stage.target), (stage.source, stage.target), (stage.source, target)]
            effects.append(try rethrow(BackdropStack<HostLevel>.copying(), as: FrostError.parameter))
        }
        for end in ends where isAutomatic {
            try device { () throws(GPUError) in try executor.prepareSampling(of: end.source) }
        }
        for (from, to) in ends {
            for effect in effects {
                try prepare(effect, mask: mask(of: effect), nil, from: from, to: to, accuracy)
                guard let window, effect.outputStages.content.isEmpty else { continue }
                try prepare(effect, mask: mask(of: effect), window.image, from: from, to: to, accuracy)
            }
        }
    }

    /// Prepares the programs of a panel without rounded corners and with corners of every curve.
    ///
    /// - Parameter window: the content that stands for the panel's texture; nil if it has none.
    private func prepare(
        _ effect: Effect, mask: MaskImage?, _ window: ContentImage?, from source: HostImage, to target: HostTarget,
        _ accuracy: Accuracy
    ) throws(FrostError) {
        let radius = Double(min(source.width, source.height)) / 4
        // Continuous corners and superellipses have the same programs.
        for (radius, corners) in [(0, CornerCurve.circular), (radius, .circular), (radius, .continuous())] {
            var shown = Panel(source.extent, effect: effect, cornerRadius: radius, corners: corners, mask: mask)
            if let window { shown = try rethrow(shown.withContent(window), as: FrostError.parameter) }
            let panel = try rethrow(shown.placedEffect(), as: FrostError.parameter)
            let plan = try plan(source, panel, mask: mask, region: source.extent, into: target, accuracy)
            try device { () throws(GPUError) in
                if let level = HostLevel(plan, from: source, to: target, on: executor) {
                    try level.prepare(plan, source: source, mask: mask, target: target)
                } else {
                    try executor.prepare(plan, source: source, mask: mask, target: target)
                }
            }
        }
    }

    private func layout(of format: PixelFormat) throws(FrostError) -> PixelLayout {
        return try rethrow(PixelLayout(width: 1, height: 1, format: format), as: FrostError.pixels)
    }

    /// Returns the GPU programs that were used or prepared so far, as bytes that the embedding program can store.
    /// ``addPrograms(_:)`` of a later renderer takes them in place of compiling. The bytes contain no program if the
    /// driver does not support program binaries.
    ///
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` if the context is not current or lost.
    public func programData() throws(FrostError) -> [UInt8] {
        try device { () throws(GPUError) in try executor.programData() }
    }

    /// Adds programs that ``programData()`` of an earlier renderer returned. Programs are looked up here first, then in
    /// the cache on disk.
    ///
    /// Bytes that are damaged, or that come from another driver, device or version of Frost, are ignored, logged as a
    /// warning and counted in the statistics; these programs are compiled when they are needed. A checksum finds damage
    /// by accident. Drivers may crash on bytes that were forged, so do not accept the bytes from strangers.
    ///
    /// - Returns: the number of programs that can be used.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` if the context is not current or lost.
    @discardableResult
    public func addPrograms(_ bytes: [UInt8]) throws(FrostError) -> Int {
        try device { () throws(GPUError) in try executor.addPrograms(bytes) }
    }
}
