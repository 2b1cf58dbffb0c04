import FrostCore
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Glibc
import Testing

/// Tests the folder of the program cache. These tests need no GL.
@Suite struct ProgramCacheTests {
    static let key = ProgramFileTests.key
    static let binary = ProgramFileTests.binary

    private let scratch: ScratchFolder
    private let folder: String
    private var file: String { "\(folder)/\(ProgramCache.fileName(Self.key))" }

    init() throws {
        scratch = try ScratchFolder()
        folder = scratch.path + "/a/frost/programs"
    }

    private func cache(_ limits: ProgramCache.Limits = ProgramCache.Limits()) -> ProgramCache {
        ProgramCache(.folder(folder), limits: limits)
    }

    @Test func whatIsKeptIsFound() {
        var cache = cache()
        #expect(cache.find(Self.key) == .nothing)
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.problem == nil)
        #expect(cache.find(Self.key) == .binary(Self.binary))
        #expect(self.cache().find(Self.key) == .binary(Self.binary))
        #expect(cache.find(Self.key + [1]) == .nothing)
        let other = ProgramBinary(format: 1, bytes: [9])
        cache.keep(other, key: Self.key)
        #expect(cache.find(Self.key) == .binary(other))
    }

    @Test func onlyTheUserMayLookAtIt() {
        var cache = cache()
        cache.keep(Self.binary, key: Self.key)
        for folder in [folder, scratch.path + "/a/frost", scratch.path + "/a"] {
            #expect(ScratchFolder.mode(folder) == 0o700)
        }
        #expect(ScratchFolder.mode(file) == 0o600)
        // No partly written file remains.
        #expect(Folder.names(in: folder) == [ProgramCache.fileName(Self.key)])
    }

    /// A file that is damaged in one of these ways is not used. The next program that the cache keeps replaces it.
    @Test(arguments: ["empty", "truncated", "flipped", "long", "foreign", "text", "huge"])
    func aSpoiltFileIsUnusableAndWrittenAnew(_ how: String) throws {
        var cache = cache()
        cache.keep(Self.binary, key: Self.key)
        var bytes = try #require(ScratchFolder.read(file))
        switch how {
        case "empty": bytes = []
        case "truncated": bytes.removeLast(10)
        case "flipped": bytes[bytes.count - 5] ^= 4
        case "long": bytes.append(0)
        case "foreign": bytes = ProgramFile.encode(Self.binary, key: Self.key.reversed())
        case "text": bytes = Array("#!/bin/sh\necho gone\n".utf8)
        default: bytes += [UInt8](repeating: 0, count: 17 << 20)
        }
        try ScratchFolder.write(file, bytes)
        #expect(cache.find(Self.key) == .unusable(path: file))
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.find(Self.key) == .binary(Self.binary))
    }

    @Test func linksPipesFoldersAndFilesThatOthersMayWriteAreUnusable() throws {
        var cache = cache()
        cache.keep(Self.binary, key: Self.key)
        let elsewhere = scratch.path + "/elsewhere"
        try ScratchFolder.write(elsewhere, try #require(ScratchFolder.read(file)))
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        #expect(unsafe chmod(file, 0o666) == 0)
        #expect(cache.find(Self.key) == .unusable(path: file))
        #expect(unsafe unlink(file) == 0 && symlink(elsewhere, file) == 0)
        #expect(cache.find(Self.key) == .unusable(path: file))
        // If the path is a symbolic link, keeping a program replaces the link itself, not the file to which the link points.
        cache.keep(ProgramBinary(format: 1, bytes: [1]), key: Self.key)
        #expect(ScratchFolder.read(elsewhere) == ProgramFile.encode(Self.binary, key: Self.key))
        #expect(unsafe unlink(file) == 0 && mkfifo(file, 0o600) == 0)
        #expect(cache.find(Self.key) == .unusable(path: file))
        #expect(unsafe unlink(file) == 0 && mkdir(file, 0o700) == 0)
        #expect(cache.find(Self.key) == .unusable(path: file))
        // A file cannot replace a folder. The cache then throws no error, but reports the reason.
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.problem != nil)
        #expect(Folder.names(in: folder) == [ProgramCache.fileName(Self.key)])
    }

    @Test func aFolderThatOthersMayWriteIsNotUsed() {
        var cache = cache()
        cache.keep(Self.binary, key: Self.key)
        #expect(unsafe chmod(folder, 0o777) == 0 && unlink(file) == 0)
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.problem?.contains("others can write to it") == true)
        #expect(Folder.names(in: folder).isEmpty)
    }

    /// Root must not create files in another user's home folder, because that user could not change them.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func rootMakesNothingInOthersFolders() {
        let home = scratch.path + "/home"
        #expect(unsafe mkdir(home, 0o700) == 0 && chown(home, 1234, 1234) == 0)
        var cache = ProgramCache(.folder(home + "/.cache/frost/programs"))
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.problem != nil)
        #expect(Folder.names(in: home).isEmpty)
    }

    /// No cache can be created in /proc (even by root), below a file, or at a path that is too long.
    @Test(arguments: ["/proc/frost", "/proc/self/task", "/dev/null/frost", "/" + String(repeating: "x", count: 300)])
    func whereNothingCanBeWrittenThereIsNoCache(_ folder: String) {
        var cache = ProgramCache(.folder(folder))
        #expect(cache.problem == nil)
        if case .binary = cache.find(Self.key) { Issue.record("found in \(folder)") }
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.problem?.hasPrefix(folder) == true, "\(cache.problem ?? "")")
        cache.keep(Self.binary, key: Self.key)
    }

    @Test func withoutAFolderThereIsNoCache() {
        var cache = ProgramCache(.none(reason: "why not"))
        cache.keep(Self.binary, key: Self.key)
        #expect(cache.find(Self.key) == .nothing)
        #expect(cache.problem == "why not")
    }

    @Test func theLeastRecentlyUsedFilesGo() throws {
        let size = ProgramFile.encode(Self.binary, key: [0]).count
        for limits in [ProgramCache.Limits(files: 4, bytes: .max), .init(files: .max, bytes: 4 * size + size / 2)] {
            var cache = ProgramCache(.folder(folder + "\(limits.files)"), limits: limits)
            for key in 0..<4 { cache.keep(Self.binary, key: [UInt8(key)]) }
            // File times have the resolution of the kernel's clock tick, which is some milliseconds. The pauses are longer.
            usleep(20_000)
            #expect(cache.find([0]) == .binary(Self.binary))
            usleep(20_000)
            cache.keep(Self.binary, key: [4])
            let left = (0..<5).filter { cache.find([UInt8($0)]) == .binary(Self.binary) }
            #expect(left.count == 4 && left.contains(0) && left.contains(4), "\(left)")
        }
    }

    @Test func whatADeadWriterLeftIsCollected() throws {
        var cache = cache()
        cache.keep(Self.binary, key: Self.key)
        let (old, new, foreign) = (folder + "/.old.tmp", folder + "/.new.tmp", folder + "/notes.txt")
        for path in [old, new, foreign] { try ScratchFolder.write(path, [1]) }
        var times = utimbuf(actime: time(nil) - 4000, modtime: time(nil) - 4000)
        #expect(unsafe utime(old, &times) == 0 && utime(foreign, &times) == 0)
        cache.keep(Self.binary, key: [1])
        let names = Folder.names(in: folder)
        #expect(!names.contains(".old.tmp") && names.contains(".new.tmp") && names.contains("notes.txt"))
    }
}
