/// A pixel format that the driver can import from dma-bufs.
public struct DMABufferFormat: Sendable, Hashable {
    /// A memory layout of a format that the driver can import.
    public struct Arrangement: Sendable, Hashable {
        /// The modifier that identifies the layout.
        public let modifier: DRMModifier
        /// Whether a buffer with this layout can only be sampled as an external texture.
        public let isExternalOnly: Bool
    }

    /// The pixel format.
    public let fourcc: FourCC
    /// The layouts that the driver lists. The list is empty if the driver does not support modifiers. Such a driver imports
    /// only linear and implicit buffers.
    public let arrangements: [Arrangement]
}

/// A format and memory layout that a driver imports, according to the driver's lists and Frost's list of known failures.
public struct DMABufferKind: Sendable, Hashable {
    /// The pixel format.
    public let fourcc: FourCC
    /// The modifier, which describes the memory layout.
    public let modifier: DRMModifier
    /// How a buffer of this kind can be used: as a 2D texture and render target if possible, and otherwise as an external
    /// texture, which can only be sampled.
    public let use: DMABufferSupport.Use
}

/// The driver's support of dma-bufs, queried once for each context.
public struct DMABufferSupport: Sendable, Hashable {
    /// The intended use of a buffer.
    public enum Use: Sendable, Hashable {
        /// A 2D texture. Any shader can read it, and it can be a render target.
        case texture2D
        /// An external texture. Shaders read it with `samplerExternalOES`, and the driver converts it to RGB colours.
        case external
    }

    /// The formats that the driver can import and that Frost knows; nil if the driver cannot list formats.
    public let formats: [DMABufferFormat]?
    /// The missing EGL or GL extension for imports; nil if none is missing.
    let missingForImport: String?
    /// The missing EGL or GL extension for external textures; nil if none is missing.
    let missingForExternal: String?
    /// The missing EGL or GL extension for exports; nil if none is missing.
    let missingForExport: String?
    /// Whether imports can pass modifiers to the driver.
    let takesModifiers: Bool
    /// Whether the driver renders on the CPU.
    let isSoftware: Bool

    /// Whether the driver can import dma-bufs.
    public var canImport: Bool { missingForImport == nil }
    /// Whether textures can be exported as dma-bufs. An export may still fail. Buffers of ``DMABufferAllocator`` are more
    /// reliable.
    public var canExport: Bool { missingForExport == nil }

    /// Returns the entry of a format; nil if the driver does not list the format, or cannot list formats.
    public func format(_ fourcc: FourCC) -> DMABufferFormat? { formats?.first { $0.fourcc == fourcc } }

    /// All combinations of format and modifier that ``check(_:for:)`` accepts, in the driver's order. Formats for which the
    /// driver lists no modifiers are listed with ``DRMModifier/linear``. ``DRMModifier/implicit`` is not listed, but it is
    /// possible with every format. The list is empty if the driver cannot import dma-bufs or cannot list formats.
    public var kinds: [DMABufferKind] {
        (formats ?? []).flatMap { format in
            let modifiers = format.arrangements.isEmpty ? [.linear] : format.arrangements.map(\.modifier)
            return modifiers.compactMap { modifier in
                let buffer = DMABuffer(width: 1, height: 1, fourcc: format.fourcc, modifier: modifier, planes: [])
                return (try? use(of: buffer)).map {
                    DMABufferKind(fourcc: format.fourcc, modifier: modifier, use: $0)
                }
            }
        }
    }

    /// Checks whether the driver supports a use of a buffer, according to the driver's lists of formats and modifiers. This
    /// function does not call the driver, and does not read the buffer's memory.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` if the driver does not support the use.
    public func check(_ buffer: DMABuffer, for use: Use) throws(GLError) {
        let isYUV = try buffer.checkedFormat().isYUV
        if let missing = missingForImport ?? (use == .external ? missingForExternal : nil) {
            throw buffer.fault(.missingExtension(missing))
        }
        if isYUV {
            if use == .texture2D { throw buffer.fault(.externalOnly) }
            // llvmpipe accepts all YUV formats, but then returns the same colour for any content, or converts with a fixed
            // matrix: see docs/internals/GPU.md.
            if isSoftware {
                throw buffer.fault(
                    .unreliable("software renderers convert YUV formats to wrong colours; import the planes one by one")
                )
            }
        }
        guard takesModifiers || buffer.modifier == .implicit || buffer.modifier == .linear else {
            throw buffer.fault(.missingExtension("EGL_EXT_image_dma_buf_import_modifiers"))
        }
        guard formats != nil else { return }
        guard let format = format(buffer.fourcc) else { throw buffer.fault(.unsupportedFormat) }
        let arrangements = format.arrangements
        if buffer.modifier == .implicit || arrangements.isEmpty {
            guard buffer.modifier == .implicit || buffer.modifier == .linear else {
                throw buffer.fault(.unsupportedModifier(supported: []))
            }
            // The layout is unknown. So the buffer is refused only if none of the listed layouts allows the requested use.
            if use == .texture2D, !arrangements.isEmpty, arrangements.allSatisfy(\.isExternalOnly) {
                throw buffer.fault(.externalOnly)
            }
            return
        }
        guard let arrangement = arrangements.first(where: { $0.modifier == buffer.modifier }) else {
            throw buffer.fault(.unsupportedModifier(supported: arrangements.map(\.modifier)))
        }
        if use == .texture2D, arrangement.isExternalOnly { throw buffer.fault(.externalOnly) }
    }

    /// Returns the reason why a buffer cannot be a render target; nil if Frost knows no reason.
    func obstacle(toDrawingInto buffer: DMABuffer, as use: Use) -> GLError? {
        if use == .external { return buffer.fault(.externalOnly) }
        // llvmpipe stores four pixels at once, with instructions that crash at addresses that are not aligned to 16 bytes.
        let alignment = 16
        if isSoftware,
            !buffer.planes.allSatisfy({ $0.offset.isMultiple(of: alignment) && $0.stride.isMultiple(of: alignment) })
        {
            return buffer.fault(
                .unreliable("software renderers need offsets and strides that are multiples of \(alignment)"))
        }
        return nil
    }

    /// Returns the use that a buffer allows: a 2D texture if possible, and otherwise an external texture.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` if the buffer allows neither.
    public func use(of buffer: DMABuffer) throws(GLError) -> Use {
        do throws(GLError) {
            try check(buffer, for: .texture2D)
            return .texture2D
        } catch {
            guard case .dmaBuffer(let fault) = error, fault.reason == .externalOnly else { throw error }
            try check(buffer, for: .external)
            return .external
        }
    }
}
