import CLCMS
import FrostCore
import Testing

@testable import FrostImages

/// Tests that Frost reads the tone curves of profiles that Little CMS writes.
@Suite struct ProfileCurveTests {
    /// Creates an RGB profile with a tone curve for each channel.
    private func profile(_ curves: [OpaquePointer?]) throws -> [UInt8] {
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.3, y: 0.6, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let made = unsafe curves.withUnsafeBufferPointer {
            unsafe cmsCreateRGBProfile(&white, &primaries, $0.baseAddress)
        }
        return try unsafe bytes(made)
    }

    /// Returns a profile's bytes and closes the profile.
    private func bytes(_ made: cmsHPROFILE?) throws -> [UInt8] {
        let profile = try unsafe #require(made)
        defer { unsafe cmsCloseProfile(profile) }
        var size: UInt32 = 0
        #expect(unsafe cmsSaveProfileToMem(profile, nil, &size) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        #expect(unsafe cmsSaveProfileToMem(profile, &bytes, &size) != 0)
        return bytes
    }

    private func gamma(_ exponent: Double) -> OpaquePointer? { unsafe cmsBuildGamma(nil, exponent) }

    /// Creates a tone curve that is stored as a table, as in the profiles of many cameras and monitors.
    private func table(_ curve: (Double) -> Double) -> OpaquePointer? {
        let values = (0..<1024).map { UInt16((curve(Double($0) / 1023) * 65535).rounded()) }
        return unsafe cmsBuildTabulatedToneCurve16(nil, UInt32(values.count), values)
    }

    @Test("curves are recognised: exponents, parametric curves, tables")
    func curves() throws {
        for exponent in [1.8, 2.2, 2.4] {
            let curve = unsafe gamma(exponent)
            #expect(try unsafe ProfileCurve(profile: profile([curve, curve, curve])) == .curve(.gamma(exponent)))
        }
        let flat = unsafe gamma(1)
        #expect(try unsafe ProfileCurve(profile: profile([flat, flat, flat])) == .linear)
        for curve in [TransferFunction.sRGB, .rec709] {
            let made = unsafe table(curve.decode)
            #expect(try unsafe ProfileCurve(profile: profile([made, made, made])) == .curve(curve))
        }
        let own = try unsafe bytes(cmsCreate_sRGBProfile())
        #expect(ProfileCurve(profile: own) == .curve(.sRGB))
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        let grey = try unsafe bytes(cmsCreateGrayProfile(&white, gamma(2.2)))
        #expect(try ProfileCurve(profile: grey) == .curve(.gamma(2.2)))
    }

    @Test("profiles with different channels, other curves or colour tables, and broken profiles, give none")
    func none() throws {
        let (a, b) = unsafe (gamma(1.8), gamma(2.4))
        #expect(try unsafe ProfileCurve(profile: profile([a, a, b])) == nil)
        let step = unsafe table { $0 < 0.5 ? 0 : 1 }
        #expect(try unsafe ProfileCurve(profile: profile([step, step, step])) == nil)
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        let lab = try unsafe bytes(cmsCreateLab4Profile(&white))
        #expect(ProfileCurve(profile: lab) == nil)
        let whole = try unsafe profile([a, a, a])
        for count in stride(from: 0, to: whole.count, by: 7) { _ = ProfileCurve(profile: Array(whole.prefix(count))) }
        #expect(ProfileCurve(profile: []) == nil)
        #expect(ProfileCurve(profile: Array(whole.prefix(100))) == nil)
    }
}
