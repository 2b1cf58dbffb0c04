import FrostCore

/// What a decoder's process is asked to read.
struct DecoderRequest: Equatable {
    /// The format that the first bytes of the file announce.
    var format: ImageFormat
    /// The bytes that were read from the input already, if the input is a stream; nil if it is a file that is read from
    /// its start.
    var head: [UInt8]?
    var limits: ImageLimits
    /// The memory that the decoder may take, in bytes.
    var memory: Int
    var firstFrame: Bool
    var failOn: FailOn
    var part: ImageReadOptions.Part
    var isolation = Isolation.full

    static let blank = DecoderRequest(
        format: .png, head: nil, limits: ImageLimits(), memory: 0, firstFrame: false, failOn: .error, part: .picture)

    static func code(_ coder: inout WireCoder, _ value: inout DecoderRequest) {
        coder.code(&value.format)
        coder.code(&value.head, []) { $0.code(&$1) }
        coder.code(&value.limits.maximumSide)
        coder.code(&value.limits.maximumPixels)
        coder.code(&value.limits.maximumPixelsPerByte)
        var (seconds, attoseconds) = value.limits.maximumTime.components
        coder.code(&seconds)
        coder.code(&attoseconds)
        value.limits.maximumTime = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        coder.code(&value.memory)
        value.limits.maximumMemory = value.memory
        coder.code(&value.limits.allowed, AllowedFormats([]), AllowedFormats.code)
        coder.code(&value.firstFrame)
        coder.code(&value.failOn)
        coder.code(&value.part)
        coder.code(&value.isolation)
    }
}

extension AllowedFormats {
    fileprivate static func code(_ coder: inout WireCoder, _ value: inout AllowedFormats) {
        var pictures = value.pictures.sorted { $0.rawValue < $1.rawValue }
        coder.code(&pictures, .png) { $0.code(&$1) }
        value.pictures = Set(pictures)
        coder.code(&value.y4m)
        coder.code(&value.video)
    }
}

/// What an encoder's process is asked to write.
struct EncoderRequest: Equatable {
    var format: ImageFormat
    /// The picture: its memory is that which the encoder may take.
    var head: DecodedHead
    var options: ImageWriteOptions
    /// The maximum time, in seconds.
    var seconds: UInt64
    var isolation = Isolation.none

    static let blank = EncoderRequest(format: .png, head: .blank, options: ImageWriteOptions(), seconds: 0)

    static func code(_ coder: inout WireCoder, _ value: inout EncoderRequest) {
        coder.code(&value.format)
        DecodedHead.code(&coder, &value.head)
        value.options.code(&coder)
        coder.code(&value.seconds)
        coder.code(&value.isolation)
    }
}

extension ImageWriteOptions {
    /// The options that encoders have. The writer has changed the pixels and the metadata by the others already.
    mutating func code(_ coder: inout WireCoder) {
        coder.code(&depth, 0) { $0.code(&$1) }
        for options in [\ImageWriteOptions.avif, \.jxl] {
            let (quality, isLossless) = Self.code(
                &coder, self[keyPath: options].quality, self[keyPath: options].isLossless)
            if coder.isDamaged { return }
            self[keyPath: options] = LossyWriteOptions(quality: quality, isLossless: isLossless)
        }
        let (quality, isLossless) = Self.code(&coder, webp.quality, webp.isLossless)
        if coder.isDamaged { return }
        webp = WebPWriteOptions(quality: quality, isLossless: isLossless)
        codeJPEG(&coder)
        codePNG(&coder)
    }

    private static func code(_ coder: inout WireCoder, _ quality: Int, _ isLossless: Bool) -> (Int, Bool) {
        var (quality, isLossless) = (quality, isLossless)
        coder.code(&quality)
        coder.code(&isLossless)
        if !(0...100).contains(quality) { coder.refuse() }
        return (quality, isLossless)
    }

    private mutating func codeJPEG(_ coder: inout WireCoder) {
        var (quality, subsampling) = (jpeg.quality, jpeg.subsampling)
        var (isProgressive, isOptimized) = (jpeg.isProgressive, jpeg.isOptimized)
        coder.code(&quality)
        coder.code(&subsampling, .none) { $0.code(&$1) }
        coder.code(&isProgressive)
        coder.code(&isOptimized)
        guard (1...100).contains(quality) else { return coder.refuse() }
        jpeg = JPEGWriteOptions(
            quality: quality, subsampling: subsampling, isProgressive: isProgressive, isOptimized: isOptimized)
    }

    private mutating func codePNG(_ coder: inout WireCoder) {
        var (level, threads) = (png.level, png.threads)
        var filter = PNGWriteOptions.Filter.allCases.firstIndex(of: png.filter) ?? 0
        coder.code(&level)
        coder.code(&filter)
        coder.code(&threads)
        guard (0...9).contains(level), PNGWriteOptions.Filter.allCases.indices.contains(filter), threads > 0 else {
            return coder.refuse()
        }
        png = PNGWriteOptions(level: level, filter: PNGWriteOptions.Filter.allCases[filter], threads: threads)
    }
}

