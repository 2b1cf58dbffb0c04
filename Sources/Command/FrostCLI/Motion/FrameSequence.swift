import Frost
import FrostImages

/// The frames that a command makes: their times, and the output to which they are written.
struct FrameSequence {
    private let console: Console
    /// The files of which the frames are made, by the names of their members in the JSON object.
    private let inputs: [(name: String, path: FilePath)]
    private let target: FilePath
    let times: [Double]
    let rate: FrameRate
    let output: SequenceOutput
    var options: SequenceOptions

    init(
        _ arguments: Arguments, _ picture: PictureOptions, inputs: [(name: String, path: FilePath)],
        at times: [Double], _ rate: FrameRate, _ console: Console
    ) throws(CommandError) {
        var output = try SequenceOutput(arguments, frames: times.count)
        options = try output.options(arguments, picture: picture.writing)
        if picture.keepsTimes { try output.keepTimes(of: inputs[0].path) }
        target = try arguments.requiredPath(.output)
        var console = console
        console.outputIsPicture = target.isStandardOutput
        (self.console, self.inputs, self.times, self.rate, self.output) = (console, inputs, times, rate, output)
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
        let first = try render(times[0])
        var writer = try output.writer(first.layout, rate, options, metadata: metadata)
        try rethrow(writer.write(first), as: CommandError.writing)
        for (index, time) in times.enumerated().dropFirst() {
            StatusLine.show("frame \(index + 1) of \(times.count)")
            let frame = try render(time)
            try rethrow(writer.write(frame), as: CommandError.writing)
        }
        do throws(ImageError) { try writer.finish() } catch { throw .writing(error) }
        return first.layout
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
            let count = times.count == 1 ? "" : "\(times.count) frames, "
            return console.note(
                "\(inputs.map(\.path.shownName).joined(separator: ", ")) -> \(target.shownName)  "
                    + "\(count)\(layout.width)x\(layout.height)  \(text)")
        }
        console.result(
            .joined(
                ["schema": .string(schema)], .object(inputs.map { .init($0.name, .path($0.path)) }),
                [
                    "output": .path(target), "status": "ok", "frames": .int(times.count), "width": .int(layout.width),
                    "height": .int(layout.height),
                ], details,
                [
                    "ms": [
                        "render": .number(render, decimals: 3), "total": .number(total.milliseconds, decimals: 3),
                    ]
                ]))
    }
}
