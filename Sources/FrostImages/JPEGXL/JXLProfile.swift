#if JPEGXL
    import CLCMS
    import FrostCore

    /// Converts linear light with the primaries of sRGB to the colours of an ICC profile, with Little CMS. libjxl's
    /// decoder leaves this conversion to its caller, because libjxl does not interpret profiles.
    enum JXLProfile {
        /// Converts pixels of linear light to the colours of a profile.
        ///
        /// - Parameters:
        ///   - profile: the ICC profile of the result; nil for sRGB.
        ///   - light: float pixels. Values outside 0...1 are colours outside the gamut of sRGB.
        ///   - layout: the layout of the result, with the same channels as `light`.
        static func apply(
            _ profile: [UInt8]?, to light: PixelBuffer, _ layout: PixelLayout, name: String
        ) throws(ImageError) -> PixelBuffer {
            try Memory.check(layout.byteCount, for: name)
            guard let transform = ProfileTransform(profile, from: light.format, to: layout.format) else {
                throw .corrupt(path: name, format: .jxl, reason: "its profile cannot be applied", offset: nil)
            }
            let from = light.layout
            return unsafe PixelBuffer(layout: layout) { out in
                // SAFETY: the loop writes every row of the result, and all accesses stay within the two pictures.
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

        /// Returns nil if the profile is invalid or does not match the pixel formats.
        init?(_ profile: [UInt8]?, from: PixelFormat, to: PixelFormat) {
            // SAFETY: the profile's bytes are read only during these calls. All other objects are freed after the
            // transform exists.
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
            // SAFETY: this object holds the only reference to the transform.
            unsafe cmsDeleteTransform(transform)
        }

        @unsafe private static func opened(_ profile: [UInt8]) -> cmsHPROFILE? {
            guard let size = UInt32(exactly: profile.count) else { return nil }
            return unsafe cmsOpenProfileFromMem(profile, size)
        }

        /// Creates an sRGB profile, or a grey profile with the curve of sRGB.
        @unsafe private static func sRGB(isGrey: Bool) -> cmsHPROFILE? {
            let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            guard let curve = unsafe cmsBuildParametricToneCurve(nil, 4, parameters) else { return nil }
            defer { unsafe cmsFreeToneCurve(curve) }
            return unsafe profile(curve, isGrey: isGrey)
        }

        /// Creates a profile with the given curve and with the white point and primaries of sRGB.
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

        /// Converts a row of `count` pixels. Both buffers must hold at least `count` pixels.
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
