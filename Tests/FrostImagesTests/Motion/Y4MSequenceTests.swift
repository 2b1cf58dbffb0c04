import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests that Y4M streams have the right header, luma and chroma, and that Frost's own reader gives the colours back.
@Suite struct Y4MSequenceTests {
    private func read(_ file: [UInt8]) throws -> (reader: VideoReader, frames: [PixelBuffer], planes: [[PixelBuffer]]) {
        let reader = try VideoReader(bytes: file, name: "in.y4m", limits: ImageLimits())
        guard case .yuv(let coding) = reader.format.coding else { throw ImageError.unknownSuffix(path: "") }
        let conversion = try ColorConversion(reader.format, coding, name: "in.y4m")
        var (frames, planes) = ([PixelBuffer](), [[PixelBuffer]]())
        while let frame = try reader.next() {
            frames.append(conversion.pixels(of: frame))
            planes.append(frame.planes)
        }
        return (reader, frames, planes)
    }

    @Test("The header states the size, the exact rate, the chroma and the range")
    func header() throws {
        let frames = try SequenceTests.frames(2, 7, 5)
        func header(_ chroma: SequenceOptions.Chroma) throws -> String {
            let file = try SequenceTests.write(frames, as: .y4m, SequenceOptions(chroma: chroma))
            return String(decoding: try read(file).reader.header, as: UTF8.self)
        }
        #expect(try header(.quarter) == "YUV4MPEG2 W7 H5 F30000:1001 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n")
        #expect(try header(.full) == "YUV4MPEG2 W7 H5 F30000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED\n")
    }

