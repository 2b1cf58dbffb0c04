/// A format that the driver lists for import.
public struct DMABufferFormat: Sendable, Hashable {
    /// An arrangement that can be imported by its modifier.
    public struct Arrangement: Sendable, Hashable {
        /// Its number.
        public let modifier: DRMModifier
        /// Whether it can be sampled as an external texture only.
        public let isExternalOnly: Bool
    }

    /// The format's name.
    public let fourcc: FourCC
    /// Empty if the driver knows no modifiers: it then imports linear and implicit buffers only.
    public let arrangements: [Arrangement]
}

/// The dma-bufs that a driver accepts, by its lists and by what Frost knows to fail.
public struct DMABufferKind: Sendable, Hashable {
    /// The format's name.
    public let fourcc: FourCC
    /// The arrangement.
    public let modifier: DRMModifier
    /// A 2D texture and render target if possible, else a texture that is only sampled.
    public let use: DMABufferSupport.Use
}

/// What a driver does with dma-bufs, asked once for each context.
public struct DMABufferSupport: Sendable, Hashable {
    /// What a buffer is to be used for.
    public enum Use: Sendable, Hashable {
        /// A texture that any shader reads, and that can be a render target.
        case texture2D
        /// A texture that shaders read by `samplerExternalOES`, and which the driver converts to colours.
        case external
    }

    /// The formats that can be imported and that Frost knows; nil if the driver cannot list them.
    public let formats: [DMABufferFormat]?
    /// The extensions of EGL and GL that are missing for imports, for external textures, and for exports; nil if none.
    let missingForImport: String?
    let missingForExternal: String?
    let missingForExport: String?
    /// Whether modifiers can be passed.
    let takesModifiers: Bool
    /// Whether the driver computes on the CPU.
    let isSoftware: Bool

    /// Whether buffers can be imported at all.
    public var canImport: Bool { missingForImport == nil }
    /// Whether textures can be exported. Buffers of ``DMABufferAllocator`` are more reliable: an export may still fail.
    public var canExport: Bool { missingForExport == nil }

    /// The format's entry; nil if the driver does not list it, or lists nothing.
    public func format(_ fourcc: FourCC) -> DMABufferFormat? { formats?.first { $0.fourcc == fourcc } }

    /// Every combination of format and modifier that ``check(_:for:)`` accepts, in the driver's order; for formats
    /// without modifiers, ``DRMModifier/linear``. ``DRMModifier/implicit`` is possible with every format, too. Empty if
    /// nothing can be imported, or if the driver cannot list it.
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

    /// Refuses what the driver cannot do with a buffer, without asking it. The buffer's memory is not read.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)``.
    public func check(_ buffer: DMABuffer, for use: Use) throws(GLError) {
        let isYUV = try buffer.checkedFormat().isYUV
        if let missing = missingForImport ?? (use == .external ? missingForExternal : nil) {
            throw buffer.fault(.missingExtension(missing))
        }
        if isYUV {
            if use == .texture2D { throw buffer.fault(.externalOnly) }
            // llvmpipe accepts all of them, and then returns the same colour whatever the memory holds, or converts by
            // a fixed matrix: docs/DMABuf.md.
            if isSoftware {
                throw buffer.fault(
                    .unreliable("software renderers get the colours of YUV formats wrong; import its planes"))
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
            // The arrangement is unknown: at least one of those listed has to be possible.
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

    /// Why a buffer cannot be a render target; nil if Frost knows no reason.
    func obstacle(toDrawingInto buffer: DMABuffer, as use: Use) -> GLError? {
        if use == .external { return buffer.fault(.externalOnly) }
        // llvmpipe stores four pixels at once, by instructions that crash at other addresses.
        let alignment = 16
        if isSoftware,
            !buffer.planes.allSatisfy({ $0.offset.isMultiple(of: alignment) && $0.stride.isMultiple(of: alignment) })
        {
            return buffer.fault(
                .unreliable("software renderers draw only at offsets and strides that are multiples of \(alignment)"))
        }
        return nil
    }

    /// The use that a buffer allows: a 2D texture if possible, else an external one.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` if it allows neither.
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
