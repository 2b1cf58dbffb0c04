/// An image as the exact reference and the comparator see it: rows of Double, normalised to 1.0, premultiplied,
/// channels interleaved in the order grey, (alpha) or red, green, blue, (alpha).
///
/// Written for plainness, apart from the code that the backends read pixels with, so that a mistake there shows.
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
            var values = (0..<layout.width * channels.count).map { unsafe Self.sample(row, $0, format.sample) }
            guard channels.hasAlpha else { return values }
            let count = channels.count
            for x in 0..<layout.width {
                if format.channels == .bgra { values.swapAt(count * x, count * x + 2) }
                guard format.alpha == .straight else { continue }
                for c in 0..<count - 1 { values[count * x + c] *= values[count * x + count - 1] }
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

    /// The same rows with other channels: grey spread to three, alpha 1 where there was none.
    public func expanded(to wanted: ChannelLayout) -> SampleRows {
        guard wanted != channels else { return self }
        let colors = channels.hasAlpha ? channels.count - 1 : channels.count
        let wantedColors = wanted.hasAlpha ? wanted.count - 1 : wanted.count
        return SampleRows(width: width, height: height, channels: wanted) { [self] y in
            let row = self[y]
            var out: [Double] = []
            out.reserveCapacity(width * wanted.count)
            for x in 0..<width {
                for c in 0..<wantedColors { out.append(row[x * channels.count + min(c, colors - 1)]) }
                if wanted.hasAlpha { out.append(channels.hasAlpha ? row[x * channels.count + colors] : 1) }
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