/// What a reader knows of a picture before its first row.
struct DecodedHead: Equatable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var metadata: ImageMetadata
    /// The memory of reading row by row, in bytes.
    var memory: Int

    static let blank = DecodedHead(width: 0, height: 0, format: .grey8, metadata: ImageMetadata(), memory: 0)

    /// The head of a picture for the process that encodes it. The metadata get the colour space of the pixels if they have none.
    static func encoding(_ layout: PixelLayout, _ metadata: ImageMetadata, in process: EncoderProcess) -> DecodedHead {
        var metadata = metadata
        if metadata.iccProfile == nil {
            metadata.iccProfile = layout.format.colorSpace.iccBytes.map { ICCProfile(bytes: $0) }
        }
        return DecodedHead(
            width: layout.width, height: layout.height, format: layout.format, metadata: metadata,
            memory: process.memory)
    }

    static func code(_ coder: inout WireCoder, _ value: inout DecodedHead) {
        coder.code(&value.width)
        coder.code(&value.height)
        coder.code(&value.format.channels)
        coder.code(&value.format.sample)
        coder.code(&value.format.alpha)
        ImageMetadata.code(&coder, &value.metadata)
        value.codeColorSpace(&coder)
        coder.code(&value.memory)
        if value.memory < 0 { coder.refuse() }
        let isInk = value.format.channels.count == 4 && !value.format.sample.isFloat
        if value.metadata.colorModel == .cmyk, !isInk { coder.refuse() }
    }

    /// The colour space of the pixels is that of the metadata, unless the format of the file fixes it.
    private mutating func codeColorSpace(_ coder: inout WireCoder) {
        let stated = metadata.colorSpace
        var tag: UInt8 =
            switch format.colorSpace {
            case stated, .gamma, .icc: 0
            case .unspecified: 1
            case .sRGB: 2
            case .linear: 3
            }
        coder.code(&tag)
        switch tag {
        case 0: format.colorSpace = stated
        case 1: format.colorSpace = .unspecified
        case 2: format.colorSpace = .sRGB
        case 3: format.colorSpace = .linear
        default: coder.refuse()
        }
    }
}

extension ImageMetadata {
    static func code(_ coder: inout WireCoder, _ value: inout ImageMetadata) {
        coder.code(&value.iccProfile, ICCProfile(bytes: [])) {
            $0.code(&$1.name)
            $0.code(&$1.bytes)
        }
        coder.code(&value.profileFault, .unusable, ProfileFault.code)
        coder.code(&value.renderingIntent, .perceptual) { $0.code(&$1) }
        coder.code(&value.gamma, 0) { $0.code(&$1) }
        let origin = Chromaticities.Point(x: 0, y: 0)
        coder.code(&value.chromaticities, Chromaticities(white: origin, red: origin, green: origin, blue: origin)) {
            for point in [\Chromaticities.white, \.red, \.green, \.blue] {
                $0.code(&$1[keyPath: point].x)
                $0.code(&$1[keyPath: point].y)
            }
        }
        coder.code(&value.pixelDensity, PixelDensity(x: 0, y: 0, unit: .unknown)) {
            $0.code(&$1.x)
            $0.code(&$1.y)
            $0.code(&$1.unit)
        }
        coder.code(&value.codePoints, .sRGB) {
            $0.code(&$1.primaries)
            $0.code(&$1.transfer)
        }
        for (bytes, count) in [(\ImageMetadata.masteringDisplay, 24), (\.contentLight, 8)] {
            coder.code(&value[keyPath: bytes], []) {
                $0.code(&$1)
                if $1.count != count { $0.refuse() }
            }
        }
        coder.code(&value.significantBits, 16) {
            $0.code(&$1)
            if !(1...16).contains($1) { $0.refuse() }
        }
        var isCMYK = value.colorModel == .cmyk
        coder.code(&isCMYK)
        value.colorModel = isCMYK ? .cmyk : .light
        coder.code(&value.timing, AnimationTiming(durations: [], plays: 0), AnimationTiming.code)
        coder.code(&value.exif, []) { $0.code(&$1) }
        coder.code(&value.xmp, []) { $0.code(&$1) }
        coder.code(&value.comments, []) { $0.code(&$1) }
        coder.code(&value.texts, PNGText(chunk: "", bytes: [])) {
            $0.code(&$1.chunk)
            $0.code(&$1.bytes)
            // A writer trusts the name of a chunk.
            if !PNGText.chunks.contains($1.chunk) { $0.refuse() }
        }
    }
}

extension AnimationTiming {
    fileprivate static func code(_ coder: inout WireCoder, _ value: inout AnimationTiming) {
        var (durations, plays) = (value.durations, value.plays)
        coder.code(&durations, 0) { $0.code(&$1) }
        coder.code(&plays)
        guard (1...maximumFrames).contains(durations.count) else { return coder.refuse() }
        value = AnimationTiming(durations: durations, plays: plays)
    }
}

