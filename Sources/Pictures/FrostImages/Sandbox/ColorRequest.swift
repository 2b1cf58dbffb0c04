import FrostCore

/// What a process of Little CMS is asked to do.
struct ColorRequest: Equatable {
    enum Work: UInt8 {
        /// Read the tone curve of the profile of ``ColorRequest/from``.
        case curve
        /// Convert pixels between the two formats.
        case colors
        /// Convert the inks of CMYK, whose profile is that of ``ColorRequest/from``, to sRGB.
        case inks
    }
    var work: Work
    var width: Int
    var height: Int
    var from: PixelFormat
    var to: PixelFormat
    /// The memory, in bytes, that the process may take.
    var memory: Int
    /// The maximum time, in seconds.
    var seconds: UInt64
    var isolation: Isolation

    static let blank = ColorRequest(
        work: .curve, width: 0, height: 0, from: .grey8, to: .grey8, memory: 0, seconds: 0, isolation: .full)

    static func code(_ coder: inout WireCoder, _ value: inout ColorRequest) {
        coder.code(&value.work)
        coder.code(&value.width)
        coder.code(&value.height)
        PixelFormat.code(&coder, &value.from)
        PixelFormat.code(&coder, &value.to)
        coder.code(&value.memory)
        coder.code(&value.seconds)
        coder.code(&value.isolation)
    }

    /// The layouts of the rows before and after the conversion.
    func layouts(name: String) throws(ImageError) -> (from: PixelLayout, to: PixelLayout) {
        (
            try PixelLayout(reading: width, height, from, name: name),
            try PixelLayout(reading: width, height, to, name: name)
        )
    }
}

extension PixelFormat {
    fileprivate static func code(_ coder: inout WireCoder, _ value: inout PixelFormat) {
        coder.code(&value.channels)
        coder.code(&value.sample)
        coder.code(&value.alpha)
        var (tag, exponent, profile): (UInt8, UInt64, [UInt8]) =
            switch value.colorSpace {
            case .unspecified: (0, 0, [])
            case .sRGB: (1, 0, [])
            case .linear: (2, 0, [])
            case .gamma(let exponent): (3, exponent.bitPattern, [])
            case .icc(let bytes): (4, 0, bytes)
            }
        coder.code(&tag)
        coder.code(&exponent)
        coder.code(&profile)
        switch tag {
        case 0: value.colorSpace = .unspecified
        case 1: value.colorSpace = .sRGB
        case 2: value.colorSpace = .linear
        case 3: value.colorSpace = .gamma(exponent: Double(bitPattern: exponent))
        case 4: value.colorSpace = .icc(profile)
        default: coder.refuse()
        }
    }
}

extension ProfileCurve {
    /// The curve of a profile; nil for a profile without a usable one.
    static func code(_ coder: inout WireCoder, _ value: inout ProfileCurve?) {
        var (tag, exponent): (UInt8, Double) =
            switch value {
            case nil: (0, 0)
            case .linear: (1, 0)
            case .curve(.sRGB): (2, 0)
            case .curve(.rec709): (3, 0)
            case .curve(let curve): (4, curve.exponent)
            }
        var bits = exponent.bitPattern
        coder.code(&tag)
        coder.code(&bits)
        exponent = Double(bitPattern: bits)
        switch tag {
        case 0: value = nil
        case 1: value = .linear
        case 2: value = .curve(.sRGB)
        case 3: value = .curve(.rec709)
        case 4: if let curve = try? TransferFunction.gamma(exponent) { value = .curve(curve) } else { coder.refuse() }
        default: coder.refuse()
        }
    }
}
