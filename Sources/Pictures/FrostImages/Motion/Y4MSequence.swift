import FrostCore
import Synchronization

/// Writes a Y4M stream: 8 bits, limited range, with the matrix that players assume for the frame size.
///
/// Y4M has no alpha. Transparent pixels show the background of the options; without one they are an error. More than 8 bits
/// are rounded if the options ask for it. Y4M cannot state a colour space either, so the frames must be sRGB.
///
/// The stream states its range and the position of its chroma samples, so that every reader takes them alike. Y4M
/// cannot state the matrix. VideoReader and players assume ``YUVCoding/Matrix/usual(width:height:)``. ffmpeg's scaler
/// assumes BT.601 for every size, unless an option such as `-vf scale=in_color_matrix=bt709` states the matrix.
struct Y4MSequence: SequenceEncoder, ~Copyable {
    private var writer: VideoWriter<StreamSink>?
    private var tasks: FrameTasks<VideoFrame>
    private let conversions: ConversionPool
    private let fit: RowFit
    private let name: String
    /// Whether transparent pixels are an error, because they have no background.
    private let refusesTransparency: Bool
    /// The number of frames that were passed to `tasks`.
    private var framesAdded = 0

    init(
        _ target: SequenceTarget, _ sequence: SequenceDescription, _ file: AtomicFile.Options
    ) throws(ImageError) {
        let (layout, name) = (sequence.layout, target.name())
        let (sample, picture) = (layout.format.sample, sequence.options.picture)
        guard sample.isEightBit || picture.depth == 8 else {
            let what = sample.isFloat ? "floats" : "\(sample.size * 8) bits per sample"
            throw .cannotEncode(path: name, reason: "Y4M cannot hold \(what); --depth 8 reduces them")
        }
        let shift = sequence.options.chroma == .full ? 0 : 1
        let coding = YUVCoding(
            shiftX: shift, shiftY: shift, siting: .left, matrix: .usual(width: layout.width, height: layout.height))
        let format: VideoFormat
        do throws(PixelError) {
            format = try VideoFormat(width: layout.width, height: layout.height, yuv: coding)
        } catch {
            throw .cannotEncode(path: name, reason: "\(error)")
        }
        let conversions = try ConversionPool(format, coding, name: name)
        let fit = RowFit(layout, as: conversions.layout, over: picture.background)
        let header = Y4MHeader.line(format, coding, sequence.rate)
        let writer = try VideoWriter(to: target.open(file), header: header)
        self.fit = fit
        self.name = name
        refusesTransparency = picture.background == nil
        self.conversions = conversions
        self.writer = consume writer
        tasks = FrameTasks(sequence)
    }

    mutating func write(_ frame: PixelBuffer) throws(ImageError) {
        if let frame = try tasks.nextIfFull() { try writer?.write(frame) }
        let (fit, conversions, name) = (fit, conversions, name)
        let (number, refusesTransparency) = (framesAdded, refusesTransparency)
        framesAdded += 1
        tasks.add { () throws(ImageError) in
            if frame.format.sample.isEightBit, let planes = try conversions.with({ $0.planes(ofOpaque: frame) }) {
                return VideoFrame(header: Y4MHeader.frameLine, planes: planes)
            }
            guard !refusesTransparency || frame.isOpaque else {
                throw .cannotEncode(
                    path: name,
                    reason:
                        "Y4M cannot hold transparency, which frame \(number) has; use --background COLOR, for example "
                        + "black")
            }
            let pixels = fit.convert(frame)
            return VideoFrame(header: Y4MHeader.frameLine, planes: try conversions.with { $0.planes(of: pixels) })
        }
    }

    mutating func finish() throws(ImageError) {
        while let frame = try tasks.next() { try writer?.write(frame) }
        try writer.take()?.finish().commit()
    }
}

/// Colour conversions for several threads. Only one thread at a time may use a conversion, so the pool creates one for
/// each thread that needs it.
private final class ConversionPool: Sendable {
    /// The layout of the pixels that the conversions take.
    let layout: PixelLayout
    private let format: VideoFormat
    private let coding: YUVCoding
    private let name: String
    /// The conversions that no thread is using at the moment.
    private let idle: Mutex<[ColorConversion]>

    init(_ format: VideoFormat, _ coding: YUVCoding, name: String) throws(ImageError) {
        let first = try ColorConversion(format, coding, name: name)
        layout = first.layout
        idle = Mutex([first])
        (self.format, self.coding, self.name) = (format, coding, name)
    }

    func with<Result>(_ body: (ColorConversion) -> Result) throws(ImageError) -> Result {
        let ready = idle.withLock { $0.popLast() }
        let conversion = if let ready { ready } else { try ColorConversion(format, coding, name: name) }
        defer { idle.withLock { $0.append(conversion) } }
        return body(conversion)
    }
}

extension Y4MHeader {
    /// The line before each frame, with its line feed.
    static let frameLine = Array("FRAME\n".utf8)

    /// Returns the header line of a stream with 8 bits per sample, with its line feed.
    ///
    /// - Parameter coding: 4:4:4, or 4:2:0 with any siting.
    static func line(_ format: VideoFormat, _ coding: YUVCoding, _ rate: FrameRate) -> [UInt8] {
        let color =
            switch (coding.shiftY, coding.siting) {
            case (0, _): "444"
            case (_, .left): "420mpeg2"
            case (_, .center): "420jpeg"
            case (_, .topLeft): "420paldv"
            }
        let words = [
            "YUV4MPEG2", "W\(format.width)", "H\(format.height)", "F\(rate.numerator):\(rate.denominator)", "Ip",
            "A1:1",
            "C\(color)", "XCOLORRANGE=\(coding.isFullRange ? "FULL" : "LIMITED")",
        ]
        return Array((words.joined(separator: " ") + "\n").utf8)
    }
}
