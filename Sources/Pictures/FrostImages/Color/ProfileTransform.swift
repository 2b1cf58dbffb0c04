import CLCMS
public import FrostCore

extension PixelBuffer {
    /// Converts grey or RGB pixels to another colour space. Little CMS does this with the relative colorimetric intent.
    /// Alpha is copied.
    ///
    /// - Parameters:
    ///   - layout: the layout of the result. It must have the size of this picture and straight alpha. The layout's
    ///     format names the colour space to which the pixels are converted. The channels of the format must match that
    ///     colour space.
    ///   - name: the name of the file, for error messages.
    /// - Returns: the converted pixels, or nil if Little CMS cannot convert between the two colour spaces.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    func converted(to layout: PixelLayout, name: String) throws(ImageError) -> PixelBuffer? {
        try Memory.check(layout.byteCount, for: name)
        guard let transform = ProfileTransform(from: format, to: layout.format) else { return nil }
        return converted(to: layout, by: transform)
    }

    /// Converts the pixels row by row to a picture of the same size.
    func converted(to layout: PixelLayout, by transform: some RowTransform) -> PixelBuffer {
        let from = self.layout
        return unsafe PixelBuffer(layout: layout) { out in
            // SAFETY: every row of the result is written, and all accesses stay within both pictures.
            unsafe withUnsafeBytes { bytes in
                for y in 0..<layout.height {
                    guard let source = bytes.baseAddress, let row = out.baseAddress else { return }
                    unsafe transform.convert(source + y * from.bytesPerRow, row + y * layout.bytesPerRow, layout.width)
                }
            }
        }
    }

    /// Converts the pixels to the colour space of another picture, so that they can be used in that picture. The result
    /// has 16 bits per sample.
    ///
    /// Grey becomes RGB if `space` is an RGB profile. Coloured pixels are converted to sRGB if `space` is a profile for
    /// grey pixels, because such a profile cannot describe colours.
    ///
    /// - Parameters:
    ///   - space: the colour space of the other picture. ``ColorSpace/unspecified`` counts as sRGB, in both pictures.
    ///   - name: the name of the file, for error messages.
    /// - Returns: the converted pixels; this picture unchanged, if it is in the right colour space already; or nil if
    ///   Little CMS cannot convert the pixels.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public func converted(to space: ColorSpace, name: String) throws(ImageError) -> PixelBuffer? {
        guard let layout = try layoutConverted(to: space, name: name) else { return self }
        return try converted(to: layout, name: name)
    }

    /// The layout of the pixels after a conversion to the colour space of another picture; nil if they are in it already.
    func layoutConverted(to space: ColorSpace, name: String) throws(ImageError) -> PixelLayout? {
        var target = PixelFormat(format.channels.canonical, .u16, colorSpace: space.stated)
        if case .icc(let profile) = space {
            let isGrey = ICCProfile(bytes: profile).space == "GRAY"
            if isGrey, !target.channels.isGrey { target.colorSpace = .sRGB }
            if !isGrey { target.channels = target.channels.addingColor }
        }
        guard target.colorSpace != format.colorSpace.stated else { return nil }
        return try PixelLayout(reading: width, height, target, name: name)
    }
}

extension ColorSpace {
    /// This colour space, or sRGB if this colour space is unspecified.
    package var stated: ColorSpace { self == .unspecified ? .sRGB : self }
}

/// A conversion of colours.
protocol RowTransform {
    /// Converts a row of pixels. Both buffers must hold at least `count` pixels, and must not overlap.
    @unsafe func convert(_ source: UnsafeRawPointer, _ row: UnsafeMutableRawPointer, _ count: Int)
}

/// A conversion between the colour spaces of two pixel formats.
@safe final class ProfileTransform: RowTransform {
    private let transform: cmsHTRANSFORM

    /// Returns nil if the profile of a format is invalid or does not match the channels of the format.
    init?(from: PixelFormat, to: PixelFormat) {
        // SAFETY: both profiles are closed after the transform is created.
        guard let source = unsafe Self.profile(from) else { return nil }
        defer { unsafe cmsCloseProfile(source) }
        guard let target = unsafe Self.profile(to) else { return nil }
        defer { unsafe cmsCloseProfile(target) }
        guard
            let created = unsafe cmsCreateTransform(
                source, from.pixelsOfLCMS, target, to.pixelsOfLCMS, frost_intent, frost_copy_alpha)
        else { return nil }
        unsafe transform = unsafe created
    }

    deinit {
        // SAFETY: this object holds the only reference to the transform.
        unsafe cmsDeleteTransform(transform)
    }

    /// Creates a Little CMS profile of a format's colour space. The caller must close the profile.
    @unsafe private static func profile(_ format: PixelFormat) -> cmsHPROFILE? {
        let isGrey = format.channels.isGrey
        switch format.colorSpace {
        case .icc(let bytes):
            guard let size = UInt32(exactly: bytes.count) else { return nil }
            return unsafe cmsOpenProfileFromMem(bytes, size)
        case .unspecified, .sRGB:
            let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            return unsafe profile(cmsBuildParametricToneCurve(nil, 4, parameters), isGrey)
        case .linear: return unsafe profile(cmsBuildGamma(nil, 1), isGrey)
        case .gamma(let exponent): return unsafe profile(cmsBuildGamma(nil, exponent), isGrey)
        }
    }

    /// Creates a profile with sRGB's white point, sRGB's primaries and the given tone curve. Frees the curve.
    @unsafe private static func profile(_ curve: OpaquePointer?, _ isGrey: Bool) -> cmsHPROFILE? {
        guard let curve = unsafe curve else { return nil }
        defer { unsafe cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        return unsafe isGrey
            ? cmsCreateGrayProfile(&white, curve) : cmsCreateRGBProfile(&white, &primaries, &curves)
    }

    @unsafe func convert(_ source: UnsafeRawPointer, _ row: UnsafeMutableRawPointer, _ count: Int) {
        unsafe cmsDoTransform(transform, source, row, UInt32(count))
    }
}

extension PixelFormat {
    fileprivate var pixelsOfLCMS: cmsUInt32Number {
        frost_pixels(channels.isGrey ? 1 : 3, channels.hasAlpha ? 1 : 0, UInt32(sample.size))
    }
}
