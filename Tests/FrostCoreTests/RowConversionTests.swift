import FrostCore
import FrostTestSupport
import Testing

/// Loads and stores rows that are given as arrays. The values are fractions of full scale.
enum Row {
    static func load<Stored>(_ stored: [Stored], _ format: PixelFormat, addingAlpha: Bool = false) -> [Float] {
        let conversion = RowConversion(format: format, addingAlpha: addingAlpha)
        let count = stored.count / format.channels.count
        var out = [Float](repeating: .nan, count: count * conversion.working.count)
        // SAFETY: both arrays hold `count` pixels.
        unsafe stored.withUnsafeBytes { from in
            unsafe out.withUnsafeMutableBufferPointer { to in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                unsafe conversion.load(source, count: count, into: target)
            }
        }
        return out.map { $0 / Float(format.sample.maximum) }
    }

    static func store<Stored>(_ values: [Float], _ format: PixelFormat, zero: Stored, addingAlpha: Bool = false)
        -> [Stored]
    {
        let conversion = RowConversion(format: format, addingAlpha: addingAlpha)
        let values = values.map { $0 * Float(format.sample.maximum) }
        let count = values.count / conversion.working.count
        var out = [Stored](repeating: zero, count: count * format.channels.count)
        // SAFETY: both arrays hold `count` pixels.
        unsafe values.withUnsafeBufferPointer { from in
            unsafe out.withUnsafeMutableBytes { to in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                unsafe conversion.store(source, count: count, into: target)
            }
        }
        return out
    }
}

/// Tests the orders of channels. All conversions between layouts are derived from them.
struct ChannelOrderTests {
    /// The arguments are a layout, one pixel in the layout's memory order, and the same pixel as RGBA.
    @Test(
        "each layout is read in its order, and written in it again",
        arguments: [
            (ChannelLayout.grey, [7], [7, 7, 7, 255]), (.greyAlpha, [7, 9], [7, 7, 7, 9]),
            (.rgb, [1, 2, 3], [1, 2, 3, 255]),
            (.rgba, [1, 2, 3, 4], [1, 2, 3, 4]), (.bgra, [3, 2, 1, 4], [1, 2, 3, 4]),
        ] as [(ChannelLayout, [UInt8], [UInt8])])
    func order(_ layout: ChannelLayout, _ pixel: [UInt8], _ rgba: [UInt8]) {
        #expect(layout.count == pixel.count)
        // Rows shorter and longer than a vector, with all remainders of a vector's length. All pixels of a row differ.
        for count in Array(1...21) + [77] {
            func row(_ pixel: [UInt8]) -> [UInt8] {
                (0..<count).flatMap { i in pixel.map { $0 == 255 ? 255 : $0 + UInt8(3 * i) } }
            }
            let pixels = row(pixel)
            var bytes = [UInt8](repeating: 0, count: 4 * count)
            // SAFETY: each array has `count` pixels of its layout.
            unsafe layout.expand(pixels, count: count, opaque: 255, into: &bytes)
            #expect(bytes == row(rgba))
            var back = [UInt8](repeating: 0, count: pixels.count)
            unsafe layout.narrow(bytes, count: count, into: &back)
            #expect(back == pixels)
            var floats = bytes.map { Float($0) }
            unsafe floats.withUnsafeMutableBufferPointer { memory in
                guard let base = memory.baseAddress else { return }
                // Source and target are the same memory.
                unsafe layout.narrow(base, count: count, into: base)
            }
            #expect(floats.prefix(pixels.count).map { UInt8($0) } == pixels)
        }
    }

    @Test("a canonical layout has the same channels, and follows from their number")
    func canonical() {
        for layout in ChannelLayout.allCases {
            #expect(layout.canonical.canonical == layout.canonical)
            #expect(ChannelLayout(canonical: layout.count) == layout.canonical)
            #expect(layout.canonical.hasAlpha == layout.hasAlpha && layout.canonical.isGrey == layout.isGrey)
        }
    }
}

