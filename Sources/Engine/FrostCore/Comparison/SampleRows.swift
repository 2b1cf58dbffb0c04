/// An image as rows of samples. The exact reference and the comparator read images in this form. Samples are
/// premultiplied numbers of the type Double, and 1.0 is full scale. Channels are interleaved: grey or red, green, blue,
/// then alpha if the image has alpha.
///
/// The code is simple, and independent of the code with which backends read pixels. So a comparison can reveal a
/// mistake in the backends' code. Both share only the table of channels, `ChannelOrder`.
public struct SampleRows {
    /// The image's width in pixels.
    public let width: Int
    /// The image's height in pixels.
    public let height: Int
    /// The channels of each row: grey or RGB, with or without alpha.
    public let channels: ChannelLayout
    private let read: (Int) -> [Double]

    /// Returns the `width * channels.count` numbers of row `y`, 0 ..< height.
    public subscript(y: Int) -> [Double] { read(y) }

    /// Creates rows from a function.
    ///
    /// - Parameter read: returns the numbers of a row.
    public init(width: Int, height: Int, channels: ChannelLayout, read: @escaping (Int) -> [Double]) {
        self.width = width
        self.height = height
        self.channels = channels
        self.read = read
    }

    /// Creates the rows of pixels in memory. The memory must outlive the value.
    @unsafe public init(_ source: PixelSource) {
        let layout = unsafe source.layout
        let format = layout.format
        let channels = format.channels.canonical
        self.init(width: layout.width, height: layout.height, channels: channels) { y in
            let row = unsafe source.row(y)
            let (order, count) = (format.channels.order, channels.count)
            let (colors, maximum) = (order.colors, format.sample.maximum)
            var values: [Double] = []
            values.reserveCapacity(layout.width * count)
            for first in stride(from: 0, to: layout.width * count, by: count) {
                let alpha = order.alpha.map { unsafe format.sample.number(row, at: first + $0) / maximum }
                let factor = format.alpha == .straight ? alpha ?? 1 : 1
                for place in colors {
                    values.append(unsafe format.sample.number(row, at: first + place) / maximum * factor)
                }
                if let alpha { values.append(alpha) }
            }
            return values
        }
    }

    /// Creates the rows of an image.
    public init(_ image: PixelBuffer) {
        let layout = image.layout
        self.init(width: layout.width, height: layout.height, channels: layout.format.channels.canonical) { y in
            // SAFETY: the pointer is used only within the closure.
            unsafe image.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return [] }
                return unsafe SampleRows(PixelSource(base, layout: layout))[y]
            }
        }
    }

    /// Returns the same rows with other channels. Grey is copied to all three colours. If alpha is added, it is 1.
    public func expanded(to wanted: ChannelLayout) -> SampleRows {
        guard wanted != channels else { return self }
        let order = channels.order
        let colors = wanted.isGrey ? [order.red] : [order.red, order.green, order.blue]
        return SampleRows(width: width, height: height, channels: wanted) { [self] y in
            let row = self[y]
            var out: [Double] = []
            out.reserveCapacity(width * wanted.count)
            for first in stride(from: 0, to: row.count, by: channels.count) {
                for place in colors { out.append(row[first + place]) }
                if wanted.hasAlpha { out.append(order.alpha.map { row[first + $0] } ?? 1) }
            }
            return out
        }
    }
}
