import FrostCore
import Glibc

/// The other side of a ``ProcessEncoder``: the work of its process.
enum EncoderWorker {
    /// Reads the request and the pixels, and sends the file.
    ///
    /// Call it as the first work of a process, while it has a single thread.
    ///
    /// - Returns: the exit code of the process.
    static func run(_ isolate: Isolate) -> Int32 {
        guard let request = CodecWork.request(EncoderRequest.blank, EncoderRequest.code) else { return 2 }
        CodecMessages.discard()
        // An isolated process cannot open a library.
        try? request.format.codec(for: "output").load("output")
        return EncodingWork.run(
            memory: request.head.memory, threads: request.options.png.threads, seconds: request.seconds,
            request.isolation, isolate
        ) { () throws(ImageError) in try encode(request) }
    }

    private static func encode(_ request: EncoderRequest) throws(ImageError) {
        let name = "output"
        let (head, format) = (request.head, request.format)
        let layout = try PixelLayout(reading: head.width, head.height, head.format, name: name)
        // The writer leaves this to an isolated process, because a library reads the profile.
        if request.isolation != .none { try head.metadata.checkProfile(for: layout.format, format, name: name) }
        let encoded = EncodedBytes(name: name)
        var rows = try SharedInput(layout, count: layout.height, name: name)
        var encoder = try format.codec(for: name).encoder(layout, head.metadata, format, request.options, encoded)
        var parts = FileParts(name: name)
        while let row = try rows.next() {
            try rows.with(row) { (row) throws(ImageError) in try encoder.writeRow(row) }
            if row.isLastOfBlock {
                try rows.confirmBlock()
                try encoded.drain(into: &parts)
            }
        }
        try encoder.end()
        repeat { try encoded.drain(into: &parts) } while try encoder.more()
        try parts.end()
    }
}
