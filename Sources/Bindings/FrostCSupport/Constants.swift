import CFrost
package import Frost
package import FrostCore
package import FrostGLES
package import FrostGPU

/// A Swift enumeration whose cases correspond to constants of frost.h. The compiler rejects a new case until `constant`
/// returns a value for it.
package protocol HeaderConstant: CaseIterable, Equatable {
    var constant: Int { get }
    /// Returns the case of a constant; nil if there is none. It is a requirement, so that the compiler specialises the search for
    /// each type: a search by the generic function below took two fifths of a frame without changes.
    static func named(_ constant: Int) -> Self?
}

extension HeaderConstant {
    package static func named(_ constant: Int) -> Self? { allCases.first { $0.constant == constant } }

    /// The constant as an `Int32`, the type of the fields in the structs of frost.h.
    package var code: Int32 { Int32(constant) }
}

package enum Constants {
    /// Returns the case that corresponds to a caller's constant.
    package static func value<Value: HeaderConstant>(
        _ constant: Int32, as type: Value.Type = Value.self, _ name: @autoclosure () -> String
    ) throws(Failure) -> Value {
        guard let value = Value.named(Int(constant)) else {
            throw unknown(constant, name(), count: Value.allCases.count)
        }
        return value
    }

    /// Returns the value that a table assigns to a caller's constant. It is for values that are not cases of an
    /// enumeration.
    package static func value<Value>(
        _ constant: Int32, of table: [(Int, Value)], _ name: String
    ) throws(Failure) -> Value {
        guard let entry = table.first(where: { $0.0 == Int(constant) }) else {
            throw unknown(constant, name, count: table.count)
        }
        return entry.1
    }

    /// Returns the transfer function that a caller's constant FROST_LIGHT_... selects.
    package static func decoding(_ light: Int32) throws(Failure) -> TransferFunction? {
        try value(light, of: [(FROST_LIGHT_ENCODED, nil), (FROST_LIGHT_LINEAR, .sRGB)], "light")
    }

    /// Returns the dither that a caller's constant FROST_DITHER_... selects.
    package static func dither(_ constant: Int32, byDefault usual: Dither?) throws(Failure) -> Dither? {
        try value(
            constant, of: [(FROST_DITHER_DEFAULT, usual), (FROST_DITHER_OFF, nil), (FROST_DITHER_ON, Dither())],
            "dither")
    }

    private static func unknown(_ constant: Int32, _ name: String, count: Int) -> Failure {
        .argument("\(name) \(constant) is invalid (allowed: 0 to \(count - 1))")
    }
}

extension Backend: HeaderConstant {
    package var constant: Int {
        switch self {
        case .auto: FROST_BACKEND_AUTO
        case .cpu: FROST_BACKEND_CPU
        case .gpu: FROST_BACKEND_GPU
        case .exact: FROST_BACKEND_EXACT
        }
    }
}

extension ChannelLayout: HeaderConstant {
    package var constant: Int {
        switch self {
        case .rgba: FROST_CHANNELS_RGBA
        case .bgra: FROST_CHANNELS_BGRA
        case .rgb: FROST_CHANNELS_RGB
        case .grey: FROST_CHANNELS_GREY
        case .greyAlpha: FROST_CHANNELS_GREY_ALPHA
        }
    }
}

extension SampleType: HeaderConstant {
    package var constant: Int {
        switch self {
        case .u8: FROST_SAMPLE_U8
        case .u16: FROST_SAMPLE_U16
        case .f16: FROST_SAMPLE_F16
        case .f32: FROST_SAMPLE_F32
        }
    }
}

extension AlphaMode: HeaderConstant {
    package var constant: Int {
        switch self {
        case .straight: FROST_ALPHA_STRAIGHT
        case .premultiplied: FROST_ALPHA_PREMULTIPLIED
        }
    }
}

extension EdgeMode: HeaderConstant {
    package var constant: Int {
        switch self {
        case .clamp: FROST_EDGE_CLAMP
        case .mirror: FROST_EDGE_MIRROR
        case .repeat: FROST_EDGE_REPEAT
        case .clear: FROST_EDGE_CLEAR
        case .reflect101: FROST_EDGE_REFLECT_101
        }
    }
}

extension HostTexture.Kind: HeaderConstant {
    package var constant: Int {
        switch self {
        case .texture2D: FROST_GL_TEXTURE_2D
        case .external: FROST_GL_TEXTURE_EXTERNAL
        }
    }
}

extension ColorEncoding.Transfer: HeaderConstant {
    package var constant: Int {
        switch self {
        case .sRGB: FROST_TRANSFER_SRGB
        case .gamma22: FROST_TRANSFER_GAMMA22
        case .linear: FROST_TRANSFER_LINEAR
        case .scRGB: FROST_TRANSFER_SCRGB
        case .pq: FROST_TRANSFER_PQ
        case .hlg: FROST_TRANSFER_HLG
        }
    }
}

