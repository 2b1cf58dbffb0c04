import Frost
import FrostImages
import FrostMotion

/// The frames that a command makes: their times, and the output to which they are written.
struct FrameSequence {
    private let console: Console
    /// The files of which the frames are made, by the names of their members in the JSON object.
    private let inputs: [(name: String, path: FilePath)]
    private let target: FilePath
    let times: FrameTimes
    let output: SequenceOutput
    var options: SequenceOptions

    init(
        _ arguments: Arguments, _ picture: PictureOptions, inputs: [(name: String, path: FilePath)],
        at times: FrameTimes, _ console: Console
    ) throws(CommandError) {
        var output = try SequenceOutput(arguments, frames: times.values.count)
        options = try output.format.options(arguments, picture: picture.writing, threads: arguments.threads)
        if picture.keepsTimes { try output.keepTimes(of: inputs[0].path) }
        if arguments.written(.maxMemory) == nil { AddressSpace.keepFreedMemory() }
        target = try arguments.requiredPath(.output)
        var console = console
        console.outputIsPicture = target.isStandardOutput
        (self.console, self.inputs, self.times, self.output) = (console, inputs, times, output)
    }

    /// Renders all frames and writes them. The first frame is rendered before the output is opened, because most errors
    /// of rendering occur there.
    func write(
        metadata: ImageMetadata = ImageMetadata(), _ render: (Double) throws(CommandError) -> PixelBuffer
    ) throws(CommandError) -> PixelLayout {
        defer {
            StatusLine.clear()
            Interruption.setTemporaryFile(nil)
        }
        var writer = try started(with: render(times.values[0]), metadata)
        let layout = writer.layout
        for (index, time) in times.values.enumerated().dropFirst() {
            StatusLine.show("frame \(index + 1) of \(times.values.count)")
            let frame = try render(time)
            try rethrow(writer.write(frame), as: CommandError.writing)
        }
        do throws(ImageError) { try writer.finish() } catch { throw .writing(error) }
        return layout
    }

    /// Opens the output, writes the first frame and releases it.
    private func started(
        with first: consuming PixelBuffer, _ metadata: ImageMetadata
    ) throws(CommandError) -> SequenceWriter {
        var writer = try output.writer(first.layout, times.rate, options, metadata: metadata)
        try rethrow(writer.write(first), as: CommandError.writing)
        return writer
    }

    /// Prints a line or a JSON object about the frames that were written.
    ///
    /// - Parameters:
    ///   - text: the end of the line.
    ///   - details: the members of the JSON object besides those that all sequences have.
    func report(
        _ layout: PixelLayout, schema: String, text: String, details: JSONValue, render: Double, total: Duration
    ) {
        guard console.json else {
            let frames = times.values.count == 1 ? "" : "\(times.values.count) frames, "
            return console.note(
                "\(inputs.map(\.path.shownName).joined(separator: ", ")) -> \(output.shownName(target))  "
                    + "\(frames)\(layout.width)x\(layout.height)  \(text)")
        }
        console.result(
            .joined(
                ["schema": .string(schema)], .object(inputs.map { .init($0.name, .path($0.path)) }),
                [
                    "output": .path(target), "status": "ok", "frames": .int(times.values.count),
                    "width": .int(layout.width),
                    "height": .int(layout.height),
                ], details,
                [
                    "ms": [
                        "render": .number(render, decimals: 3), "total": .number(total.milliseconds, decimals: 3),
                    ]
                ]))
    }
}
