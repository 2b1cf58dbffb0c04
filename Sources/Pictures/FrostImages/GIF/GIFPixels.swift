import FrostCore

extension GIFFile {
    /// Decodes a frame as RGBA.
    ///
    /// - Parameter tolerate: called with the fault of a frame whose pixels are not all there. It throws the error, or the
    ///   missing pixels become grey.
    func pixels(
        of frame: Frame, _ layout: PixelLayout, _ source: ByteSource, tolerate: (ImageError) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        guard source.hasTime else { throw source.readFailure }
        var indices = [UInt8](repeating: 0, count: frame.width * frame.height)
        let (known, reason) = decode(frame, into: &indices)
        if known < indices.count {
            let reason = reason ?? "a frame has \(known) of its \(indices.count) pixels"
            try tolerate(fault == nil ? corrupt(reason) : truncated(fault ?? reason))
        }
        if let bad = indices[..<known].first(where: { Int($0) >= frame.colors && Int($0) != frame.transparent }) {
            try tolerate(corrupt("colour \(bad) is not in its palette of \(frame.colors)"))
        }
        let first = frame.palette.startIndex
        // SAFETY: the loops write every pixel, in whatever order the file has the rows.
        return unsafe PixelBuffer(layout: layout) { out in
            for (line, y) in frame.rows.enumerated() {
                for x in 0..<frame.width {
                    let (at, i) = (line * frame.width + x, 4 * (y * frame.width + x))
                    let index = Int(indices[at])
                    let isKnown = at < known && index < frame.colors
                    let isClear = at < known && index == frame.transparent
                    for c in 0..<3 {
                        unsafe out[i + c] = isClear ? 0 : isKnown ? frame.palette[first + 3 * index + c] : 128
                    }
                    unsafe out[i + 3] = isClear ? 0 : 255
                }
            }
        }
    }

    /// Decodes the indices of a frame, in the order of the file.
    ///
    /// - Returns: the number of indices, and what is wrong if it is smaller than that of the pixels.
    private func decode(_ frame: Frame, into indices: inout [UInt8]) -> (known: Int, reason: String?) {
        guard frame.data < bytes.count else { return (0, nil) }
        let width = Int(bytes[frame.data])
        guard (1...8).contains(width) else { return (0, "invalid number of bits \(width) of a frame") }
        var codes = Codes(bytes: bytes, at: frame.data + 1, left: 0)
        let (clear, end) = (1 << width, 1 << width + 1)
        // Each code stands for the indices of another code and one more.
        var prefixes = [UInt16](repeating: 0, count: 4096)
        var suffixes = [UInt8](repeating: 0, count: 4096)
        for i in 0..<clear { suffixes[i] = UInt8(i) }
        var stack: [UInt8] = []
        stack.reserveCapacity(4096)
        var (size, next, previous, known) = (width + 1, end + 1, -1, 0)
        var first: UInt8 = 0
        while known < indices.count, let code = codes.next(size) {
            if code == clear {
                (size, next, previous) = (width + 1, end + 1, -1)
                continue
            }
            if code == end { break }
            guard code < next || code == next && previous >= 0 else { return (known, "invalid code in a frame") }
            guard previous >= 0 || code < clear else { return (known, "invalid code in a frame") }
            // A code that is not known yet stands for the indices of the last one, and the first of them once more.
            stack.removeAll(keepingCapacity: true)
            if code == next { stack.append(first) }
            var link = code == next ? previous : code
            while link > end {
                stack.append(suffixes[link])
                link = Int(prefixes[link])
            }
            first = suffixes[link]
            if previous >= 0, next < 4096 {
                (prefixes[next], suffixes[next]) = (UInt16(previous), first)
                next += 1
                if next == 1 << size, size < 12 { size += 1 }
            }
            indices[known] = first
            known += 1
            while known < indices.count, let index = stack.popLast() {
                indices[known] = index
                known += 1
            }
            previous = code
        }
        return (known, nil)
    }

    /// The codes of a frame, which lie across the parts of its block.
    private struct Codes {
        let bytes: [UInt8]
        var at: Int
        /// The number of bytes that are left in this part.
        var left: Int
        private var bits: UInt32 = 0
        private var count = 0

        init(bytes: [UInt8], at: Int, left: Int) { (self.bytes, self.at, self.left) = (bytes, at, left) }

        mutating func next(_ size: Int) -> Int? {
            while count < size {
                if left == 0 {
                    guard at < bytes.count, bytes[at] > 0 else { return nil }
                    left = Int(bytes[at])
                    at += 1
                }
                guard at < bytes.count else { return nil }
                bits |= UInt32(bytes[at]) << UInt32(count)
                (at, left, count) = (at + 1, left - 1, count + 8)
            }
            defer { (bits, count) = (bits >> UInt32(size), count - size) }
            return Int(bits & (1 << UInt32(size) - 1))
        }
    }
}

extension GIFFile.Frame {
    /// The rows of the picture, in the order of the file.
    fileprivate var rows: [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }
}