struct RowConversionTests {
    static let opaque: [PixelFormat] = [
        PixelFormat(.grey), PixelFormat(.rgb), PixelFormat(.greyAlpha, alpha: .premultiplied),
        PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.bgra, alpha: .premultiplied),
    ]

    @Test("every 8-bit value survives loading and storing, in every layout without division", arguments: opaque)
    func roundTrip8(_ format: PixelFormat) {
        let values = (0..<256 * format.channels.count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        #expect(Row.store(Row.load(values, format), format, zero: UInt8(0)) == values)
        let all = (0...255).flatMap { [UInt8](repeating: UInt8($0), count: format.channels.count) }
        #expect(Row.store(Row.load(all, format), format, zero: UInt8(0)) == all)
    }

    @Test("every 16-bit value survives loading and storing, in every layout without division", arguments: opaque)
    func roundTrip16(_ format: PixelFormat) {
        var format = format
        format.sample = .u16
        let all = (0...65535).flatMap { [UInt16](repeating: UInt16($0), count: format.channels.count) }
        #expect(Row.store(Row.load(all, format), format, zero: UInt16(0)) == all)
    }

    @Test("every value is read as itself over the maximum, 0 as 0 and the maximum as 1 exactly")
    func normalisation() {
        let eight = Row.load((0...255).map { UInt8($0) }, PixelFormat(.grey))
        let sixteen = Row.load((0...65535).map { UInt16($0) }, PixelFormat(.grey, .u16))
        #expect(eight[0] == 0 && eight[255] == 1 && sixteen[0] == 0 && sixteen[65535] == 1)
        // The value is the product of two rounded floats. Its relative error is therefore at most 1.5 units in the last
        // place (1.5 x 2^-23).
        for (values, maximum) in [(eight, 255.0), (sixteen, 65535.0)] {
            for (v, value) in values.enumerated() {
                let exact = Double(v) / maximum
                #expect(abs(Double(value) - exact) <= 1.5 * 0x1p-23 * exact)
            }
        }
    }

    @Test("a number is stored as the nearest sample, on a fine grid that exceeds full scale")
    func nearest() {
        let numbers = (-1000...40000).map { Float($0) / 37000 }
        let eight = Row.store(numbers, PixelFormat(.grey), zero: UInt8(0))
        let sixteen = Row.store(numbers, PixelFormat(.grey, .u16), zero: UInt16(0))
        for (i, x) in numbers.enumerated() {
            let clamped = min(max(Double(x), 0), 1)
            // The tolerance is half a step for rounding to an integer, plus the rounding error of the product.
            #expect(abs(Double(eight[i]) - clamped * 255) <= 0.5 + 255 * 0x1p-24)
            #expect(abs(Double(sixteen[i]) - clamped * 65535) <= 0.5 + 65535 * 0x1p-24)
        }
    }

    @Test(
        "straight to premultiplied and back keeps the product of colour and alpha within half a step, for all pairs",
        arguments: [ChannelLayout.greyAlpha, .rgba, .bgra])
    func straightPairs(_ channels: ChannelLayout) {
        let format = PixelFormat(channels)
        let colors = channels.count - 1
        var stored: [UInt8] = []
        for color in 0...255 {
            for alpha in 0...255 {
                for c in 0..<colors { stored.append(UInt8((color + c * 85) & 255)) }
                stored.append(UInt8(alpha))
            }
        }
        let back = Row.store(Row.load(stored, format), format, zero: UInt8(0))
        var worst = 0.0
        for pixel in stride(from: 0, to: stored.count, by: channels.count) {
            let alpha = stored[pixel + colors]
            #expect(back[pixel + colors] == alpha)
            for c in 0..<colors {
                let before = Double(stored[pixel + c]) * Double(alpha) / 255
                let after = Double(back[pixel + c]) * Double(back[pixel + colors]) / 255
                worst = max(worst, abs(before - after))
                if alpha == 0 { #expect(back[pixel + c] == 0, "colour where nothing is visible") }
            }
        }
        #expect(worst <= 0.5 + 1e-4)
    }

    @Test("a premultiplied number comes back from straight storage within half a step of itself and its alpha")
    func storeStraight() {
        let noise = SeededNoise(seed: 5)
        var working: [Float] = []
        for i in 0..<20000 {
            let alpha = i < 300 ? Double(i) / 299 : noise.value(i, 0, 0) * noise.value(i, 0, 1)
            working += [Float(alpha * noise.value(i, 0, 2)), Float(alpha)]
        }
        let eight = Row.store(working, PixelFormat(.greyAlpha), zero: UInt8(0))
        let sixteen = Row.store(working, PixelFormat(.greyAlpha, .u16), zero: UInt16(0))
        func check<Stored: BinaryInteger>(_ stored: [Stored], _ maximum: Double) {
            for i in stride(from: 0, to: working.count, by: 2) {
                let product = Double(stored[i]) * Double(stored[i + 1]) / maximum
                // The error is at most half a step. It comes from rounding the quotient, which is then multiplied by alpha.
                // If the quotient is clamped to 1, it comes from rounding alpha instead.
                #expect(abs(product - Double(working[i]) * maximum) <= 0.5 + maximum * 0x1p-22)
                #expect(abs(Double(stored[i + 1]) - Double(working[i + 1]) * maximum) <= 0.5 + maximum * 0x1p-23)
            }
        }
        check(eight, 255)
        check(sixteen, 65535)
    }

    @Test("working rows are in the order red, green, blue, alpha whatever the order in memory")
    func order() {
        let rgba: [Float] = [0.1, 0.2, 0.3, 1]
        #expect(Row.load([Float(0.3), 0.2, 0.1, 1], PixelFormat(.bgra, .f32)) == rgba)
        #expect(Row.load([Float(0.1), 0.2, 0.3, 1], PixelFormat(.rgba, .f32)) == rgba)
        #expect(Row.load([Float(0.1), 0.2, 0.3], PixelFormat(.rgb, .f32), addingAlpha: true) == rgba)
        #expect(Row.load([Float(0.1)], PixelFormat(.grey, .f32), addingAlpha: true) == [0.1, 1])
        #expect(Row.store(rgba, PixelFormat(.bgra, .f32), zero: Float(0)) == [0.3, 0.2, 0.1, 1])
        #expect(Row.store(rgba, PixelFormat(.rgb, .f32), zero: Float(0), addingAlpha: true) == [0.1, 0.2, 0.3])
        #expect(Row.store([Float(0.5), 0.25], PixelFormat(.grey, .f32), zero: Float(0), addingAlpha: true) == [0.5])
        #expect(
            Row.load([UInt8(30), 20, 10, 255], PixelFormat(.bgra))
                == Row.load([UInt8(10), 20, 30, 255], PixelFormat(.rgba)))
        #expect(
            Row.load([UInt16(300), 200, 100, 40000], PixelFormat(.bgra, .u16))
                == Row.load([UInt16(100), 200, 300, 40000], PixelFormat(.rgba, .u16)))
    }

    @Test("no float traps: NaN and values below 0 become 0, values above 1 full scale", arguments: opaque)
    func wildFloats(_ format: PixelFormat) {
        let cases: [(Float, Bool)] = [
            (.nan, false), (.signalingNaN, false), (-.infinity, false), (-1, false), (-0.0, false),
            (-.leastNonzeroMagnitude, false), (.infinity, true), (.greatestFiniteMagnitude, true), (1e10, true),
            (1.0001, true),
        ]
        for (value, isFull) in cases {
            let row = [Float](repeating: value, count: format.channels.count)
            #expect(Row.store(row, format, zero: UInt8(1)) == row.map { _ in isFull ? 255 : 0 })
            var wide = format
            wide.sample = .u16
            #expect(Row.store(row, wide, zero: UInt16(1)) == row.map { _ in isFull ? 65535 : 0 })
        }
    }

    @Test("no float traps on the way to straight alpha either")
    func wildFloatsStraight() {
        let wild: [Float] = [
            .nan, -.infinity, .infinity, -1, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.5, 1, 2,
            .greatestFiniteMagnitude,
        ]
        for color in wild {
            for alpha in wild {
                let stored = Row.store([color, alpha], PixelFormat(.greyAlpha), zero: UInt8(1))
                if !(alpha > 0.5 / 255) { #expect(stored == [0, 0], "\(color) \(alpha)") }
                _ = Row.store([color, alpha], PixelFormat(.greyAlpha, .u16), zero: UInt16(1))
                _ = Row.store([color, alpha], PixelFormat(.greyAlpha, .f32), zero: Float(1))
            }
        }
    }

    @Test("finite premultiplied floats stay finite in straight storage, however small alpha is")
    func tinyAlpha() {
        for exponent in 1...149 {
            let alpha = Float(sign: .plus, exponent: -exponent, significand: 1)
            let stored = Row.store([alpha / 2, alpha], PixelFormat(.greyAlpha, .f32), zero: Float(0))
            #expect(stored[0].isFinite, "alpha 2^-\(exponent)")
        }
    }

    @Test("straight floats come back as they were, to a float's precision")
    func straightFloats() {
        let noise = SeededNoise(seed: 9)
        let stored = (0..<4000).map { Float(0.001 + 0.999 * noise.value($0, 1, 0)) }
        let back = Row.store(Row.load(stored, PixelFormat(.rgba, .f32)), PixelFormat(.rgba, .f32), zero: Float(0))
        // Three results are rounded: a product when a float is loaded, and a reciprocal and a product when it is stored.
        for (a, b) in zip(stored, back) { #expect(abs(a - b) <= 3 * 0x1p-24 * max(a, b) + 1e-9) }
    }
}
