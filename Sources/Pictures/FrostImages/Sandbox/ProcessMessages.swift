/// The messages from a ``CodecProcess``.
struct ProcessMessages {
    let process: CodecProcess
    let name: String
    let format: ImageFormat
    /// Whether the process may have to wait for its input. It then measures the time itself, without its waiting.
    let isStream: Bool
    let maximumTime: Duration
    let time: TimeLimit
    let problems: ReadProblems

    /// The error for messages that no decoder sends.
    var damage: ImageError { .decoderEnded(path: name, reason: "sent something else than a picture") }

    /// Returns the bytes of the next message of a kind. Throws the error that the process sends, and keeps the problems.
    ///
    /// - Parameter rows: the largest number of bytes of rows that may come.
    func next(_ wanted: ProcessMessage, rows: Int) throws(ImageError) -> [UInt8] {
        let (kind, bytes) = try next(rows: rows)
        guard kind == wanted else { throw damage }
        return bytes
    }

    /// Returns the next message that is neither a problem nor an error.
    func next(rows: Int) throws(ImageError) -> (ProcessMessage, [UInt8]) {
        while true {
            guard let start = try read(ProcessMessage.headerByteCount) else { throw ended }
            guard let (kind, count) = ProcessMessage.header(start, rows: rows) else { throw damage }
            guard let bytes = try read(count) else { throw ended }
            switch kind {
            case .problem: problems.add(text(bytes))
            case .leftOut: problems.leaveOut(text(bytes))
            case .failure: throw failure(bytes)
            case .refusal: throw .cannotIsolate(path: name, reason: text(bytes))
            case .head, .rows, .block, .taken, .file: return (kind, bytes)
            }
        }
    }

    private func read(_ count: Int) throws(ImageError) -> [UInt8]? {
        try process.read(count, time, counts: !isStream, name: name)
    }

    /// The error for an output that ended too early. The process is then about to end; one that has only closed its output
    /// is killed.
    private var ended: ImageError {
        let end = process.end()
        switch end {
        case .notForked: return .cannotIsolate(path: name, reason: end.words)
        case .ended, .unknown: return .decoderEnded(path: name, reason: end.words)
        }
    }

    private func failure(_ bytes: [UInt8]) -> ImageError {
        var coder = WireCoder(reading: bytes)
        var error = WireError.blank
        WireError.code(&coder, &error)
        return coder.isComplete ? error.error(name, format, limit: maximumTime) : damage
    }

    /// A text of the process. It may hold any characters, as the texts of readers may that quote a file. Whoever prints it
    /// escapes those that control a terminal.
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(1000), as: UTF8.self) }
}
