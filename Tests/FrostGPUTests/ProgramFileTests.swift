import FrostGLES
@testable import FrostGPU
import Testing

/// Tests the file format of the program cache. These tests need no GL.
@Suite struct ProgramFileTests {
    static let key = Array("vendor\0renderer\0version\0sources".utf8)
    static let binary = ProgramBinary(format: 0x875F, bytes: (0..<100).map { $0 &* 7 })

    @Test func whatIsEncodedIsDecoded() {
        #expect(ProgramFile.decode(ProgramFile.encode(Self.binary, key: Self.key), key: Self.key) == Self.binary)
    }

    @Test func everyFlippedBitIsNoticed() {
        let file = ProgramFile.encode(Self.binary, key: Self.key)
        for index in file.indices {
            for bit in 0..<8 {
                var damaged = file
                damaged[index] ^= 1 << UInt8(bit)
                #expect(ProgramFile.decode(damaged, key: Self.key) == nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func everyOtherLengthIsNoticed() {
        let file = ProgramFile.encode(Self.binary, key: Self.key)
        for count in file.indices { #expect(ProgramFile.decode(Array(file[..<count]), key: Self.key) == nil) }
        #expect(ProgramFile.decode(file + [0], key: Self.key) == nil)
        #expect(ProgramFile.decode([], key: Self.key) == nil)
    }

    @Test func anotherKeysFileIsNoticed() {
        let file = ProgramFile.encode(Self.binary, key: Self.key)
        var other = Self.key
        other[3] ^= 1
        #expect(ProgramFile.decode(file, key: other) == nil)
        #expect(ProgramFile.decode(file, key: Self.key + [0]) == nil)
        #expect(ProgramFile.decode(file, key: []) == nil)
    }

    @Test func theFolderIsTheUsersCache() {
        func resolve(_ variables: [String: String]) -> ProgramCacheLocation.Resolved {
            ProgramCacheLocation.user.resolve { variables[$0] }
        }
        #expect(resolve(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == .folder("/c/frost/programs"))
        #expect(resolve(["HOME": "/h"]) == .folder("/h/.cache/frost/programs"))
        #expect(resolve(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == .folder("/h/.cache/frost/programs"))
        #expect(resolve(["XDG_CACHE_HOME": "", "HOME": "/h"]) == .folder("/h/.cache/frost/programs"))
        for variables in [[:], ["HOME": ""], ["HOME": "h"], ["HOME": "/h", "FROST_PROGRAM_CACHE": "off"]] {
            guard case .none(let reason) = resolve(variables) else {
                Issue.record("\(variables) gives a folder")
                continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(ProgramCacheLocation.off.resolve { _ in "/x" } == .none(reason: "switched off"))
        #expect(ProgramCacheLocation.folder("/f").resolve { _ in "off" } == .folder("/f"))
    }
}
