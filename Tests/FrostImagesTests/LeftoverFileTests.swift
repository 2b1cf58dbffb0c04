import Foundation
import FrostCore
import FrostTestSupport
import FrostThreads
import Synchronization
import Testing

@testable import FrostImages

@Suite struct LeftoverFileTests {
    @Test("names of temporary files have an owner, other names have none")
    func namesOfTemporaryFiles() {
        #expect(LeftoverFiles.process(of: LeftoverFiles.name(for: "a-b.frost-7-x.png", "abc12").text) == getpid())
        for other in [
            "a.frost-12-abc.tmp", ".a.frost-12-abc", ".a.frost-12-.tmp", ".a.frost-x-abc.tmp", ".a.frost--3-abc.tmp",
            ".a-12-abc.tmp", ".a.frost-0-abc.tmp", ".a.frost-12-A B.tmp",
        ] {
            #expect(LeftoverFiles.process(of: other) == nil, "\(other)")
        }
    }

    @Test("the file of a dead process is removed; that of a living one, a locked one and all others stay")
    func removal() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/frost-leftover-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Linux assigns no process ID as high as 99999999, so this process does not exist.
        let (dead, locked, living) = (
            ".a.png.frost-99999999-x1.tmp", ".b.png.frost-99999999-x2.tmp", ".c.frost-1-x.tmp"
        )
        for name in [dead, locked, living, "a.png", ".a.tmp"] {
            #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: Data([1])))
        }
        let holder = unsafe open(folder + "/" + locked, O_RDONLY)
        #expect(flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        // The test calls `search` directly. `remove(in:)` skips folders that it has visited, and it might take this folder
        // for a visited one, because this folder may have the inode number of a removed folder.
        LeftoverFiles.search(FilePath(folder))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == [living, locked, "a.png", ".a.tmp"].sorted())
    }

    /// In containers that share a folder, processes with the same number search for leftover files all the time.
    @Test("a file that is being written is never taken for a leftover")
    func searchedWhileWriting() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/frost-shared-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = SearchState()
        // A thread of its own begins at once. A queue may wait for the work of other tests.
        let thread = try FrostThreads.Thread.start("search") {
            while !state.ends.load(ordering: .relaxed) {
                LeftoverFiles.search(FilePath(folder))
                state.searches.add(1, ordering: .relaxed)
            }
        }
        defer {
            state.ends.store(true, ordering: .relaxed)
            thread.join()
        }
        for _ in 0..<(TestCases.every ? 3000 : 1000) {
            var file = try AtomicFile(path: FilePath(folder + "/a.png"))
            try file.write([1, 2, 3])
            try file.commit()
        }
        #expect(state.searches.load(ordering: .relaxed) > 100)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.png"])
    }
}

private final class SearchState: Sendable {
    let ends = Atomic(false)
    let searches = Atomic(0)
}
