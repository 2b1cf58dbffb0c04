import FrostCore
import Glibc

/// The other side of a ``ProcessSequence``: the work of its process.
enum SequenceWorker {
    /// Reads the request and the frames, and writes the file.
    ///
    /// Call it as the first work of a process, while it has a single thread.
    ///
    /// - Returns: the exit code of the process.
    static func run(_ isolate: Isolate) -> Int32 {
        guard let options = try? SequenceOptions() else { return 2 }
        let blank = SequenceRequest(
            format: .apng, head: .blank, frames: 1, rate: .hertz60, times: nil, options: options, seconds: 0,
            isolation: .full)
        guard let request = CodecWork.request(blank, SequenceRequest.code) else { return 2 }
        CodecMessages.discard()
        // An isolated process cannot open a library.
        if let format = request.format.metadataFormat { try? format.codec(for: "output").load("output") }
        return EncodingWork.run(
            memory: request.head.memory, threads: request.options.threads, seconds: request.seconds, request.isolation,
            isolate
        ) { () throws(ImageError) in try encode(request) }
    }

    private static func encode(_ request: SequenceRequest) throws(ImageError) {
        let name = "output"
        let head = request.head
        let layout = try PixelLayout(reading: head.width, head.height, head.format, name: name)
        let sequence = SequenceDescription(
            layout: layout, rate: request.rate, times: request.times, frames: request.frames, metadata: head.metadata,
            options: request.options)
        var rows = try SharedInput(layout, count: layout.height * request.frames, name: name)
        var encoder = try SequenceWriter.encoder(
            .descriptor(STDIN_FILENO, name: name), request.format, sequence, AtomicFile.Options())
        for _ in 0..<request.frames {
            let frame = try PixelBuffer(rows: layout) { (target) throws(ImageError) in
                guard let row = try rows.next() else { return }
                try rows.with(row) { (row) throws(ImageError) in target.copyRow(row) }
                if row.isLastOfBlock { try rows.confirmBlock() }
            }
            try encoder.write(frame)
        }
        try encoder.finish()
        try FileParts(name: name).end()
    }
}
