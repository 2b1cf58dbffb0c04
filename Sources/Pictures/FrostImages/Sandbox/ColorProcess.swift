import FrostCore

/// A process in which Little CMS reads a profile of a picture and converts colours.
struct ColorProcess {
    private let messages: ProcessMessages
    private let shared: SharedRows
    private let name: String

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - limits: the limits on the memory and the time of the process.
    ///   - sandbox: the program of the process, and its isolation.
    private init(
        _ work: ColorRequest.Work, _ from: PixelLayout, to: PixelFormat, name: String, _ limits: ImageLimits,
        in sandbox: DecoderSandbox
    ) throws(ImageError) {
        let request = ColorRequest(
            work: work, width: from.width, height: from.height, from: from.format, to: to,
            memory: limits.maximumMemory ?? ImageLimits.availableMemory(),
            seconds: limits.maximumTime.secondsOfLimit,
            isolation: sandbox.isolation)
        let layouts = try request.layouts(name: name)
        let process: CodecProcess
        do throws(Errno) {
            shared = try SharedRows(
                blockSize: max(SharedRows.blockSize(layouts.from), SharedRows.blockSize(layouts.to)))
        } catch {
            throw .cannotIsolate(path: name, reason: error.message)
        }
        do throws(CodecStarter.Unavailable) {
            process = try CodecStarter.start(
                sandbox.program, .colors, .png, input: shared.descriptor,
                request: WireCoder.bytes(of: request, ColorRequest.code), rows: shared)
        } catch {
            throw .cannotIsolate(path: name, reason: error.reason)
        }
        messages = ProcessMessages(
            process: process, name: name, format: .png, isStream: false, maximumTime: limits.maximumTime,
            time: TimeLimit(limits.maximumTime), problems: ReadProblems())
        self.name = name
    }

    /// Reads the tone curve of a profile, as ``ProfileCurve/init(profile:)`` does.
    static func curve(
        profile: [UInt8], name: String, _ limits: ImageLimits, in sandbox: DecoderSandbox
    ) throws(ImageError) -> ProfileCurve? {
        let format = PixelFormat(.rgb, .u8, colorSpace: .icc(profile))
        let layout = try PixelLayout(reading: 1, 1, format, name: name)
        let process = try ColorProcess(.curve, layout, to: .rgb8, name: name, limits, in: sandbox)
        var coder = WireCoder(reading: try process.messages.next(.head, rows: 0))
        var curve: ProfileCurve?
        ProfileCurve.code(&coder, &curve)
        guard coder.isComplete else { throw process.messages.damage }
        return curve
    }

    /// Converts pixels. Returns nil if Little CMS cannot convert them.
    static func convert(
        _ pixels: PixelBuffer, _ work: ColorRequest.Work, from format: PixelFormat, to layout: PixelLayout,
        name: String,
        _ limits: ImageLimits, in sandbox: DecoderSandbox
    ) throws(ImageError) -> PixelBuffer? {
        try Memory.check(layout.byteCount, for: name)
        let from = try PixelLayout(reading: pixels.width, pixels.height, format, name: name)
        let process = try ColorProcess(work, from, to: layout.format, name: name, limits, in: sandbox)
        guard try process.messages.next(.head, rows: 0) == [1] else { return nil }
        let stride = max(from.rowByteCount, layout.rowByteCount)
        let perBlock = process.shared.blockSize / stride
        var y = 0
        return try PixelBuffer(rows: layout) { (row) throws(ImageError) in
            let (block, place) = (y / perBlock, y % perBlock)
            if place == 0 { try process.send(pixels, block, y..<min(y + perBlock, pixels.height), stride) }
            process.shared.with(block, place * stride..<place * stride + layout.rowByteCount) { converted in
                row.copyRow(converted.bytes)
            }
            y += 1
        }
    }

    /// Sends rows, and waits until they are converted.
    private func send(_ pixels: PixelBuffer, _ block: Int, _ rows: Range<Int>, _ stride: Int) throws(ImageError) {
        let size = pixels.layout.rowByteCount
        for (place, y) in rows.enumerated() {
            shared.with(block, place * stride..<place * stride + size) { pixels.copyRow(y, into: &$0) }
        }
        messages.process.confirmBlock()
        _ = try messages.next(.taken, rows: 0)
    }
}
