import CZimg
package import FrostCore
import Synchronization

/// A change of a picture's size, by Lanczos's filter of three lobes.
///
/// The picture is filtered along both axes. Sample i of n comes from the place p = (i + ½) / s of the input, for the scale s of
/// the output. The weight of an input sample at distance x is sinc(x t) sinc(x t / 3) for |x t| < 3, with t = min(s, 1), and
/// sinc(x) = sin(π x) / (π x). The weights are divided by their sum. Outside the picture, the samples are mirrored.
///
/// Alpha is multiplied in before and divided out after; the samples of CMYK are filtered as they are. In linear light, colours
/// are decoded before and encoded after. Results of integers are rounded to nearest.
///
/// Samples of 8 bits without alpha are filtered in 16-bit integers, others in floats. zimg rounds the weights to 2^-14 there. So a
/// picture that becomes much smaller, for which a result has many weights, is filtered in floats too.
package struct PictureResize: Sendable {
    /// A rectangle of the input, in pixels that may be fractions.
    package struct Part: Sendable, Hashable {
        package var left = 0.0
        package var top = 0.0
        package var width, height: Double

        package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
    }

    /// The pixels of the input, with straight alpha, and of the output.
    package let input, output: PixelLayout
    /// The part of the input that the output shows.
    package let part: Part
    /// The transfer function by which colours are decoded; nil to filter them as they are.
    package let light: TransferFunction?
    /// Whether the fourth channel is alpha, and not the black of CMYK.
    private let hasAlpha: Bool
    private let rows: ResizeRows
    private let graphs = Graphs()

    /// Graphs that no picture is using at the moment. A graph has the weights of the filter, whose computation would take a good
    /// part of the time of a frame.
    private final class Graphs: Sendable {
        let free = Mutex<[ZimgGraph]>([])
    }

    /// - Parameter largest: the largest sample of the output, if it has fewer bits than its type. The filter's lobes would reach
    ///   beyond it.
    /// - Throws: ``ImageError`` if the output is too large.
    package init(
        _ input: PixelLayout, to width: Int, _ height: Int, part: Part? = nil, light: TransferFunction? = nil,
        isCMYK: Bool = false, largest: Int? = nil, name: String
    ) throws(ImageError) {
        self.input = input
        output = try PixelLayout(reading: width, height, input.format, name: name)
        self.part = part ?? Part(width: Double(input.width), height: Double(input.height))
        self.light = isCMYK ? nil : light
        hasAlpha = !isCMYK && input.format.channels.hasAlpha
        rows = ResizeRows(input.format, light: self.light, hasAlpha: hasAlpha, largest: largest)
    }

    /// Whether the output is the input.
    package var changesNothing: Bool {
        input == output && part == Part(width: Double(input.width), height: Double(input.height))
    }

    /// The type of the samples that are filtered.
    private var working: SampleType {
        let reduction = max(part.width / Double(output.width), part.height / Double(output.height))
        return input.format.sample.isEightBit && light == nil && !hasAlpha && reduction <= Self.largestIntegerReduction
            ? .u16 : .f32
    }

    /// The largest reduction that is filtered in integers, with 48 weights along each axis.
    private static let largestIntegerReduction = 8.0

    /// The memory, in bytes, of the planes and the output.
    package var memory: Int {
        let pixels = input.width * input.height + output.width * output.height
        return pixels * input.format.channels.count * working.size + output.byteCount
    }

    /// Resizes a picture.
    ///
    /// - Parameter read: fills the next row of the input.
    package func run(
        name: String, _ read: (inout MutableRawSpan) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try Memory.check(memory, for: name)
        let planes = (0..<input.format.channels.count).map { _ in AlignedPlane(input.width, input.height, working) }
        let results = planes.map { _ in AlignedPlane(output.width, output.height, working) }
        let graph: ZimgGraph
        if let free = graphs.free.withLock({ $0.popLast() }) {
            graph = free
        } else {
            graph = try ZimgGraph(from: format(input, part), to: format(output), isResize: true, name: name)
        }
        defer { graphs.free.withLock { $0.append(graph) } }
        var bytes = [UInt8](repeating: 0, count: input.rowByteCount)
        for y in 0..<input.height {
            var span = bytes.mutableSpan
            // SAFETY: every byte is a valid value.
            var row = unsafe span.mutableBytes
            try read(&row)
            if working == .u16 {
                unsafe rows.separate(bytes, to: planes.map { unsafe $0.row(y, UInt16.self) })
            } else {
                unsafe rows.separate(bytes, to: planes.map { unsafe $0.row(y, Float.self) })
            }
        }
        graph.convert(placed(planes), to: placed(results))
        return unsafe PixelBuffer(layout: output) { (out) throws(Never) in
            guard let base = out.baseAddress else { return }
            for y in 0..<output.height {
                let row = unsafe base + y * output.bytesPerRow
                if working == .u16 {
                    unsafe rows.join(results.map { unsafe $0.row(y, UInt16.self) }, count: output.width, into: row)
                } else {
                    unsafe rows.join(results.map { unsafe $0.row(y, Float.self) }, count: output.width, into: row)
                }
            }
        }
    }

    /// Resizes a picture in memory.
    package func run(_ image: PixelBuffer, name: String) throws(ImageError) -> PixelBuffer {
        var y = 0
        return try run(name: name) { (row) throws(ImageError) in
            image.copyRow(y, into: &row)
            y += 1
        }
    }

    /// Returns the planes in zimg's order: grey or red, green and blue, then the fourth channel.
    private func placed(_ planes: [AlignedPlane]) -> [AlignedPlane?] {
        switch planes.count {
        case 2: [planes[0], nil, nil, planes[1]]
        default: planes
        }
    }

    private func format(_ layout: PixelLayout, _ part: Part? = nil) -> zimg_image_format {
        var format = zimg_image_format()
        unsafe zimg_image_format_default(&format, frost_zimg_version)
        (format.width, format.height) = (UInt32(layout.width), UInt32(layout.height))
        format.pixel_type = working == .u16 ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_FLOAT
        format.depth = UInt32(8 * working.size)
        format.pixel_range = ZIMG_RANGE_FULL
        let count = layout.format.channels.count
        format.color_family = count < 3 ? ZIMG_COLOR_GREY : ZIMG_COLOR_RGB
        format.matrix_coefficients = count < 3 ? ZIMG_MATRIX_UNSPECIFIED : ZIMG_MATRIX_RGB
        // Colours are multiplied by alpha already.
        if count % 2 == 0 { format.alpha = ZIMG_ALPHA_PREMULTIPLIED }
        if let part {
            (format.active_region.left, format.active_region.top) = (part.left, part.top)
            (format.active_region.width, format.active_region.height) = (part.width, part.height)
        }
        return format
    }
}
