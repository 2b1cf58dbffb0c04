import FrostCPU
import FrostCore
@testable import FrostDrawing
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Tests transitions on the GPU against the CPU, which executes the same plan. FrostTests compares with the exact backend.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct TransitionTests {
    static let names = TransitionCatalog.all.map(\.name)
    static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.bgra), PixelFormat(.rgb),
        PixelFormat(.grey), PixelFormat(.greyAlpha), PixelFormat(.rgba, .u16),
        PixelFormat(.rgb, .f32), PixelFormat(.rgba, .f32, alpha: .premultiplied),
    ]

    /// Parameters with which every part of a transition is visible in small images.
    static let parameters: [String: String] = [
        "swipe": "angle=33 width=40 opacity=0.7 color=#ff8000c0", "copy-machine": "angle=33 width=25",
        "bars-swipe": "angle=200 width=7.5 bar-offset=3", "mod": "radius=9 compression=40",
        "disintegrate-with-mask": "shadow-radius=2", "ripple": "width=20 scale=12",
        "accordion-fold": "folds=5 bottom-height=9 fold-shadow-amount=0.4",
        "page-curl": "angle=33 radius=11", "page-curl-with-shadow": "angle=250 radius=11",
        "flash": "center-x=0.4 max-striation-radius=3",
    ]

    static func transition(_ name: String) throws -> Transition {
        try TransitionCatalog.transition(name).make(parsing: parameters[name] ?? "")
    }

    /// The largest difference between both backends, in 8-bit steps. Integers may round to neighbouring steps. For floats the
    /// limit is the error of positions and weights in floats: about 2^-24 of numbers up to 100, times 255 for noise, times a
    /// few operations.
    static func tolerance(_ sample: SampleType) -> Double {
        switch sample {
        case .u8: 1 + 1e-9
        case .u16: 1 / 257.0 + 0.01
        case .f16: 2 * Tolerance.roundingOfHalves + 0.01
        case .f32: 0.01
        }
    }

    /// All kinds, in all formats, with and without the extra images that they can do without, for images of different sizes.
    @Test(arguments: names)
    func everyKindAgreesWithTheCPU(_ name: String) throws {
        let transition = try Self.transition(name)
        for format in Self.formats {
            let plain = try TransitionCase(format)
            let extraImages = try plain.adding(transition.extraImages)
            // The formats share the numbers of a frame, so one format is enough for all times.
            let isFirst = format == Self.formats[0]
            for time in isFirst || TestCases.every ? [1e-6, 0.13, 0.5, 0.83, 0.97, 1 - 1e-6] : [0.13, 0.83] {
                for images in extraImages.mask == nil ? [plain, extraImages] : [extraImages] {
                    let difference = Difference(
                        try images.gpu(transition, at: time), try images.cpu(transition, at: time))
                    #expect(
                        difference.steps <= Self.tolerance(format.sample),
                        "\(name) \(format) at \(time): \(difference)")
                }
            }
        }
    }

    /// The comparison fails for a frame that is slightly later.
    @Test(arguments: names)
    func theComparisonSeesAnotherTime(_ name: String) throws {
        let transition = try Self.transition(name)
        let images = try TransitionCase(PixelFormat(.rgba)).adding(transition.extraImages)
        let difference = Difference(try images.gpu(transition, at: 0.5), try images.cpu(transition, at: 0.51))
        #expect(difference.steps > 1.5, "\(name): \(difference)")
    }

    /// Images may differ in channels and alpha mode, and the result may have another channel order.
    @Test(arguments: names)
    func imagesOfDifferentFormats(_ name: String) throws {
        let transition = try Self.transition(name)
        var images = try TransitionCase(PixelFormat(.rgb)).adding(transition.extraImages)
        images.target = try Samples.noise(40, 90, PixelFormat(.rgba, alpha: .premultiplied), seed: 9)
        if images.backside != nil { images.backside = try Samples.noise(9, 10, PixelFormat(.greyAlpha), seed: 8) }
        for format in [PixelFormat(.bgra), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb)] {
            let difference = Difference(
                try images.gpu(transition, at: 0.4, format: format), try images.cpu(transition, at: 0.4, format: format)
            )
            #expect(difference.steps <= Self.tolerance(.u8), "\(name) \(format): \(difference)")
        }
    }

    /// In linear light, the images are decoded before they are interpolated and mixed.
    @Test(arguments: names)
    func linearLight(_ name: String) throws {
        var transition = try Self.transition(name)
        transition.decoding = .sRGB
        for format in [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.rgba, .f32)] {
            let images = try TransitionCase(format).adding(transition.extraImages)
            let difference = Difference(try images.gpu(transition, at: 0.6), try images.cpu(transition, at: 0.6))
            // The slope of the encoding near black, 12.92, amplifies the errors of floats.
            let limit = format.sample.isFloat ? 0.1 : Self.tolerance(format.sample)
            #expect(difference.steps <= limit, "\(name) \(format): \(difference)")
        }
    }

    /// A region has the same bits as this part of the whole frame. Outside the canvas the result is transparent.
    @Test(arguments: names)
    func aRegionEqualsItsPartOfTheWhole(_ name: String) throws {
        let transition = try Self.transition(name)
        let images = try TransitionCase(PixelFormat(.rgba, alpha: .premultiplied)).adding(transition.extraImages)
        let canvas = images.source.layout.extent.hull(images.target.layout.extent)
        let whole = try images.gpu(transition, at: 0.43)
        for region in [
            Rect(x: 17, y: 9, width: 31, height: 22), Rect(x: 0, y: canvas.height - 3, width: 5, height: 3),
            Rect(x: canvas.width - 1, y: 0, width: 1, height: 1),
        ] {
            let part = try images.gpu(transition, at: 0.43, region: region)
            #expect(Difference(part, try whole.cropped(to: region)).steps == 0, "\(name) \(region)")
        }
        let around = Rect(x: -4, y: -2, width: canvas.width + 7, height: canvas.height + 5)
        let large = try images.gpu(transition, at: 0.43, region: around)
        let inside = Rect(x: 4, y: 2, width: canvas.width, height: canvas.height)
        #expect(Difference(try large.cropped(to: inside), whole).steps == 0)
        for (x, y) in [(0, 0), (3, 40), (40, 1), (inside.x + inside.width, 30), (around.width - 1, around.height - 1)] {
            #expect(Samples.pixel(large, x, y) == .zero, "(\(x), \(y))")
        }
        let outside = try images.gpu(transition, at: 0.43, region: Rect(x: 500, y: -9, width: 3, height: 4))
        #expect(outside.bytes.allSatisfy { $0 == 0 || $0 == 0xA5 })
    }

    /// Bars whose offset is so large that a float of the first bar's travel would be wrong by pixels.
    @Test func barsWithLargeOffsetsAgreeWithTheCPU() throws {
        let bars = try TransitionCatalog.transition("bars-swipe").make(parsing: "angle=10 width=2 bar-offset=99999.7")
        let images = try TransitionCase(PixelFormat(.rgba))
        for time in [0.3, 0.77, 0.9999] {
            let difference = Difference(try images.gpu(bars, at: time), try images.cpu(bars, at: time))
            #expect(difference.steps <= Self.tolerance(.u8), "at \(time): \(difference)")
        }
    }

    @Test func numbersAreDividedExactly() {
        for number in [0, 1.0 / 3, -8191.123_456_7, 65535.998, 1e-9, -0x1p20, 123_456.789] {
            let (first, rest) = TransitionUniforms.split(number)
            #expect(abs(Double(first) + Double(rest) - number) <= abs(number) * 0x1p-47 + 0x1p-33)
            if abs(number) < 65536 {
                #expect(Double(first) * 256 == (Double(first) * 256).rounded())
                #expect(abs(rest) <= 0x1p-9)
            }
        }
        #expect(TransitionUniforms.split(.infinity).first == 1e30)
        #expect(TransitionUniforms.split(-.infinity).first == -1e30)
    }

    @Test func wrongInputIsRefused() throws {
        let images = try TransitionCase(PixelFormat(.rgba))
        let dissolve = try Self.transition("dissolve")
        func error(_ gpu: GPUExecutor, _ plan: TransitionPlan, _ format: PixelFormat = PixelFormat(.rgba)) -> GPUError?
        {
            var caught: GPUError?
            _ = try? unsafe images.draw(plan, format) { images, _, target in
                do throws(GPUError) {
                    try unsafe gpu.execute(plan, images: images, layers: nil, target: target)
                } catch {
                    caught = error
                }
            }
            return caught
        }
        let gpu = try TestGPU.shared.get()
        for time in [0.0, 1] {
            let message = error(gpu, try images.plan(dissolve, at: time))?.description ?? ""
            #expect(message.contains("is a copy of the"))
        }
        let middle = try images.plan(dissolve, at: 0.5)
        #expect(error(gpu, middle) == nil)
        let message = error(gpu, middle, PixelFormat(.rgba, .u16))?.description ?? ""
        #expect(message.contains("sample type differs"))
        let masked = try images.plan(try Self.transition("disintegrate-with-mask"), at: 0.5)
        _ = try unsafe images.adding([.mask]).draw(masked, PixelFormat(.rgba)) { images, layers, target in
            #expect(throws: GPUError.invalidPlan("the transition needs layers")) {
                try unsafe gpu.execute(masked, images: images, layers: nil, target: target)
            }
            let block = try PixelBlock(byteCount: 8)
            unsafe block.floats.update(repeating: 0, count: 2)
            let wrong = TransitionLayers(region: Rect(x: 0, y: 0, width: 2, height: 1), rest: block, shadow: block)
            #expect(throws: GPUError.self) {
                try unsafe gpu.execute(masked, images: images, layers: wrong, target: target)
            }
            let cancellation = Cancellation()
            cancellation.cancel()
            #expect(throws: GPUError.cancelled) {
                try unsafe gpu.execute(
                    masked, images: images, layers: layers, target: target, cancellation: cancellation)
            }
        }
    }

    /// An output larger than a texture is a typed error. A region of large images works if what it reads fits.
    @Test func imagesLargerThanTextures() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(maximumTextureSize: 48))
        let images = try TransitionCase(PixelFormat(.rgba))
        let region = Rect(x: 3, y: 11, width: 40, height: 41)
        let dissolve = try Self.transition("dissolve"), bars = try Self.transition("bars-swipe")
        #expect(throws: GPUError.imageTooLarge(what: "the output", side: 59, limit: 48)) {
            try images.gpu(dissolve, at: 0.5, gpu)
        }
        let ripple = try TransitionCatalog.transition("ripple").make(parsing: "width=20 scale=30")
        #expect {
            try images.gpu(ripple, at: 0.5, region: region, gpu)
        } throws: { error in
            if case GPUError.imageTooLarge("the part of the source that is read", _, 48) = error { true } else { false }
        }
        for transition in [dissolve, bars] {
            let part = try images.gpu(transition, at: 0.5, region: region, gpu)
            #expect(part == (try images.gpu(transition, at: 0.5, region: region)))
        }
    }

    /// Deep images and layers need float textures. A device without them throws an error.
    @Test func floatTexturesAreRequiredForDeepImages() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: [.rgba8]))
        let dissolve = try Self.transition("dissolve"), mask = try Self.transition("disintegrate-with-mask")
        _ = try TransitionCase(PixelFormat(.rgba)).gpu(dissolve, at: 0.5, gpu)
        for (transition, format) in [(dissolve, PixelFormat(.rgba, .u16)), (mask, PixelFormat(.rgba))] {
            let images = try TransitionCase(format).adding(transition.extraImages)
            #expect {
                try images.gpu(transition, at: 0.5, gpu)
            } throws: { error in
                if case GPUError.unsupportedFormat = error { true } else { false }
            }
        }
    }

    /// Pixel buffers and direct transfers give the same bits. Later frames of a transition compile no program and make no
    /// texture.
    @Test func framesReuseProgramsAndTextures() throws {
        let transition = try Self.transition("page-curl")
        let images = try TransitionCase(PixelFormat(.rgba)).adding(transition.extraImages)
        var results: [PixelBuffer] = []
        for path in TransferPath.allCases {
            let gpu = try GPUExecutor(device: .any, options: GPUOptions(programCache: .off, transfer: path))
            _ = try images.gpu(transition, at: 0.2, gpu)
            let first = gpu.statistics
            results.append(try images.gpu(transition, at: 0.7, gpu))
            let second = gpu.statistics
            #expect(second.programsCompiled == first.programsCompiled)
            #expect(second.targetsCreated == first.targetsCreated)
            #expect(second.objects.textures == first.objects.textures)
            #expect(second.objects.buffers == first.objects.buffers)
            #expect(second.executions == 2)
            #expect(second.passes == 2)
        }
        #expect(results[0] == results[1])
    }
}
