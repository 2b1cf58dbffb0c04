import Foundation
@testable import Frost
import FrostCore
import FrostGPU
import Testing

/// Tests that measurements are stored. If a cache cannot be used, this must cause no error.
@Suite struct ExperienceCacheTests {
    private static let machine = "a machine, 2 threads"
    private static let now = 1_700_000_000
    private let folder = NSTemporaryDirectory() + "frost-cache-" + UUID().uuidString
    private let experience: Experience

    init() {
        var experience = Experience(created: Self.now)
        experience.open("vendor; card; driver 1")
        func times(_ cpu: Double, _ gpu: Double, _ count: Int) -> BlurTimes {
            BlurTimes(cpu: BlurTimes.Runs(best: cpu, count: 3), gpu: BlurTimes.Runs(best: gpu, count: count))
        }
        experience.keep(times(1.5e-9, 0.1e-9, 3), of: "rgba u8 straight: 6 passes")
        experience.keep(times(1e-300, 1, 3), of: "grey u16: 2 passes")
        self.experience = experience
    }

    /// Keeps the experience, and returns whether it was written to disk.
    private func keep(_ experience: Experience, in cache: ExperienceCache) -> Bool {
        cache.access(Self.machine, at: Self.now) { $0 = experience }
        return cache.save(Self.machine)
    }

