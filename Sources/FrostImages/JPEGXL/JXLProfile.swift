#if JPEGXL
    import CLCMS
    import FrostCore

    /// Converts linear light with sRGB's primaries to a profile's colours, with Little CMS. libjxl's decoder leaves
    /// that to its caller, because it does not interpret profiles.
    enum JXLProfile {
        /// - Parameters:
        /// - profile: nil for sRGB.
        /// - light: floats; values outside 0...1 are colours outside sRGB.
        /// - layout: of the result; the same channels.
        static func apply(
            _ profile: [UInt8]?, to light: PixelBuffer, _ layout: PixelLayout, name: String
        ) throws(ImageError) -> PixelBuffer {
            try Memory.check(layout.byteCount, for: name)
            guard let transform = ProfileTransform(profile, from: light.format, to: layout.format) else {
                throw .corrupt(path: name, format: .jxl, reason: "its profile cannot be applied", offset: nil)
            }
            let from = light.layout
            return unsafe PixelBuffer(layout: layout) { out in
                // SAFETY: every row of the result is written, and all accesses stay within both pictures.
                unsafe light.withUnsafeBytes { bytes in
                    for y in 0..<layout.height {
                        guard let source = bytes.baseAddress, let row = out.baseAddress else { return }
                        unsafe transform.convert(
                            source + y * from.bytesPerRow, row + y * layout.bytesPerRow, layout.width)
                    }
                }
            }
        }
    }

    @safe private final class ProfileTransform {
        private let transform: cmsHTRANSFORM

        /// nil if the profile is invalid or does not fit such pixels.
        init?(_ profile: [UInt8]?, from: PixelFormat, to: PixelFormat) {
            // SAFETY: the profile is read during the calls. What they need is freed once the transform is made.
            guard let linear = unsafe cmsBuildGamma(nil, 1) else { return nil }
            defer { unsafe cmsFreeToneCurve(linear) }
            guard let light = unsafe Self.profile(linear, isGrey: from.channels.isGrey) else { return nil }
            defer { unsafe cmsCloseProfile(light) }
            let found =
                if let profile { unsafe Self.opened(profile) } else { unsafe Self.sRGB(isGrey: to.channels.isGrey) }
            guard let target = unsafe found else { return nil }
            defer { unsafe cmsCloseProfile(target) }
            let made = unsafe cmsCreateTransform(
                light, from.pixelsOfLCMS, target, to.pixelsOfLCMS, frost_intent, frost_copy_alpha)
            guard let made = unsafe made else { return nil }
            unsafe transform = unsafe made
        }

        deinit {
            // SAFETY: the only reference.
            unsafe cmsDeleteTransform(transform)
        }

        @unsafe private static func opened(_ profile: [UInt8]) -> cmsHPROFILE? {
            guard let size = UInt32(exactly: profile.count) else { return nil }
            return unsafe cmsOpenProfileFromMem(profile, size)
        }

        /// sRGB, or grey with sRGB's curve.
        @unsafe private static func sRGB(isGrey: Bool) -> cmsHPROFILE? {
            let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            guard let curve = unsafe cmsBuildParametricToneCurve(nil, 4, parameters) else { return nil }
            defer { unsafe cmsFreeToneCurve(curve) }
            return unsafe profile(curve, isGrey: isGrey)
        }

        /// A profile with sRGB's white point and primaries and the given curve.
        @unsafe private static func profile(_ curve: OpaquePointer, isGrey: Bool) -> cmsHPROFILE? {
            var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
            var primaries = cmsCIExyYTRIPLE(
                Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
                Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
            var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
            return
                unsafe isGrey
                ? cmsCreateGrayProfile(&white, curve) : cmsCreateRGBProfile(&white, &primaries, &curves)
        }

        /// Converts a row of pixels. Both buffers must hold `count`.
        @unsafe func convert(_ source: UnsafeRawPointer, _ row: UnsafeMutableRawPointer, _ count: Int) {
            unsafe cmsDoTransform(transform, source, row, UInt32(count))
        }
    }

    extension PixelFormat {
        fileprivate var pixelsOfLCMS: cmsUInt32Number {
            frost_pixels(channels.isGrey ? 1 : 3, channels.hasAlpha ? 1 : 0, UInt32(sample.size))
        }
    }
#endif