    @Test(
        "Every size comes back, odd ones and single pixels included",
        arguments: [(1, 1), (2, 1), (1, 3), (3, 5), (41, 29), (1281, 3), (5, 577)])
    func sizes(width: Int, height: Int) throws {
        let frames = try SequenceTests.frames(3, width, height)
        for chroma in SequenceOptions.Chroma.allCases {
            let file = try SequenceTests.write(frames, as: .y4m, SequenceOptions(chroma: chroma))
            let stream = try read(file)
            try #require(stream.frames.count == 3)
            // The reader assumes the matrix that the writer has used, for sizes below and above those of HD.
            let matrix = YUVCoding.Matrix.usual(width: width, height: height)
            let (red, blue) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
            var isOther = false
            for (number, frame) in frames.enumerated() {
                let luma = stream.planes[number][0].bytes
                for i in 0..<width * height {
                    let rgb = (0..<3).map { Double(frame.bytes[4 * i + $0]) / 255 }
                    let exact = 16 + 219 * (red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2])
                    // Luma is the exact value, rounded. zimg computes in 32-bit floats, which 0.01 allows for.
                    if abs(Double(luma[i]) - exact) > 0.51 { Issue.record("luma \(luma[i]), not \(exact)") }
                    let wrong = 16 + 219 * (0.25 * rgb[0] + 0.5 * rgb[1] + 0.25 * rgb[2])
                    if abs(Double(luma[i]) - wrong) > 0.51 { isOther = true }
                    guard chroma == .full else { continue }
                    // Luma and chroma are rounded by half a step, which changes RGB by up to 0.5 * 255 / 219 + 0.5 *
                    // 1.8556 * 255 / 224 = 1.64 steps. The result is rounded once more.
                    for channel in 0..<4 {
                        let difference =
                            Int(stream.frames[number].bytes[4 * i + channel]) - Int(frame.bytes[4 * i + channel])
                        if abs(difference) > 2 { Issue.record("channel \(channel) differs by \(difference)") }
                    }
                }
            }
            // With other weights, the comparison of luma fails.
            #expect(isOther || width * height < 4)
        }
    }

    @Test(
        "A frame of one colour comes back within two steps, with either chroma",
        arguments: SequenceOptions.Chroma.allCases)
    func colorsComeBack(chroma: SequenceOptions.Chroma) throws {
        let layout = try PixelLayout(width: 5, height: 3, format: PixelFormat(.rgb))
        for color in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [12, 200, 99]] as [[UInt8]] {
            let frame = try PixelBuffer(layout: layout, bytes: (0..<15).flatMap { _ in color })
            let stream = try read(SequenceTests.write([frame], as: .y4m, SequenceOptions(chroma: chroma)))
            let made = try #require(stream.frames.first)
            for i in 0..<15 {
                for channel in 0..<3 {
                    // The bound is that of `sizes`.
                    #expect(abs(Int(made.bytes[4 * i + channel]) - Int(color[channel])) <= 2, "\(color) \(channel)")
                }
            }
        }
    }

    @Test("Opaque frames have the same stream, whatever their channels and the gaps between their rows")
    func channels() throws {
        let frames = try SequenceTests.frames(3, 23, 9)
        let expected = try SequenceTests.write(frames, as: .y4m)
        func expectSame(_ channels: ChannelLayout, gap: Int) throws {
            let order = channels.order
            let format = PixelFormat(channels)
            let layout = try PixelLayout(
                width: 23, height: 9, format: format, bytesPerRow: 23 * channels.count + gap)
            let others = try frames.map { frame in
                var bytes = [UInt8](repeating: 77, count: layout.byteCount)
                for i in 0..<23 * 9 {
                    let at = i / 23 * layout.bytesPerRow + i % 23 * channels.count
                    bytes[at + order.red] = frame.bytes[4 * i]
                    bytes[at + order.green] = frame.bytes[4 * i + 1]
                    bytes[at + order.blue] = frame.bytes[4 * i + 2]
                    if let alpha = order.alpha { bytes[at + alpha] = 255 }
                }
                return try PixelBuffer(layout: layout, bytes: bytes)
            }
            #expect(try SequenceTests.write(others, as: .y4m) == expected, "\(channels), gaps of \(gap) bytes")
        }
        for channels in [ChannelLayout.rgb, .rgba, .bgra] {
            for gap in [0, 5] { try expectSame(channels, gap: gap) }
        }
    }

    @Test("Transparent pixels show the background; without a background they are an error")
    func background() throws {
        let layout = try PixelLayout(width: 4, height: 2, format: PixelFormat(.rgba))
        let color: [UInt8] = [200, 100, 40]
        for (background, behind) in [
            (try Color(red: 0, green: 0, blue: 0), [0, 0, 0]), (try Color(red: 1, green: 0, blue: 0.2), [255, 0, 51]),
        ] as [(Color, [Double])] {
            for alpha in [0, 77, 255] as [UInt8] {
                let frame = try PixelBuffer(layout: layout, bytes: (0..<8).flatMap { _ in color + [alpha] })
                let options = try SequenceOptions(picture: ImageWriteOptions(background: background), chroma: .full)
                let made = try #require(try read(SequenceTests.write([frame], as: .y4m, options)).frames.first)
                for channel in 0..<3 {
                    let share = Double(alpha) / 255
                    let expected = behind[channel] + (Double(color[channel]) - behind[channel]) * share
                    // The composite is rounded by half a step, in addition to the bound of `sizes`.
                    #expect(abs(Double(made.bytes[channel]) - expected) <= 3, "\(alpha) \(channel)")
                }
            }
        }
    }

    @Test("Frames with transparent pixels are refused without a background, and a file does not appear")
    func transparency() throws {
        for format in [PixelFormat(.rgba), PixelFormat(.bgra), PixelFormat(.greyAlpha), PixelFormat(.rgba, .u16)] {
            var frames = try SequenceTests.frames(3, 9, 7, format)
            let options = try SequenceOptions(picture: ImageWriteOptions(depth: 8))
            // Opaque frames need no background.
            _ = try SequenceTests.write(frames, as: .y4m, options)
            var bytes = frames[1].bytes
            bytes[bytes.count - 1] = 254
            frames[1] = try PixelBuffer(layout: frames[1].layout, bytes: bytes)
            let scratch = try Scratch()
            let error = imageError { _ = try SequenceTests.write(frames, as: .y4m, options, in: scratch) }
            let text = error.map { "\($0)" } ?? "no error"
            #expect(text.contains("transparency, which frame 1 has") && text.contains("--background"), "\(text)")
            #expect(error?.kind == .unwritable && scratch.entries.isEmpty)
        }
    }

    @Test(
        "Frames of more than 8 bits are refused, unless they are to be rounded",
        arguments: [SampleType.u16, .f16, .f32])
    func refusedDepth(sample: SampleType) throws {
        let scratch = try Scratch()
        let layout = try PixelLayout(width: 2, height: 2, format: PixelFormat(.rgb, sample))
        for depth in [nil, 16] {
            let error = imageError {
                _ = try SequenceWriter(
                    to: .file(path: FilePath(scratch.file("a"))), as: .y4m, layout: layout, rate: FrameRate(60),
                    frames: 2,
                    options: SequenceOptions(picture: ImageWriteOptions(depth: depth)))
            }
            #expect(error.map { "\($0)".contains("--depth 8") } == true)
        }
        #expect(scratch.entries.isEmpty)
    }

    @Test(
        "Frames of 16 bits are rounded to 8 if the options say so",
        arguments: [PixelFormat(.rgba, .u16), PixelFormat(.grey, .u16)])
    func depth(format: PixelFormat) throws {
        let frames = try SequenceTests.frames(2, 9, 7, format, isNoise: false)
        let options = try SequenceOptions(picture: ImageWriteOptions(depth: 8), chroma: .full)
        let made = try read(SequenceTests.write(frames, as: .y4m, options)).frames
        for (frame, made) in zip(frames, made) {
            let values = samples(of: frame)
            for i in 0..<63 {
                for channel in 0..<3 {
                    let value = Double(values[format.channels.isGrey ? i : 4 * i + channel]) / 257
                    #expect(abs(Double(made.bytes[4 * i + channel]) - value) <= 2.5)
                }
            }
        }
    }
}
