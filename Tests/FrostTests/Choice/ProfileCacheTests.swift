@testable import Frost
import Foundation
import FrostCore
import FrostGPU
import Testing

/// Tests that measurements are stored. If a cache cannot be used, this must cause no error.
@Suite struct ProfileCacheTests {
    private let folder: String
    private let profile: CostProfile

    init() throws {
        folder = NSTemporaryDirectory() + "frost-cache-" + UUID().uuidString
        var profile = CostProfile(
            machine: "a machine, 2 threads", device: "vendor; card; driver 1", deviceName: "card", opening: 0.125,
            made: 1_700_000_000)
        let pair = try #require(SyntheticMachine.all[2].pair(noise: 0.1))
        profile.pairs["rgba u8 straight"] = pair
        profile.pairs["grey u16"] = CostProfile.Pair(cpu: pair.gpu, gpu: pair.cpu)
        self.profile = profile
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            _ = unsafe chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: folder)
        }
        try body(folder)
    }

    private func file(_ folder: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1)
        return folder + "/" + (try #require(names.first))
    }

    /// A stored profile is read back exactly by another cache object, which stands for another process. The cache creates
    /// its own folder.
    @Test func isKeptOnDisk() throws {
        try withFolder { folder in
            let deep = folder + "/a/b"
            #expect(ProfileCache(folder: deep).keep(profile))
            #expect(ProfileCache(folder: deep).profile(of: profile.machine, at: profile.made) == profile)
            #expect(ProfileCache(folder: deep).profile(of: "another machine", at: profile.made) == nil)
        }
    }

    @Test func isKeptInMemory() {
        let cache = ProfileCache(folder: nil)
        #expect(!cache.keep(profile))
        #expect(cache.profile(of: profile.machine, at: profile.made) == profile)
    }

    @Test(arguments: [
        ("/c", "/h", "/c/frost"), (nil, "/h", "/h/.cache/frost"), ("", "/h", "/h/.cache/frost"),
        ("c", "/h", "/h/.cache/frost"), (nil, nil, nil), ("c", "h", nil), ("", "", nil),
    ])
    func theUsersFolder(cacheHome: String?, home: String?, folder: String?) {
        #expect(CacheFolder.user { $0 == "HOME" ? home : cacheHome } == folder)
    }

    /// A profile is valid for a week. If the clock is set back, this does not extend the time.
    @Test func isNotKeptForEver() throws {
        try withFolder { folder in
            let cache = ProfileCache(folder: folder)
            #expect(cache.keep(profile))
            for cache in [cache, ProfileCache(folder: folder)] {
                #expect(cache.profile(of: profile.machine, at: profile.made + CostProfile.lifetime) == profile)
                #expect(cache.profile(of: profile.machine, at: profile.made + CostProfile.lifetime + 1) == nil)
                #expect(cache.profile(of: profile.machine, at: profile.made - 1) == nil)
            }
        }
    }

    /// If any byte of the file is changed, or the file is cut off at any byte, the profile is invalid.
    @Test func damageIsNoticed() throws {
        let bytes = Array(profile.text.utf8)
        #expect(CostProfile(profile.text) == profile)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            #expect(CostProfile(String(decoding: damaged, as: UTF8.self)) == nil, "byte \(index)")
            #expect(CostProfile(String(decoding: bytes[..<index], as: UTF8.self)) == nil, "cut at \(index)")
        }
        #expect(CostProfile(profile.text + "x") == nil)
    }

    /// A profile is invalid if it has another version, missing lines or impossible numbers, even if its checksum is correct.
    @Test(arguments: [
        ("frost-choice 1", "frost-choice 2"), ("frost-choice 1", "frost-other 1"), ("opening 0.125", "opening -1"),
        ("opening 0.125", "opening nan"), ("opening 0.125", "opening 1e9"), ("opening 0.125\n", ""),
        ("made 1700000000", "made 99999999999999"), ("made 1700000000", "made x"), ("name card\n", ""),
        ("format ", "format -"), ("format ", "other "),
        ("made 1700000000\n", "made 1700000000\n\n"),
    ])
    func nonsenseIsNoticed(old: String, new: String) throws {
        let body = try #require(profile.text.components(separatedBy: "sum ").first)
        let changed = body.replacingOccurrences(of: old, with: new)
        #expect(changed != body)
        #expect(CostProfile(changed + "sum \(FNVHash(of: changed).hexadecimal)\n") == nil)
        #expect(CostProfile(body + "sum \(FNVHash(of: body).hexadecimal)\n") != nil)
    }

    /// The name of a driver may contain any characters.
    @Test func namesWithLineBreaks() {
        var odd = profile
        odd.device = "a\nsum 1\r\nopening 5\0"
        odd.deviceName = odd.device
        let read = CostProfile(odd.text)
        #expect(read?.opening == 0.125)
        #expect(read?.device == CostProfile.line(odd.device))
    }

    /// A file with other content may exist at the profile's path. It is not used, and the profile replaces it if possible.
    @Test(arguments: ["", "text", "frost-choice 1\n", String(repeating: "x", count: 1 << 20)])
    func otherFilesAreReplaced(content: String) throws {
        try withFolder { folder in
            #expect(ProfileCache(folder: folder).keep(profile))
            let path = try file(folder)
            try content.write(toFile: path, atomically: false, encoding: .utf8)
            let cache = ProfileCache(folder: folder)
            #expect(cache.profile(of: profile.machine, at: profile.made) == nil)
            #expect(cache.keep(profile))
            #expect(ProfileCache(folder: folder).profile(of: profile.machine, at: profile.made) == profile)
            #expect(try file(folder) == path)
        }
    }

    /// The profile's path may be a pipe, which would block the reader, or a folder, which cannot be replaced. Neither of
    /// them is used.
    @Test(arguments: ["pipe", "folder"]) func noRegularFile(kind: String) throws {
        try withFolder { folder in
            #expect(ProfileCache(folder: folder).keep(profile))
            let path = try file(folder)
            try FileManager.default.removeItem(atPath: path)
            let made = unsafe kind == "pipe" ? mkfifo(path, 0o600) : mkdir(path, 0o700)
            #expect(made == 0)
            let cache = ProfileCache(folder: folder)
            #expect(cache.profile(of: profile.machine, at: profile.made) == nil)
            #expect(cache.keep(profile) == (kind == "pipe"))
            #expect(cache.profile(of: profile.machine, at: profile.made) == profile)
            #expect(try file(folder) == path)
        }
    }

    /// If the folder cannot be created or written to, the profile is kept in memory, and no error occurs.
    @Test(arguments: ["/proc/frost", "/dev/null/frost", "/nonexistent\u{1}/\u{0}/frost"])
    func noFolder(path: String) {
        let cache = ProfileCache(folder: path)
        #expect(cache.profile(of: profile.machine, at: profile.made) == nil)
        #expect(!cache.keep(profile))
        #expect(cache.profile(of: profile.machine, at: profile.made) == profile)
    }

    /// A cache that reads while other caches write gets either a complete file or no file.
    @Test func manyWriters() async throws {
        let folder = folder
        let profile = profile
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        #expect(ProfileCache(folder: folder).keep(profile))
                        let read = ProfileCache(folder: folder).profile(of: profile.machine, at: profile.made)
                        #expect(read == profile)
                    }
                }
            }
        }
        _ = try file(folder)
    }
}
