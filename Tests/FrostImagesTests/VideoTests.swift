import FrostCore
import FrostTestSupport
import Synchronization
import Testing

@testable import FrostImages

/// Tests video streams: how they are read and written, and what their sample values mean.
struct VideoTests {
    private func reader(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) throws -> VideoReader {
        try VideoReader(bytes: bytes, name: "in.y4m", limits: limits)
    }

    private func format(_ header: String) throws -> VideoFormat {
        try reader(Array("YUV4MPEG2 \(header)\n".utf8)).format
    }

    private func coding(_ header: String) throws -> YUVCoding? {
        if case .yuv(let coding) = try format(header).coding { coding } else { nil }
    }

    @Test("The header tells the sizes and sampling of planes")
    func header() throws {
        let sizes: [(String, [[Int]])] = [
            ("C420jpeg", [[7, 5], [4, 3], [4, 3]]), ("", [[7, 5], [4, 3], [4, 3]]),
            ("C411", [[7, 5], [2, 5], [2, 5]]), ("C422", [[7, 5], [4, 5], [4, 5]]),
            ("C444", [[7, 5], [7, 5], [7, 5]]), ("C444alpha", [[7, 5], [7, 5], [7, 5], [7, 5]]), ("Cmono", [[7, 5]]),
            ("C422p10", [[7, 5], [4, 5], [4, 5]]), ("Cmono16", [[7, 5]]),
        ]
        for (word, planes) in sizes {
            #expect(try format("W7 H5 F30:1 Ip \(word)").planes.map { [$0.width, $0.height] } == planes, "\(word)")
        }
        #expect(try coding("W7 H5 C420p12")?.depth == 12)
        #expect(try format("W7 H5 C420p12").planes[1].format.sample == .u16)
        #expect(try coding("W7 H5 C420mpeg2")?.siting == .left)
        #expect(try coding("W7 H5")?.siting == .center)
        #expect(try coding("W7 H5 C420paldv")?.siting == .topLeft)
        #expect(try coding("W7 H5 XYSCSS=420JPEG XCOLORRANGE=FULL")?.isFullRange == true)
        #expect(try coding("W7 H5 XYSCSS=420JPEG XCOLORRANGE=LIMITED")?.isFullRange == false)
        #expect(try coding("W720 H576")?.matrix == .bt601)
        #expect(try coding("W1280 H720")?.matrix == .bt709)
    }

