extension ReadProblems {
    /// Adds the number of bytes that follow the end of the picture, if the size of the input is known.
    func leaveOut(after end: UInt64, of source: ByteSource) {
        guard let size = source.size, size > end else { return }
        leaveOut("\(UInt64(size) - end) bytes after the end of the picture")
    }

    /// Adds the names of the outermost boxes of an ISO file, such as AVIF, that are not used.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - used: the names of the boxes that are used.
    func leaveOutBoxes(of file: [UInt8], except used: Set<String>) {
        func number(_ at: Int, _ size: Int) -> Int {
            file[at..<at + size].reduce(0) { ($0 & (1 << 48 - 1)) << 8 | Int($1) }
        }
        var at = 0
        while at + 8 <= file.count {
            let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
            if !used.contains(name) { leaveOut("box \(PlainText.printable(name.utf8))") }
            var size = number(at, 4)
            if size == 1, at + 16 <= file.count { size = number(at + 8, 8) }
            // A size of 0 stands for the rest of the file.
            guard size >= 8 else { return }
            at += size
        }
    }
}