extension ProfileFault {
    fileprivate static func code(_ coder: inout WireCoder, _ value: inout ProfileFault) {
        var channels: String? =
            switch value {
            case .unusable: nil
            case .otherChannels(let channels): channels
            }
        coder.code(&channels, "") { $0.code(&$1) }
        value = channels.map { .otherChannels(than: $0) } ?? .unusable
    }
}

/// An error of a reader or an encoder in its process. It has no path, because only the process that opened the file knows
/// its name.
struct WireError {
    private enum Kind: UInt8 {
        case cannotRead, unrecognised, notAllowed, unsupported, animated, corrupt, truncated, overLimit, tooComplex,
            overMemory, overTime, outOfMemory, cannotEncode, cannotHold, cannotWrite
        /// An error that no reader or encoder throws.
        case other
    }
    private var kind: Kind
    private var format: ImageFormat?
    private var text = ""
    /// What the user can do.
    private var remedy = ""
    private var details: [Int] = []
    private var offset: UInt64?

    static let blank = WireError(kind: .other)

    static func code(_ coder: inout WireCoder, _ value: inout WireError) {
        coder.code(&value.kind)
        coder.code(&value.format, .png) { $0.code(&$1) }
        coder.code(&value.text)
        coder.code(&value.remedy)
        coder.code(&value.details, 0) { $0.code(&$1) }
        coder.code(&value.offset, 0) { $0.code(&$1) }
    }

    private init(
        kind: Kind, format: ImageFormat? = nil, text: String = "", remedy: String = "", details: [Int] = [],
        offset: UInt64? = nil
    ) {
        (self.kind, self.format, self.text, self.remedy) = (kind, format, text, remedy)
        (self.details, self.offset) = (details, offset)
    }

    init(_ error: ImageError) {
        switch error {
        case .cannotRead(_, let errno): self.init(kind: .cannotRead, details: [Int(errno)])
        case .unrecognised(_, let format, let reason): self.init(kind: .unrecognised, format: format, text: reason)
        case .notAllowed(_, let what): self.init(kind: .notAllowed, text: what)
        case .unsupported(_, let format, let reason): self.init(kind: .unsupported, format: format, text: reason)
        case .animated(_, let format): self.init(kind: .animated, format: format)
        case .corrupt(_, let format, let reason, let offset):
            self.init(kind: .corrupt, format: format, text: reason, offset: offset)
        case .truncated(_, let format, let reason, let offset):
            self.init(kind: .truncated, format: format, text: reason, offset: offset)
        case .overLimit(_, let what, let value, let limit):
            self.init(kind: .overLimit, text: what, details: [value, limit])
        case .tooComplex(_, let reason): self.init(kind: .tooComplex, text: reason)
        case .overMemory(_, let needed, let available): self.init(kind: .overMemory, details: [needed, available])
        case .overTime: self.init(kind: .overTime)
        case .outOfMemory(_, let bytes): self.init(kind: .outOfMemory, details: [bytes])
        case .cannotEncode(_, let reason): self.init(kind: .cannotEncode, text: reason)
        case .cannotHold(_, let format, let what, let remedy):
            self.init(kind: .cannotHold, format: format, text: what, remedy: remedy)
        case .cannotWrite(_, let errno): self.init(kind: .cannotWrite, details: [Int(errno)])
        case .isDirectory, .badStream, .unknownSuffix, .decoderEnded, .encoderEnded, .cannotIsolate:
            self.init(kind: .other, text: error.description)
        }
    }

    /// The error for a picture.
    ///
    /// - Parameters:
    ///   - path: the name of the picture.
    ///   - expected: the format of the picture, for errors that lack it.
    ///   - limit: the limit of the time.
    func error(_ path: String, _ expected: ImageFormat, limit: Duration) -> ImageError {
        let format = format ?? expected
        // No reader has a longer text.
        let text = String(self.text.prefix(1000))
        let (first, second) = (details.first ?? 0, details.dropFirst().first ?? 0)
        return switch kind {
        case .cannotRead: .cannotRead(path: path, errno: Int32(truncatingIfNeeded: first))
        case .unrecognised: .unrecognised(path: path, expected: self.format, reason: text)
        case .notAllowed: .notAllowed(path: path, what: text)
        case .unsupported: .unsupported(path: path, format: format, reason: text)
        case .animated: .animated(path: path, format: format)
        case .corrupt: .corrupt(path: path, format: format, reason: text, offset: offset)
        case .truncated: .truncated(path: path, format: format, reason: text, offset: offset)
        case .overLimit: .overLimit(path: path, what: text, value: first, limit: second)
        case .tooComplex: .tooComplex(path: path, reason: text)
        case .overMemory: .overMemory(path: path, needed: max(1, first), available: second)
        case .overTime: .overTime(path: path, limit: limit)
        case .outOfMemory: .outOfMemory(path: path, bytes: first)
        case .cannotEncode: .cannotEncode(path: path, reason: text)
        case .cannotHold: .cannotHold(path: path, format: format, what: text, remedy: String(remedy.prefix(1000)))
        case .cannotWrite: .cannotWrite(path: path, errno: Int32(truncatingIfNeeded: first))
        case .other: .decoderEnded(path: path, reason: text)
        }
    }
}