    @Test("A stream that is read is written again byte for byte, frame parameters included")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 3)
        for word in ["C420jpeg", "C411", "C444alpha", "Cmono16"] {
            let header = "YUV4MPEG2 W6 H4 F30000:1001 Ip A8:9 \(word) XNOTE=a=b"
            var bytes = Array((header + "\n").utf8)
            let count = try format("W6 H4 \(word)").byteCount
            for line in ["FRAME\n", "FRAME Ippp XN=1\n", "FRAME\n"] {
                bytes += Array(line.utf8) + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
            }
            let reader = try reader(bytes)
            var writer = try VideoWriter(to: MemorySink(), header: reader.header)
            while let frame = try reader.next() { try writer.write(frame) }
            #expect(reader.framesRead == 3)
            #expect(try writer.finish().bytes == bytes, "\(word)")
        }
    }

    @Test(
        "Broken and hostile streams are errors with their place",
        arguments: [
            ("", "empty"), ("YUV4MPEG2", "not a Y4M stream"), ("YUV4MPEG2 W4 H2", "does not end"),
            ("YUV4MPEG2 W4\n", "width and height"), ("YUV4MPEG2 W0 H2\n", "width and height"),
            ("YUV4MPEG2 W-4 H2\n", "width and height"),
            ("YUV4MPEG2 W99999999999999999999 H2\n", "width and height"),
            ("YUV4MPEG2 W4000000000 H4000000000\n", "exceeds the limit"),
            ("YUV4MPEG2 W32768 H32769\n", "exceeds the limit"),
            ("YUV4MPEG2 W4 H2 It\n", "interlaced"), ("YUV4MPEG2 W4 H2 C410\n", "C410"),
            ("YUV4MPEG2 W4 H2 C420p17\n", "C420p17"), ("YUV4MPEG2 W4 H2 Cmono\nFRAM", "frame 1"),
            ("YUV4MPEG2 W4 H2 Cmono\nFRAMES\n12345678", "frame 1"),
            ("YUV4MPEG2 W4 H2 Cmono\nFRAME\n12345678FRAME\n1234567", "frame 2 ends after"),
            ("YUV4MPEG2 W30000 H30000\nFRAME\n1", "frame 1 ends after"),
            ("YUV4MPEG2 W2 H1 Cmono10\nFRAME\n1234", "above 1023"),
            ("P5 4 2 255\n12345678", "it is a PGM"),
        ])
    func broken(text: String, evidence: String) throws {
        let error = imageError {
            let reader = try reader(Array(text.utf8))
            while try reader.next() != nil {}
        }
        #expect(
            error.map { "\($0)".contains(evidence) && "\($0)".hasPrefix("in.y4m: ") } == true,
            "\(String(describing: error))")
        #expect(error?.kind == (evidence == "exceeds the limit" ? .overLimit : .unreadable))
    }

    @Test("A header without an end is refused after 4 KiB")
    func endless() throws {
        let long = Array("YUV4MPEG2 W4 H2 ".utf8) + [UInt8](repeating: UInt8(ascii: "X"), count: 5000)
        #expect(imageError { _ = try reader(long + [10]) }?.kind == .unreadable)
        let fits = Array("YUV4MPEG2 W4 H2 ".utf8) + [UInt8](repeating: UInt8(ascii: "X"), count: 4000) + [10]
        #expect(try reader(fits).next() == nil)
    }

    @Test("Frames without a header end with the last whole one, or with an error that counts the bytes of the next")
    func raw() throws {
        let format = try VideoFormat(width: 2, height: 1, pixels: PixelFormat(.rgba))
        let whole = try VideoReader(
            bytes: [UInt8](repeating: 7, count: 24), name: "in", raw: format, limits: ImageLimits())
        while try whole.next() != nil {}
        #expect(whole.framesRead == 3)
        for (count, frame) in [(23, "frame 3"), (0, "frame 1")] {
            let error = imageError {
                let reader = try VideoReader(
                    bytes: [UInt8](repeating: 7, count: count), name: "in", raw: format, limits: ImageLimits())
                while try reader.next() != nil {}
            }
            #expect(error.map { "\($0)".contains(frame) } == true)
        }
        #expect(
            imageError {
                _ = try VideoReader(bytes: [], name: "in", raw: format, limits: ImageLimits(maximumSide: 1))
            }?.kind == .overLimit)
    }

    /// Converts R'G'B' values in 0...1 to YCbCr samples with the bit depth of `coding`. The formulas are those of section 3
    /// of ITU-R BT.601 and BT.709.
    private func samples(_ rgb: [Double], _ coding: YUVCoding) -> [Double] {
        let (red, blue) = coding.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
        let (cb, cr) = ((rgb[2] - luma) / (2 - 2 * blue), (rgb[0] - luma) / (2 - 2 * red))
        let scale = Double(1 << (coding.depth - 8)), full = Double(1 << coding.depth - 1)
        return coding.isFullRange
            ? [luma * full, cb * full + 128 * scale, cr * full + 128 * scale]
            : [(16 + 219 * luma) * scale, (128 + 224 * cb) * scale, (128 + 224 * cr) * scale]
    }

    private func flat(_ samples: [Double], _ format: VideoFormat) throws -> VideoFrame {
        VideoFrame(
            planes: try zip(format.planes, samples).map { layout, value in
                let number = UInt16(min(max(value.rounded(), 0), layout.format.sample == .u8 ? 255 : 65535))
                let sample =
                    layout.format.sample == .u8 ? [UInt8(number)] : [UInt8(number & 255), UInt8(number >> 8)]
                return try PixelBuffer(
                    layout: layout, bytes: (0..<layout.width * layout.height).flatMap { _ in sample })
            })
    }

    @Test("Greys and primaries become the right RGB, and come back, for both matrices and ranges")
    func colorsOfMatricesAndRanges() throws {
        let colors: [[Double]] = [
            [0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0.2, 0.6, 0.9],
        ]
        for matrix in [YUVCoding.Matrix.bt601, .bt709] {
            for isFullRange in [false, true] {
                for (depth, shift) in [(8, 1), (8, 0), (10, 1), (16, 0)] {
                    let coding = YUVCoding(
                        shiftX: shift, shiftY: shift, depth: depth, isFullRange: isFullRange, matrix: matrix)
                    let format = try VideoFormat(width: 13, height: 9, yuv: coding)
                    let conversion = try ColorConversion(format, coding, name: "test")
                    for color in colors {
                        let frame = try flat(self.samples(color, coding), format)
                        let pixels = conversion.pixels(of: frame)
                        let maximum = pixels.format.sample.maximum
                        // If luma and chroma are rounded by half a step, RGB changes by up to 0.5 * 255 / 219 + 0.5 * 1.8556
                        // * 255 / 224 = 1.64 steps.
                        let step = 1.64 * maximum / Double(1 << depth - 1) + 1
                        let made = FrostImagesTests.samples(of: pixels)
                        for (index, value) in made.enumerated() {
                            let expected = index % 4 == 3 ? maximum : color[index % 4] * maximum
                            #expect(abs(Double(value) - expected) <= step, "\(coding) \(color) \(index)")
                            if abs(Double(value) - expected) > step { return }
                        }
                        let back = VideoFrame(planes: conversion.planes(of: pixels))
                        for (plane, expected) in zip(back.planes, frame.planes) {
                            let pairs = zip(
                                FrostImagesTests.samples(of: plane), FrostImagesTests.samples(of: expected))
                            #expect(pairs.allSatisfy { abs($0 - $1) <= 1 }, "\(coding) \(color)")
                        }
                    }
                    // With the other colour matrix, the comparison fails.
                    var other = coding
                    other.matrix = matrix == .bt601 ? .bt709 : .bt601
                    let red = try flat(self.samples([1, 0, 0], coding), format)
                    let wrong = try ColorConversion(
                        VideoFormat(width: 13, height: 9, yuv: other), other, name: "test"
                    ).pixels(of: red)
                    let value = Double(FrostImagesTests.samples(of: wrong)[1]) / wrong.format.sample.maximum
                    let lost = Double(FrostImagesTests.samples(of: wrong)[0]) / wrong.format.sample.maximum
                    #expect(value > 0.02 || lost < 0.98)
                }
            }
        }
    }

    @Test("Chroma follows its siting: a ramp moves by a quarter of a sample")
    func siting() throws {
        func ramp(_ siting: YUVCoding.Siting) throws -> [Double] {
            let coding = YUVCoding(shiftX: 1, shiftY: 1, siting: siting, isFullRange: true)
            let format = try VideoFormat(width: 32, height: 8, yuv: coding)
            let frame = VideoFrame(
                planes: try format.planes.enumerated().map { index, layout in
                    let row = (0..<layout.width).map { UInt8(index == 2 ? 96 + 4 * $0 : 128) }
                    return try PixelBuffer(layout: layout, bytes: (0..<layout.height).flatMap { _ in row })
                })
            let pixels = try ColorConversion(format, coding, name: "test").pixels(of: frame)
            // In BT.709, red minus luma is 1.5748 times Cr.
            return (8..<24).map { 128 + (Double(pixels.bytes[(3 * 32 + $0) * 4]) - 128) / 1.5748 }
        }
        for (siting, offset) in [(YUVCoding.Siting.left, 0.0), (.topLeft, 0), (.center, 0.25)] {
            for (index, value) in try ramp(siting).enumerated() {
                let expected = 96 + 4 * (Double(index + 8) / 2 - offset)
                #expect(abs(value - expected) <= 0.7, "\(siting) \(index)")
            }
        }
    }

    @Test("Alpha and grey streams come back unchanged")
    func alphaAndGrey() throws {
        for coding in [YUVCoding(hasAlpha: true), YUVCoding(isGrey: true, isFullRange: true)] {
            let format = try VideoFormat(width: 16, height: 5, yuv: coding)
            var random = SeededGenerator(seed: 5)
            let frame = VideoFrame(
                planes: try format.planes.enumerated().map { index, layout in
                    let bytes = (0..<layout.byteCount).map { _ in
                        (1...2).contains(index) ? 128 : UInt8(truncatingIfNeeded: 16 + (random.next() >> 32) % 200)
                    }
                    return try PixelBuffer(layout: layout, bytes: bytes)
                })
            let conversion = try ColorConversion(format, coding, name: "test")
            #expect(conversion.planes(of: conversion.pixels(of: frame)) == frame.planes)
        }
    }

    @Test("A flow gives results in order, holds no more than its depth, and can be stopped")
    func flow() throws {
        let count = Counter()
        let flow = OrderedFlow<Int>(depth: 3) { () -> OrderedFlow<Int>.Work? in
            let number = count.next()
            guard number < 50 else { return nil }
            return { number }
        }
        for expected in 0..<50 {
            #expect(flow.next(unless: { false }) == expected)
            // The flow has asked at most once for each item already taken, three times for items in progress, and once
            // more to find the end.
            #expect(count.value <= expected + 1 + 3 + 1)
        }
        #expect(flow.next(unless: { false }) == nil)
        let endless = OrderedFlow<Int>(depth: 2) { () -> OrderedFlow<Int>.Work? in { 1 } }
        #expect(endless.next(unless: { false }) == 1)
        #expect(endless.next(unless: { true }) == nil)
        endless.stop()
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func next() -> Int { count.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue }
}
