/// An image as the exact reference and the comparator see it: rows of Double, normalised to 1.0, premultiplied,
/// channels interleaved in the order grey, (alpha) or red, green, blue, (alpha).
///
/// Written for plainness, and separate from the code with which the backends read pixels, so that a mistake there shows.
/// Both share only the table of channels, ``ChannelOrder``.
public struct SampleRows {
    public let width: Int
    public let height: Int
    /// Grey or RGB, with or without alpha.
    public let channels: ChannelLayout
    private let read: (Int) -> [Double]

    /// `width * channels.count` numbers of row `y`, 0 ..< height.
    public subscript(y: Int) -> [Double] { read(y) }

    /// - Parameter read: returns a row's numbers.
    public init(width: Int, height: Int, channels: ChannelLayout, read: @escaping (Int) -> [Double]) {
        self.width = width
        self.height = height
        self.channels = channels
        self.read = read
    }

    /// The rows of pixels in memory, which has to outlive the value.
    @unsafe public init(_ source: PixelSource) {
        let layout = unsafe source.layout
        let format = layout.format
        let channels = format.channels.canonical
        self.init(width: layout.width, height: layout.height, channels: channels) { y in
            let row = unsafe source.row(y)
            let (order, count) = (format.channels.order, channels.count)
            let colors = order.colors
            var values: [Double] = []
            values.reserveCapacity(layout.width * count)
            for first in stride(from: 0, to: layout.width * count, by: count) {
                let alpha = order.alpha.map { unsafe Self.sample(row, first + $0, format.sample) }
                let factor = format.alpha == .straight ? alpha ?? 1 : 1
                for place in colors {
                    values.append(unsafe Self.sample(row, first + place, format.sample) * factor)
                }
                if let alpha { values.append(alpha) }
            }
            return values
        }
    }

    /// The rows of an image.
    public init(_ image: PixelBuffer) {
        let layout = image.layout
        self.init(width: layout.width, height: layout.height, channels: layout.format.channels.canonical) { y in
            // SAFETY: the pointer does not leave the closure.
            unsafe image.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return [] }
                return unsafe SampleRows(PixelSource(base, layout: layout))[y]
            }
        }
    }

    /// The same rows with other channels: grey copied to all three colours, alpha 1 if there was none.
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

    private static func sample(_ row: UnsafeRawPointer, _ index: Int, _ type: SampleType) -> Double {
        switch type {
        case .u8: unsafe Double(row.load(fromByteOffset: index, as: UInt8.self)) / 255
        case .u16: unsafe Double(row.load(fromByteOffset: 2 * index, as: UInt16.self)) / 65535
        case .f32: unsafe Double(row.load(fromByteOffset: 4 * index, as: Float.self))
        }
    }
}
