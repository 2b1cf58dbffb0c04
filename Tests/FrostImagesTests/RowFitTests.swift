import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests that rows which a format cannot store get the samples of the definition in 32-bit floats, bit for bit.
@Suite struct RowFitTests {
    /// An image of every colour value (columns) with every alpha (rows). Its three colour channels are equal.
    private static func everyValue(_ channels: ChannelLayout) throws -> PixelBuffer {
        let layout = try PixelLayout(width: 256, height: 256, format: PixelFormat(channels))
        var bytes: [UInt8] = []
        for alpha in 0...255 {
            for value in 0...255 {
                bytes += [UInt8](repeating: UInt8(value), count: channels.order.colors.count)
                if channels.hasAlpha { bytes.append(UInt8(alpha)) }
            }
        }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }

    private static func pixels(_ image: PixelBuffer) -> [SIMD4<Float>] {
        let (order, step) = (image.format.channels.order, image.format.channels.count)
        let (values, scale) = (samples(of: image), Float(image.format.sample.maximum))
        return (0..<image.width * image.height).map { index in
            let at = index * step
            let alpha = order.alpha.map { Float(values[at + $0]) } ?? scale
            return SIMD4(
                Float(values[at + order.red]), Float(values[at + order.green]), Float(values[at + order.blue]), alpha)
                / scale
        }
    }

    private static func fit(_ image: PixelBuffer, to format: ImageFormat, _ options: ImageWriteOptions) throws -> RowFit
    {
        try RowFit(image.layout, .light, to: format, options: options, name: "out")
    }

    @Test("Every colour with every alpha over every background of 8 bits has the bytes of the definition")
    func everyBackground() throws {
        for channels in [ChannelLayout.rgba, .bgra, .greyAlpha] {
            let image = try Self.everyValue(channels)
            let pixels = Self.pixels(image)
            // The three channels cover three backgrounds at once.
            for first in stride(from: 0, through: 255, by: 3) {
                let steps = (0..<3).map { min(first + $0, 255) }
                // The background is not grey, so the result has three channels.
                let background = try Color(
                    red: Double(steps[0]) / 255, green: Double(steps[1]) / 255,
                    blue: first == 255 ? 0 : Double(steps[2]) / 255)
                let fit = try Self.fit(image, to: .ppm, ImageWriteOptions(background: background))
                let behind = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 1)
                let expected = RowRounding.samples(pixels, over: behind, maximum: 255)
                try #require(fit.output.format.channels == .rgb)
                #expect(fit.convert(image).bytes == expected.map { UInt8($0) }, "\(channels) over \(steps)")
            }
        }
    }

    @Test("Backgrounds between two steps have the bytes of the definition")
    func fractionalBackground() throws {
        let image = try Self.everyValue(.rgba)
        let pixels = Self.pixels(image)
        for (red, green, blue) in [(0.3, 0.7, 0.11), (0.5, 0.2501, 0.999), (1.0 / 510, 0, 1)] {
            let options = ImageWriteOptions(background: try Color(red: red, green: green, blue: blue))
            let expected = RowRounding.samples(pixels, over: [Float(red), Float(green), Float(blue), 1], maximum: 255)
            #expect(try Self.fit(image, to: .ppm, options).convert(image).bytes == expected.map { UInt8($0) })
        }
    }

    @Test("Without a background, samples of 8 bits keep their values")
    func keptValues() throws {
        for channels in [ChannelLayout.grey, .greyAlpha, .rgb, .rgba, .bgra] {
            let image = try Self.everyValue(channels)
            let pixels = Self.pixels(image)
            let fit = try Self.fit(image, to: .webp, ImageWriteOptions())
            let expected = RowRounding.samples(pixels, over: nil, maximum: 255).map { UInt8($0) }
            let count = fit.output.format.channels.count
            let stored = (0..<pixels.count).flatMap { expected[4 * $0..<4 * $0 + count] }
            #expect(fit.convert(image).bytes == stored, "\(channels)")
        }
    }

    @Test("Rows that are shorter than their stride are converted alike")
    func paddedRows() throws {
        let format = PixelFormat(.rgba)
        let layout = try PixelLayout(width: 7, height: 5, format: format, bytesPerRow: 36)
        let noise = SeededNoise(seed: 3)
        let bytes = (0..<36 * 5).map { UInt8(noise.value($0 % 36, $0 / 36, 0) * 255) }
        let padded = try PixelBuffer(layout: layout, bytes: bytes)
        let dense = try PixelBuffer(
            width: 7, height: 5, format: format, bytes: (0..<5).flatMap { bytes[$0 * 36..<$0 * 36 + 28] })
        let options = ImageWriteOptions(background: try Color(red: 0.2, green: 1, blue: 0))
        let expected = try Self.fit(dense, to: .ppm, options).convert(dense)
        #expect(try Self.fit(padded, to: .ppm, options).convert(padded) == expected)
    }

    @Test(
        "Floats are rounded to the nearest step, halves upwards, and dithered floats are rounded down",
        arguments: [8, 16])
    func rounding(depth: Int) throws {
        let maximum: Float = depth == 8 ? 255 : 65535
        // Every half of a step, every step, and the floats next to them; then values out of range.
        var values: [Float] = [.nan, .infinity, -.infinity, -0.5, -0.0, 1.5, 1e30, .leastNonzeroMagnitude]
        for number in stride(from: Float(0), through: 2 * maximum, by: depth == 8 ? 1 : 7) {
            let value = number / 2 / maximum
            values += [value.nextDown, value, value.nextUp]
        }
        while values.count % 4 != 0 { values.append(0) }
        let pixels = stride(from: 0, to: values.count, by: 4).map {
            SIMD4(values[$0], values[$0 + 1], values[$0 + 2], values[$0 + 3])
        }
        let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
        let image = try PixelBuffer(width: pixels.count, height: 1, format: PixelFormat(.rgba, .f32), bytes: bytes)
        for dither in [nil, Dither(seed: 5)] {
            var options = ImageWriteOptions(depth: depth)
            options.dither = dither
            let stored = samples(of: try Self.fit(image, to: .png, options).convert(image)).map { UInt16($0) }
            let offsets = dither.map { dither in
                let (table, start) = (dither.offsets, Int(dither.start(y: 0)))
                return pixels.indices.map { (Float(table[(start + $0) % Dither.period]) + 0.5) / 64 }
            }
            let expected = RowRounding.samples(pixels, over: nil, maximum: maximum, offsets: offsets)
            #expect(stored == expected, "\(depth) bits, \(dither == nil ? "nearest" : "dithered")")
        }
    }
}
