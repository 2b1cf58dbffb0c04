import FrostCore
import Testing

/// Tests which rows count as opaque.
@Suite struct OpaqueRowTests {
    @Test("A row is opaque if every alpha is at least the maximum, at every place", arguments: SampleType.allCases)
    func everyPlace(sample: SampleType) {
        func bytes(_ value: Double) -> [UInt8] {
            switch sample {
            case .u8: [UInt8(value)]
            case .u16: unsafe withUnsafeBytes(of: UInt16(value)) { unsafe Array($0) }
            case .f16: unsafe withUnsafeBytes(of: Float16(value)) { unsafe Array($0) }
            case .f32: unsafe withUnsafeBytes(of: Float(value)) { unsafe Array($0) }
            }
        }
        let least = bytes(sample.maximum)
        let below = bytes(sample.isFloat ? 0.999 : sample.maximum - 1)
        let beyond = sample.isFloat ? [bytes(1.5), bytes(.infinity)] : []
        for channels in [ChannelLayout.greyAlpha, .rgba, .bgra] {
            let format = PixelFormat(channels, sample)
            for width in 1...41 {
                var row: [UInt8] = []
                for _ in 0..<width {
                    for _ in 1..<channels.count { row += bytes(0) }
                    row += least
                }
                #expect(format.isOpaque(unsafe row.span.bytes), "\(format), \(width) pixels")
                for pixel in 0..<width {
                    let place = ((pixel + 1) * channels.count - 1) * sample.size
                    func isOpaque(with alpha: [UInt8]) -> Bool {
                        var row = row
                        row.replaceSubrange(place..<place + sample.size, with: alpha)
                        return format.isOpaque(unsafe row.span.bytes)
                    }
                    #expect(!isOpaque(with: below), "\(format), pixel \(pixel) of \(width)")
                    for alpha in beyond { #expect(isOpaque(with: alpha), "\(format), pixel \(pixel) of \(width)") }
                    if sample.isFloat { #expect(!isOpaque(with: bytes(.nan)), "NaN, pixel \(pixel) of \(width)") }
                }
            }
        }
        #expect(PixelFormat(.rgb, sample).isOpaque(unsafe [UInt8](repeating: 0, count: 3 * sample.size).span.bytes))
    }
}
