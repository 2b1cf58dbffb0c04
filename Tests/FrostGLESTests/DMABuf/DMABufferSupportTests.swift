@testable import FrostGLES
import Testing

/// Tests which buffers can be used, given the formats and modifiers that a driver reports. The drivers are simulated, so the
/// tests need no device.
@Suite struct DMABufferSupportTests {
    static let tiled = DRMModifier(rawValue: 0x0100_0000_0000_0001)

    static func support(
        formats: [DMABufferFormat]? = [
            DMABufferFormat(
                fourcc: .xrgb8888,
                arrangements: [
                    .init(modifier: .linear, isExternalOnly: false), .init(modifier: tiled, isExternalOnly: true),
                ]),
            DMABufferFormat(fourcc: .nv12, arrangements: [.init(modifier: .linear, isExternalOnly: true)]),
            DMABufferFormat(fourcc: .r8, arrangements: []),
        ],
        missingForImport: String? = nil, missingForExternal: String? = nil, takesModifiers: Bool = true,
        isSoftware: Bool = false
    ) -> DMABufferSupport {
        DMABufferSupport(
            formats: formats, missingForImport: missingForImport, missingForExternal: missingForExternal,
            missingForExport: nil, takesModifiers: takesModifiers, isSoftware: isSoftware)
    }

    private func verdict(
        _ fourcc: FourCC, _ modifier: DRMModifier, _ use: DMABufferSupport.Use, by support: DMABufferSupport = support()
    ) -> DMABufferFault.Reason? {
        let buffer = DMABuffer(width: 8, height: 8, fourcc: fourcc, modifier: modifier, planes: [])
        do throws(GLError) {
            try support.check(buffer, for: use)
            return nil
        } catch {
            guard case .dmaBuffer(let fault) = error else { return .unmappable("\(error)") }
            #expect(fault.fourcc == fourcc && fault.modifier == modifier)
            return fault.reason
        }
    }

    @Test func whatIsListedPasses() {
        #expect(verdict(.xrgb8888, .linear, .texture2D) == nil)
        #expect(verdict(.xrgb8888, .linear, .external) == nil)
        #expect(verdict(.xrgb8888, .implicit, .texture2D) == nil)
        #expect(verdict(.xrgb8888, Self.tiled, .external) == nil)
        #expect(verdict(.nv12, .linear, .external) == nil)
        #expect(verdict(.nv12, .implicit, .external) == nil)
        // A driver that reports no modifiers counts as supporting linear and implicit buffers.
        #expect(verdict(.r8, .linear, .texture2D) == nil)
        #expect(verdict(.r8, .implicit, .texture2D) == nil)
    }

    @Test func whatIsNotListedIsRefused() {
        let other = DRMModifier(rawValue: 42)
        #expect(verdict(.xrgb8888, other, .texture2D) == .unsupportedModifier(supported: [.linear, Self.tiled]))
        #expect(verdict(.r8, Self.tiled, .texture2D) == .unsupportedModifier(supported: []))
        #expect(verdict(.abgr8888, .linear, .texture2D) == .unsupportedFormat)
        #expect(verdict(FourCC("ZZZZ"), .linear, .texture2D) == .unknownFormat)
        #expect(verdict(.xrgb8888, Self.tiled, .texture2D) == .externalOnly)
        #expect(verdict(.nv12, .linear, .texture2D) == .externalOnly)
        #expect(verdict(.nv12, .implicit, .texture2D) == .externalOnly)
    }

    @Test func missingExtensionsAreNamed() {
        #expect(
            verdict(.xrgb8888, .linear, .texture2D, by: Self.support(missingForImport: "EGL_KHR_image_base"))
                == .missingExtension("EGL_KHR_image_base"))
        let noExternal = Self.support(missingForExternal: "GL_OES_EGL_image_external_essl3")
        #expect(verdict(.xrgb8888, .linear, .texture2D, by: noExternal) == nil)
        #expect(
            verdict(.nv12, .linear, .external, by: noExternal)
                == .missingExtension("GL_OES_EGL_image_external_essl3"))
        let noModifiers = Self.support(formats: nil, takesModifiers: false)
        #expect(verdict(.xrgb8888, .linear, .texture2D, by: noModifiers) == nil)
        #expect(
            verdict(.xrgb8888, Self.tiled, .texture2D, by: noModifiers)
                == .missingExtension("EGL_EXT_image_dma_buf_import_modifiers"))
    }

    @Test func softwareRenderersAreNotTrustedWithYUV() {
        let software = Self.support(isSoftware: true)
        guard case .unreliable? = verdict(.nv12, .linear, .external, by: software) else {
            Issue.record("NV12 passed")
            return
        }
        #expect(verdict(.xrgb8888, .linear, .texture2D, by: software) == nil)
    }

    @Test func theUseIsThe2DTextureWhereItCanBe() throws {
        func use(_ fourcc: FourCC, _ modifier: DRMModifier) throws -> DMABufferSupport.Use {
            try Self.support().use(
                of: DMABuffer(width: 8, height: 8, fourcc: fourcc, modifier: modifier, planes: []))
        }
        #expect(try use(.xrgb8888, .linear) == .texture2D)
        #expect(try use(.xrgb8888, Self.tiled) == .external)
        #expect(try use(.nv12, .linear) == .external)
        #expect(throws: GLError.self) { try use(.nv12, Self.tiled) }
    }
}
