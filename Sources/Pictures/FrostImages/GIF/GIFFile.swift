import FrostCore

/// The blocks of a GIF file: the size of its picture, its frames, and how they follow one another.
struct GIFFile {
    /// A frame, whose pixels are not decoded yet.
    struct Frame {
        var x = 0, y = 0, width = 0, height = 0
        var isInterlaced = false
        /// Red, green and blue of each colour.
        var palette: ArraySlice<UInt8> = []
        /// The index that stands for transparency.
        var transparent: Int?
        var disposal = FrameDisposal.keep
        /// In milliseconds.
        var duration = 0
        /// The number of the byte at which the compressed pixels begin.
        var data = 0

        /// The number of colours.
        var colors: Int { palette.count / 3 }
    }

    let bytes: [UInt8]
    private(set) var width = 0, height = 0
    private(set) var frames: [Frame] = []
    /// How often the frames are shown; 0 means endlessly.
    private(set) var plays = 1
    /// Why the file is not complete; nil if all of its frames are.
    private(set) var fault: String?
    /// Whether all frames are complete, but the mark of the end is missing.
    private(set) var lacksEnd = false
    private var at = 0
    private let name: String

    /// Reads all blocks. Decodes no pixels.
    init(_ bytes: [UInt8], _ limits: ImageLimits, _ problems: ReadProblems, name: String) throws(ImageError) {
        (self.bytes, self.name) = (bytes, name)
        guard bytes.count >= 13 else { throw truncated("the file ends before the end of its header") }
        guard bytes[..<6].elementsEqual("GIF87a".utf8) || bytes[..<6].elementsEqual("GIF89a".utf8) else {
            throw corrupt("invalid version")
        }
        (width, height) = (bytes.number(6, 2), bytes.number(8, 2))
        at = 13
        let global = try palette(bytes[10])
        var next = Frame()
        blocks: while true {
            guard at < bytes.count else {
                if frames.isEmpty { fault = "the file ends before its first frame" } else { lacksEnd = true }
                break
            }
            at += 1
            switch bytes[at - 1] {
            case 0x21:
                guard try readExtension(&next, problems) else { break blocks }
            case 0x2C:
                guard try readFrame(&next, global, limits) else { break blocks }
                next = Frame()
            case 0x3B: break blocks
            // Some programs write zeros between blocks.
            case 0: continue
            default:
                fault = "invalid block \(bytes[at - 1]) at byte \(at - 1)"
                break blocks
            }
        }
        guard !frames.isEmpty else { throw truncated(fault ?? "it has no picture") }
        // Programs from before animations wrote no size of the whole picture.
        if width == 0 || height == 0 {
            (width, height) = (frames[0].x + frames[0].width, frames[0].y + frames[0].height)
        }
        try limits.check(width: width, height: height, name: name)
        if at < bytes.count, fault == nil {
            problems.leaveOut("\(bytes.count - at) bytes after the end of the picture")
        }
    }

    /// Reads a palette whose size is in the flags of its block.
    private mutating func palette(_ flags: UInt8) throws(ImageError) -> ArraySlice<UInt8> {
        guard flags & 0x80 != 0 else { return [] }
        let count = 3 << (Int(flags & 7) + 1)
        guard at + count <= bytes.count else { throw truncated("the file ends within its palette") }
        defer { at += count }
        return bytes[at..<at + count]
    }

    /// Reads a block that does not hold pixels. Returns false at the end of the file.
    private mutating func readExtension(_ next: inout Frame, _ problems: ReadProblems) throws(ImageError) -> Bool {
        guard at < bytes.count else { return end() }
        let kind = bytes[at]
        at += 1
        guard let blocks = subBlocks() else { return end() }
        let first = blocks.first ?? 0..<0
        switch kind {
        case 0xF9 where first.count >= 4:
            let flags = bytes[first.lowerBound]
            next.duration = 10 * bytes.number(first.lowerBound + 1, 2)
            next.transparent = flags & 1 == 1 ? Int(bytes[first.lowerBound + 3]) : nil
            next.disposal = flags >> 2 & 7 == 2 ? .clear : flags >> 2 & 7 == 3 ? .restore : .keep
        case 0xFF where first.count == 11:
            let application = String(decoding: bytes[first], as: UTF8.self)
            if application == "NETSCAPE2.0" || application == "ANIMEXTS1.0", blocks.count > 1, blocks[1].count >= 3 {
                // The number counts how often the frames are repeated.
                let repeats = bytes.number(blocks[1].lowerBound + 1, 2)
                plays = repeats == 0 ? 0 : repeats + 1
            } else {
                problems.leaveOut("block \(PlainText.printable(application.utf8))")
            }
        case 0xFE: problems.leaveOut("a comment")
        case 0x01: problems.leaveOut("a text")
        default: problems.leaveOut("block \(kind)")
        }
        return true
    }

    private mutating func readFrame(
        _ frame: inout Frame, _ global: ArraySlice<UInt8>, _ limits: ImageLimits
    ) throws(ImageError) -> Bool {
        guard at + 9 <= bytes.count else { return end() }
        (frame.x, frame.y) = (bytes.number(at, 2), bytes.number(at + 2, 2))
        (frame.width, frame.height) = (bytes.number(at + 4, 2), bytes.number(at + 6, 2))
        let flags = bytes[at + 8]
        at += 9
        guard frame.width > 0, frame.height > 0 else {
            throw corrupt("invalid size \(frame.width)x\(frame.height) of frame \(frames.count)")
        }
        try limits.check(width: frame.width, height: frame.height, name: name)
        frame.isInterlaced = flags & 0x40 != 0
        guard flags & 0x80 == 0 || at + 3 << (Int(flags & 7) + 1) <= bytes.count else { return end() }
        let own = try palette(flags)
        frame.palette = own.isEmpty ? global : own
        guard !frame.palette.isEmpty else { throw corrupt("frame \(frames.count) has no palette") }
        frame.data = at
        at += 1
        guard frames.count < AnimationTiming.maximumFrames else {
            throw .tooComplex(path: name, reason: "it has over \(AnimationTiming.maximumFrames) frames")
        }
        frames.append(frame)
        return subBlocks() == nil ? end() : true
    }

    /// The places of the parts of a block; nil if the file ends within them.
    private mutating func subBlocks() -> [Range<Int>]? {
        var blocks: [Range<Int>] = []
        while at < bytes.count {
            let size = Int(bytes[at])
            at += 1
            guard size > 0 else { return blocks }
            guard at + size <= bytes.count else { return nil }
            // Pixels have any number of parts, of which only the end counts.
            if blocks.count < 4 { blocks.append(at..<at + size) }
            at += size
        }
        return nil
    }

    private mutating func end() -> Bool {
        fault = "the file ends early"
        at = bytes.count
        return false
    }

    func corrupt(_ reason: String) -> ImageError {
        .corrupt(path: name, format: .gif, reason: reason, offset: UInt64(at))
    }

    func truncated(_ reason: String) -> ImageError {
        .truncated(path: name, format: .gif, reason: reason, offset: UInt64(bytes.count))
    }
}
