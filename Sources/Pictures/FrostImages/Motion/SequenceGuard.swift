import FrostCore
import Glibc

/// The memory that an animation may take.
package struct SequenceLimit: Sendable, Hashable {
    /// The number of bytes that it may take.
    package let available: Int
    /// The number of bytes that it takes besides the encoded frames that are held.
    package let need: Int

    package init(available: Int, need: Int) { (self.available, self.need) = (available, need) }
}

/// Compares the memory of this process with a limit while an animated WebP or AVIF file is made. The memory of their encoders
/// depends on what the frames show.
struct SequenceGuard {
    /// What makes the memory grow from frame to frame.
    enum Growth {
        /// The encoded frames, which libwebp holds until the end. They count twice, because the file is put together from them
        /// while they are still in memory.
        case encodedFrames
        /// The working memory of libaom. The estimate already contains a part of it.
        case workingMemory
    }
    private let limit: SequenceLimit?
    private let growth: Growth
    private let name: String
    /// The memory before the first frame.
    private var first: Int?

    /// What the program, its threads and its small allocations take at most besides what is counted.
    private static let reserve = 16 << 20

    /// - Parameters:
    ///   - limit: the memory that the animation may take; nil to check nothing.
    ///   - growth: what makes the memory grow.
    ///   - name: the name of the animation, for the error.
    init(_ limit: SequenceLimit?, _ growth: Growth, name: String) {
        (self.limit, self.growth, self.name) = (limit, growth, name)
    }

    /// Checks the memory between two frames.
    mutating func check() throws(ImageError) {
        guard let limit, let used = Self.anonymousMemory else { return }
        let start = first ?? used
        first = start
        // The pictures of a scene, for example, are in memory and not in the estimate.
        let needed =
            switch growth {
            case .encodedFrames: max(limit.need, start - Self.reserve) + 2 * max(0, used - start)
            case .workingMemory: max(limit.need, used - Self.reserve)
            }
        guard needed <= limit.available else {
            throw .overMemory(path: name, needed: needed, available: limit.available)
        }
    }

    /// The memory of this process, in bytes, that is not a part of a file; nil if the system does not tell it.
    private static var anonymousMemory: Int? {
        // The second number is the resident memory in pages, and the third is the part of it that belongs to files.
        let numbers = TextFile.line("/proc/self/statm")?.split(separator: " ").compactMap { Int($0) } ?? []
        return numbers.count > 2 ? (numbers[1] - numbers[2]) * sysconf(Int32(_SC_PAGESIZE)) : nil
    }
}