extension ColorEncoding.Primaries: HeaderConstant {
    package var constant: Int {
        switch self {
        case .bt709: FROST_PRIMARIES_BT709
        case .displayP3: FROST_PRIMARIES_DISPLAY_P3
        case .bt2020: FROST_PRIMARIES_BT2020
        }
    }
}

extension SurfaceTransform: HeaderConstant {
    package var constant: Int {
        switch self {
        case .normal: FROST_TRANSFORM_NORMAL
        case .turned90: FROST_TRANSFORM_90
        case .turned180: FROST_TRANSFORM_180
        case .turned270: FROST_TRANSFORM_270
        case .flipped: FROST_TRANSFORM_FLIPPED
        case .flipped90: FROST_TRANSFORM_FLIPPED_90
        case .flipped180: FROST_TRANSFORM_FLIPPED_180
        case .flipped270: FROST_TRANSFORM_FLIPPED_270
        }
    }
}

extension HostTarget.Depth {
    /// The number of bits per colour.
    package var bits: Int32 {
        switch self {
        case .eight: 8
        case .ten: 10
        }
    }

    /// Creates the depth for a caller's number of bits; 0 for the default.
    package init(bits: Int32) throws(Failure) {
        let given = bits == 0 ? Self.eight.bits : bits
        guard let depth = Self.allCases.first(where: { $0.bits == given }) else {
            throw .argument("target's bits \(bits) is invalid (allowed: 0, 8 and 10)")
        }
        self = depth
    }
}

extension YUVColor.Matrix: HeaderConstant {
    package var constant: Int {
        switch self {
        case .bt601: FROST_YUV_BT601
        case .bt709: FROST_YUV_BT709
        case .bt2020: FROST_YUV_BT2020
        }
    }
}

extension YUVColor.Range: HeaderConstant {
    package var constant: Int {
        switch self {
        case .narrow: FROST_YUV_NARROW
        case .full: FROST_YUV_FULL
        }
    }
}

extension YUVColor.Siting: HeaderConstant {
    package var constant: Int {
        switch self {
        case .first: FROST_YUV_SITING_FIRST
        case .middle: FROST_YUV_SITING_MIDDLE
        }
    }
}

extension CornerCurve {
    /// Creates the curve that a caller's constant FROST_CORNERS_... selects.
    ///
    /// - Parameter parameter: the smoothing or the exponent; 0 for the default.
    package init(_ constant: Int32, parameter: Double, _ name: String) throws(Failure) {
        let curves: [(Int, CornerCurve)] = [
            (FROST_CORNERS_CIRCULAR, .circular),
            (FROST_CORNERS_CONTINUOUS, parameter == 0 ? .continuous() : .continuous(smoothing: parameter)),
            (FROST_CORNERS_SUPERELLIPSE, parameter == 0 ? .superellipse() : .superellipse(exponent: parameter)),
            (FROST_CORNERS_ELLIPSE, .ellipse),
        ]
        self = try Constants.value(constant, of: curves, "\(name) corner_curve")
        guard parameter == 0 || self != .circular && self != .ellipse else {
            let what = self == .circular ? "circular corners have" : "an ellipse has"
            throw .argument("\(name) corner_parameter is \(parameter), but \(what) no parameter")
        }
    }
}

extension Backdrop.Repaint {
    /// Creates the value that a caller's constant FROST_REPAINT_... selects.
    package init(_ constant: Int32, age: Int64) throws(Failure) {
        let values: [(Int, Backdrop.Repaint)] = [
            (FROST_REPAINT_CHANGED, .changed), (FROST_REPAINT_ALL, .all), (FROST_REPAINT_AGED, .aged(Int(age))),
        ]
        self = try Constants.value(constant, of: values, "options' repaint")
        switch self {
        case .aged: break
        case .changed, .all:
            guard age == 0 else {
                throw .argument("options' buffer_age is \(age), but only FROST_REPAINT_AGED uses a buffer_age")
            }
        }
    }
}

extension Backdrop.Coverage: HeaderConstant {
    package var constant: Int {
        switch self {
        case .panels: FROST_COVERAGE_PANELS
        case .everywhere: FROST_COVERAGE_EVERYWHERE
        }
    }
}

extension Backdrop.Layering: HeaderConstant {
    package var constant: Int {
        switch self {
        case .flat: FROST_LAYERING_FLAT
        case .stacked: FROST_LAYERING_STACKED
        }
    }
}

extension DisplayLink.Source: HeaderConstant {
    package var constant: Int {
        switch self {
        case .timer: FROST_CLOCK_TIMER
        case .descriptor: FROST_CLOCK_DESCRIPTOR
        case .manual: FROST_CLOCK_MANUAL
        case .virtual: FROST_CLOCK_VIRTUAL
        }
    }
}
