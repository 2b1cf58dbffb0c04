@testable import FrostGLES
import Testing

/// Tests the errors that explain why no device is available. These tests need no device.
@Suite struct LibraryTests {
    static let missing = ContextOptions(libraryName: "libEGL-that-is-not-there.so.7")

    @Test func aMissingLibraryIsATypedReason() {
        func isRight(_ error: any Error) -> Bool {
            guard case GLError.libraryMissing(let name, let reason) = error else { return false }
            return name == Self.missing.libraryName && !reason.isEmpty
        }
        #expect { try Devices.list(options: Self.missing) } throws: { isRight($0) }
        #expect { try GLThread.open(.any, options: Self.missing) } throws: { isRight($0) }
        #expect { try EGLLibrary.open(Self.missing.libraryName) } throws: { isRight($0) }
    }

    @Test func aLibraryThatIsNotEGLIsATypedReason() {
        #expect(throws: GLError.unsupported("eglGetProcAddress in libm.so.6")) { try EGLLibrary.open("libm.so.6") }
    }

    @Test func errorsSayWhatHappened() {
        let evidence = GLEvidence(call: "glTexStorage2D", code: 0x505, messages: ["first", "second"])
        #expect(
            GLError.outOfMemory(evidence).description
                == "the GPU is out of memory: glTexStorage2D: GL_OUT_OF_MEMORY (0x505); driver: first | second")
        #expect(
            GLError.noDevice(wanted: "hardware GPU", tried: ["a: b", "c: d"]).description
                == "no hardware GPU: a: b; c: d")
    }
}

@Suite(.serialized, .enabled(if: TestThread.isWanted, TestThread.skipReason))
struct DeviceTests {
    private static func usable() throws -> [DeviceInfo] {
        try Devices.list().compactMap { if case .usable(let info) = $0 { info } else { nil } }
    }

    @Test func everyWayToADeviceIsReportedOnce() throws {
        let reports = try Devices.list()
        let indices = reports.map { report in
            switch report {
            case .usable(let info): info.index
            case .unusable(let index, _, _), .duplicate(let index, _, _): index
            }
        }
        #expect(indices == Array(reports.indices))
        #expect(try !Self.usable().isEmpty)
        for case .unusable(_, let what, let reason) in reports { #expect(!what.isEmpty && !reason.isEmpty) }
        for case .duplicate(_, _, let original) in reports {
            #expect(try Self.usable().contains { $0.index == original })
        }
    }

    @Test func aDeviceIsFoundByEveryOneOfItsNames() throws {
        for device in try Self.usable() {
            let words = device.renderer.split(separator: " ").map(String.init)
            for id in [String(device.index), device.id, device.renderNode, device.pciPath].compactMap({ $0 }) {
                #expect(try GLThread.open(.id(id)).device == device, "\(id)")
            }
            // If a name matches several devices, the first one is used.
            let word = try #require(words.first)
            #expect(try GLThread.open(.id(word.uppercased())).device.renderer.contains(word))
        }
    }

    /// If several EGL platforms list the same device, the device works on each of these platforms. So Frost can try another
    /// platform if one fails.
    @Test func duplicatesWorkToo() throws {
        for case .duplicate(let index, _, _) in try Devices.list() {
            #expect(try GLThread.open(.id(String(index))).device.index == index)
        }
    }

    @Test func aRenderNodeThatIsNotThereIsATypedReason() throws {
        let library = try EGLLibrary.open()
        if library.clientExtensions.isDisjoint(with: DisplayPlatform.gbm.extensions) {
            try Test.cancel("EGL has no platform for GBM")
        }
        let candidate = unsafe DisplayCandidate(
            index: 0, platform: .gbm, device: nil, renderNode: "/dev/dri/renderD999", pciPath: nil, saysSoftware: false)
        #expect {
            try GLThread(candidate: candidate, library: library, options: ContextOptions())
        } throws: { error in
            switch error {
            case GLError.displayFailed("/dev/dri/renderD999", let evidence):
                return evidence.call == "open: No such file or directory"
            // A machine without libgbm reports this error instead.
            case GLError.libraryMissing("libgbm.so.1", _): return true
            default: return false
            }
        }
    }

    @Test func softwareIsToldFromHardware() throws {
        for device in try Self.usable() {
            #expect(device.isSoftware == device.renderer.lowercased().contains("llvmpipe") || !device.isSoftware)
        }
        if try Self.usable().allSatisfy(\.isSoftware) {
            #expect {
                try GLThread.open(.anyHardware)
            } throws: { error in
                guard case GLError.noDevice("hardware GPU", let tried) = error else { return false }
                return tried.contains { $0.hasSuffix("is a software renderer") }
            }
            #expect(try GLThread.open(.any).device.isSoftware)
        } else {
            #expect(try !GLThread.open(.anyHardware).device.isSoftware)
        }
    }

    @Test(arguments: ["99", "/dev/dri/renderD999", "no such renderer", "", "0000:ff:1f.7"])
    func anUnknownDeviceIsRefused(_ id: String) {
        #expect {
            try GLThread.open(.id(id))
        } throws: { error in
            if case GLError.noDevice(DeviceSelector.id(id).description, _) = error { true } else { false }
        }
    }
}
