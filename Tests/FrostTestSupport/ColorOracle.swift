package import FrostCore
import Glibc

/// The encodings of colour in double precision, written from the standards: IEC 61966-2-1 (sRGB), IEC 61966-2-2
/// (scRGB), SMPTE ST 2084 (PQ) and ITU-R BT.2100 (HLG). It shares no code with Frost.
package struct ColorOracle {
    package let encoding: ColorEncoding

    package init(_ encoding: ColorEncoding) { self.encoding = encoding }

    /// Returns the light of straight colour, in nits.
    package func light(_ code: SIMD3<Double>) -> SIMD3<Double> {
        switch encoding.transfer {
        case .sRGB: encoding.white * code.map(Self.fromSRGB)
        case .gamma22: encoding.white * code.map { copysign(pow(abs($0), 2.2), $0) }
        case .linear: encoding.white * code
        case .scRGB: 80 * code
        case .pq: code.map(Self.fromPQ)
        case .hlg: fromHLG(code)
        }
    }

    /// Returns the numbers of light in nits.
    package func code(_ light: SIMD3<Double>) -> SIMD3<Double> {
        switch encoding.transfer {
        case .sRGB: (light / encoding.white).map(Self.toSRGB)
        case .gamma22: (light / encoding.white).map { copysign(pow(abs($0), 1 / 2.2), $0) }
        case .linear: light / encoding.white
        case .scRGB: light / 80
        case .pq: light.map(Self.toPQ)
        case .hlg: toHLG(light)
        }
    }

    private static func fromSRGB(_ code: Double) -> Double {
        let x = abs(code)
        return copysign(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4), code)
    }

    private static func toSRGB(_ light: Double) -> Double {
        let x = abs(light)
        return copysign(x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055, light)
    }

    // ST 2084, section 5.
    private static let (m1, m2) = (2610.0 / 4096 / 4, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    private static func fromPQ(_ code: Double) -> Double {
        let root = pow(min(abs(code), 1), 1 / m2)
        return copysign(10000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1), code)
    }

    private static func toPQ(_ light: Double) -> Double {
        let power = pow(min(abs(light) / 10000, 1), m1)
        return copysign(pow((c1 + c2 * power) / (1 + c3 * power), m2), light)
    }

    // BT.2100, table 5, with a display peak of 1000 nits: the system gamma is 1.2.
    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)

    /// The weights of luminance, published in W3C CSS Color 4. BT.2100 rounds those of BT.2020 to four digits.
    private var luminance: SIMD3<Double> {
        switch encoding.primaries {
        case .bt709: SIMD3(0.2126390, 0.7151687, 0.0721923)
        case .displayP3: SIMD3(0.2289746, 0.6917385, 0.0792869)
        case .bt2020: SIMD3(0.2627002, 0.6779981, 0.0593017)
        }
    }

    private func fromHLG(_ code: SIMD3<Double>) -> SIMD3<Double> {
        let scene = code.map { code in
            let x = abs(code)
            return copysign(x <= 0.5 ? x * x / 3 : (exp((x - Self.c) / Self.a) + Self.b) / 12, code)
        }
        let y = abs((luminance * scene).sum())
        return y > 0 ? 1000 * pow(y, 0.2) * scene : .zero
    }

    private func toHLG(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let display = light / 1000
        let y = abs((luminance * display).sum())
        guard y > 0 else { return .zero }
        return (pow(y, -0.2 / 1.2) * display).map { scene in
            let x = abs(scene)
            return copysign(x <= 1.0 / 12 ? sqrt(3 * x) : Self.a * log(12 * x - Self.b) + Self.c, scene)
        }
    }

    /// Returns light in other primaries. The matrices are published ones (ITU-R BT.2087, W3C CSS Color 4), with six
    /// digits.
    package func light(_ light: SIMD3<Double>, in primaries: ColorEncoding.Primaries) -> SIMD3<Double> {
        let rows: [SIMD3<Double>]
        switch (encoding.primaries, primaries) {
        case (.bt709, .bt709), (.displayP3, .displayP3), (.bt2020, .bt2020): return light
        case (.bt709, .bt2020):
            rows = [
                SIMD3(0.627404, 0.329283, 0.043313), SIMD3(0.069097, 0.919540, 0.011362),
                SIMD3(0.016391, 0.088013, 0.895595),
            ]
        case (.bt2020, .bt709):
            rows = [
                SIMD3(1.660491, -0.587641, -0.072850), SIMD3(-0.124550, 1.132900, -0.008349),
                SIMD3(-0.018151, -0.100579, 1.118730),
            ]
        case (.bt709, .displayP3):
            rows = [
                SIMD3(0.822462, 0.177538, 0), SIMD3(0.033194, 0.966806, 0), SIMD3(0.017083, 0.072397, 0.910520),
            ]
        case (.displayP3, .bt709):
            rows = [
                SIMD3(1.224940, -0.224940, 0), SIMD3(-0.042057, 1.042057, 0),
                SIMD3(-0.019638, -0.078636, 1.098274),
            ]
        case (.displayP3, .bt2020):
            rows = [
                SIMD3(0.753833, 0.198597, 0.047570), SIMD3(0.045744, 0.941777, 0.012479),
                SIMD3(-0.001210, 0.017602, 0.983609),
            ]
        case (.bt2020, .displayP3):
            rows = [
                SIMD3(1.343578, -0.282180, -0.061399), SIMD3(-0.065297, 1.075788, -0.010490),
                SIMD3(0.002822, -0.019598, 1.016777),
            ]
        }
        return SIMD3((rows[0] * light).sum(), (rows[1] * light).sum(), (rows[2] * light).sum())
    }

    /// Returns the numbers that stand for a colour in another encoding.
    package func code(_ code: SIMD3<Double>, in other: ColorEncoding) -> SIMD3<Double> {
        ColorOracle(other).code(light(light(code), in: other.primaries))
    }
}

extension SIMD3<Double> {
    package func map(_ function: (Double) -> Double) -> SIMD3<Double> { SIMD3(function(x), function(y), function(z)) }

    /// The largest absolute component.
    package var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }
}