    private func read(_ cache: ExperienceCache, _ machine: String = machine, at time: Int = now) -> Experience? {
        cache.access(machine, at: time) { $0.device == nil ? nil : $0 }
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func file(_ folder: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1)
        return folder + "/" + (try #require(names.first))
    }

    /// Another cache object, which stands for another process, reads back exactly what was stored. The cache creates its own
    /// folder. If the folder is nil, the experience is kept in memory.
    @Test func isKept() throws {
        try withFolder { folder in
            let deep = folder + "/a/b"
            #expect(keep(experience, in: ExperienceCache(folder: deep)))
            #expect(read(ExperienceCache(folder: deep)) == experience)
            #expect(read(ExperienceCache(folder: deep), "another machine") == nil)
        }
        let cache = ExperienceCache(folder: nil)
        #expect(!keep(experience, in: cache) && read(cache) == experience)
    }

    /// Classes that are not settled and backends that failed are measured again by the next process.
    @Test func onlySettledTimesAreKept() throws {
        var more = experience
        more.keep(BlurTimes(cpu: BlurTimes.Runs(best: 1e-9, count: 3)), of: "untried")
        more.keep(BlurTimes(cpu: BlurTimes.Runs(best: 1e-9, count: 3), gpu: BlurTimes.Runs(count: 3)), of: "failed")
        let text = try #require(more.text(machine: Self.machine))
        #expect(Experience(text, machine: Self.machine) == experience)
        #expect(Experience(created: Self.now).text(machine: Self.machine) == nil)
    }

    @Test(arguments: [
        ("/c", "/h", "/c/frost"), (nil, "/h", "/h/.cache/frost"), ("", "/h", "/h/.cache/frost"),
        ("c", "/h", "/h/.cache/frost"), (nil, nil, nil), ("c", "h", nil), ("", "", nil),
    ])
    func theUsersFolder(cacheHome: String?, home: String?, folder: String?) {
        #expect(CacheFolder.user { $0 == "HOME" ? home : cacheHome } == folder)
    }

    /// Measurements are valid for a week. If the clock is set back, this does not extend the time.
    @Test func isNotKeptForEver() throws {
        try withFolder { folder in
            #expect(keep(experience, in: ExperienceCache(folder: folder)))
            for (time, isFresh) in [
                (Self.now + Experience.lifetime, true), (Self.now + Experience.lifetime + 1, false),
                (Self.now - 1, false),
            ] {
                #expect((read(ExperienceCache(folder: folder), at: time) != nil) == isFresh)
                let cache = ExperienceCache(folder: folder)
                _ = read(cache)
                #expect((read(cache, at: time) != nil) == isFresh)
            }
        }
    }

    /// If any byte of the file is changed, or the file is cut off at any byte, the file is invalid. So is the file of another
    /// machine or version, and a file with impossible numbers.
    @Test func damageIsNoticed() throws {
        let text = try #require(experience.text(machine: Self.machine))
        let bytes = Array(text.utf8)
        #expect(Experience(text, machine: Self.machine) == experience)
        #expect(Experience(text, machine: "another machine") == nil)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            for bytes in [damaged, Array(bytes[..<index])] {
                #expect(
                    Experience(String(decoding: bytes, as: UTF8.self), machine: Self.machine) == nil, "byte \(index)")
            }
        }
        #expect(Experience(text + "x", machine: Self.machine) == nil)
        let body = text.components(separatedBy: "\n").dropLast(2).joined(separator: "\n")
        for (old, new) in [
            ("", ""), ("frost-choice 2", "frost-choice 1"), ("1700000000", "99999999999999"), ("1.5e-09", "-1"),
            ("1.5e-09", "nan"), ("1.5e-09", "x"),
        ] {
            let changed = old.isEmpty ? body : body.replacingOccurrences(of: old, with: new)
            let sum = FNVHash(of: Self.machine + "\n" + changed).hexadecimal
            let read = Experience("\(changed)\n\(sum)\n", machine: Self.machine)
            #expect((read != nil) == old.isEmpty && (changed == body) == old.isEmpty, "\(new)")
        }
    }

    /// The name of a driver may contain any characters. The times of another driver are forgotten.
    @Test func drivers() throws {
        var odd = experience
        odd.keep(BlurTimes(cpu: BlurTimes.Runs(best: 1e-9, count: 3)), of: "CPU only")
        odd.open("a\n1\r\nb\0")
        #expect(Array(odd.times.keys) == ["CPU only"])
        let text = try #require(odd.text(machine: Self.machine))
        #expect(Experience(text, machine: Self.machine)?.device == odd.device)
        odd = experience
        odd.open("vendor; card; driver 1")
        #expect(odd == experience)
    }

    /// A file with other content may exist at the file's path. It is not used, and is replaced if possible. The path may also
    /// be a pipe, which would block the reader, or a folder, which cannot be replaced.
    @Test(arguments: ["", "text", "frost-choice 2\n", String(repeating: "x", count: 1 << 20), "pipe", "folder"])
    func otherFilesAreReplaced(content: String) throws {
        try withFolder { folder in
            #expect(keep(experience, in: ExperienceCache(folder: folder)))
            let path = try file(folder)
            try FileManager.default.removeItem(atPath: path)
            switch content {
            case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
            case "folder": #expect(unsafe mkdir(path, 0o700) == 0)
            default: try content.write(toFile: path, atomically: false, encoding: .utf8)
            }
            let cache = ExperienceCache(folder: folder)
            #expect(read(cache) == nil)
            #expect(keep(experience, in: cache) == (content != "folder"))
            #expect(read(cache) == experience)
            #expect((read(ExperienceCache(folder: folder)) == experience) == (content != "folder"))
            #expect(try file(folder) == path)
        }
    }

    /// If the folder cannot be created or written to, the experience is kept in memory, and no error occurs.
    @Test(arguments: ["/proc/frost", "/dev/null/frost", "/nonexistent\u{1}/\u{0}/frost"])
    func noFolder(path: String) {
        let cache = ExperienceCache(folder: path)
        #expect(read(cache) == nil)
        #expect(!keep(experience, in: cache))
        #expect(read(cache) == experience)
    }

    /// A cache that reads while other caches write gets either a complete file or no file.
    @Test func manyWriters() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        #expect(keep(experience, in: ExperienceCache(folder: folder)))
                        #expect(read(ExperienceCache(folder: folder)) == experience)
                    }
                }
            }
        }
        _ = try file(folder)
    }
}
