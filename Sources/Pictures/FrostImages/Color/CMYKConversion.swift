import CLCMS
package import FrostCore

extension DecodedImage {
    /// The method with which ``convertedFromCMYK(name:)`` computed the colours.
    public enum Conversion: Sendable, Hashable {
        /// The colours were computed with the picture's ICC profile, the relative colorimetric intent and black point
        /// compensation.
        case profile
        /// The picture has no usable profile. Each RGB channel is therefore (sample of the ink × sample of black) /
        /// 255, rounded. This is the light that the ink lets through, multiplied by the light that black lets through.
        /// Printed colours differ from this result.
        case plain
    }

    /// Converts a picture with the colour model ``ColorModel/cmyk`` to 8-bit sRGB. The picture must have four
    /// channels of 8 or 16 bits.
    ///
    /// - Parameter name: the name of the picture, for error messages.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public func convertedFromCMYK(name: String) throws(ImageError) -> (image: DecodedImage, by: Conversion) {
        try convertedFromCMYK(to: .u8, name: name)
    }

    /// The layout of a CMYK picture after ``convertedFromCMYK(to:name:)``.
    package static func layoutConvertedFromCMYK(
        _ inks: PixelLayout, to sample: SampleType, name: String
    ) throws(ImageError) -> PixelLayout {
        try PixelLayout(
            reading: inks.width, inks.height, PixelFormat(.rgb, sample, colorSpace: .sRGB), name: name)
    }

    /// Converts a CMYK picture to sRGB with samples of 8 or 16 bits. Colours that are rounded again later need 16.
    package func convertedFromCMYK(
        to sample: SampleType, name: String
    ) throws(ImageError) -> (image: DecodedImage, by: Conversion) {
        let transform = inkProfile.flatMap { InkTransform(profile: $0, from: pixels.format.sample, to: sample) }
        let layout = try Self.layoutConvertedFromCMYK(pixels.layout, to: sample, name: name)
        try Memory.check(layout.byteCount, for: name)
        return light(pixels: transform.map { pixels.converted(to: layout, by: $0) }, layout)
    }

    /// The bytes of the profile of the inks; nil if the picture has none.
    var inkProfile: [UInt8]? {
        precondition(metadata.colorModel == .cmyk && pixels.format.channels.count == 4, "the picture is not CMYK")
        precondition(!pixels.format.sample.isFloat, "inks are not floats")
        return metadata.iccProfile?.bytes
    }

    /// Returns the picture in light.
    ///
    /// - Parameter converted: the pixels that the picture's profile gives; with nil, the plain formula converts them.
    func light(pixels converted: PixelBuffer?, _ layout: PixelLayout) -> (image: DecodedImage, by: Conversion) {
        precondition(layout.format.sample == .u8 || layout.format.sample == .u16, "no conversion to floats")
        var metadata = metadata
        metadata.colorModel = .light
        metadata.iccProfile = nil
        // The returned ``Conversion`` states whether the profile was used, so ``ImageMetadata/profileFault`` is
        // cleared.
        metadata.profileFault = nil
        metadata.renderingIntent = .relativeColorimetric
        let plain = PlainInks(from: pixels.format.sample, to: layout.format.sample)
        let light = converted ?? pixels.converted(to: layout, by: plain)
        return (DecodedImage(pixels: light, metadata: metadata), converted == nil ? .plain : .profile)
    }
}

/// Multiplies the light that each ink lets through by that of black, and rounds the product to the samples of the result.
private struct PlainInks: RowTransform {
    let inks: SampleType
    let sample: SampleType

    init(from inks: SampleType, to sample: SampleType) { (self.inks, self.sample) = (inks, sample) }

    @unsafe func convert(_ line: UnsafeRawPointer, _ light: UnsafeMutableRawPointer, _ count: Int) {
        let (full, maximum) = (Int(inks.maximum), Int(sample.maximum))
        func ink(_ i: Int) -> Int {
            unsafe inks == .u8
                ? Int(line.load(fromByteOffset: i, as: UInt8.self))
                : Int(line.load(fromByteOffset: 2 * i, as: UInt16.self))
        }
        for x in 0..<count {
            let black = ink(4 * x + 3)
            for i in 0..<3 {
                let value = (ink(4 * x + i) * black * maximum + full * full / 2) / (full * full)
                if sample == .u8 {
                    unsafe light.storeBytes(
                        of: UInt8(truncatingIfNeeded: value), toByteOffset: 3 * x + i, as: UInt8.self)
                } else {
                    unsafe light.storeBytes(
                        of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * (3 * x + i), as: UInt16.self)
                }
            }
        }
    }
}

/// Converts the CMYK colours of an ICC profile to sRGB with Little CMS.
@safe final class InkTransform: RowTransform {
    private let transform: cmsHTRANSFORM

    /// Returns nil if the profile is invalid or is not a CMYK profile.
    init?(profile: [UInt8], from inks: SampleType, to sample: SampleType) {
        // SAFETY: the profile's bytes are read only during these calls. Both profiles are closed after the transform
        // exists.
        guard let size = UInt32(exactly: profile.count), let source = unsafe cmsOpenProfileFromMem(profile, size) else {
            return nil
        }
        defer { unsafe cmsCloseProfile(source) }
        guard unsafe cmsGetColorSpace(source) == cmsSigCmykData, let target = unsafe cmsCreate_sRGBProfile() else {
            return nil
        }
        defer { unsafe cmsCloseProfile(target) }
        guard
            let transform = unsafe cmsCreateTransform(
                source, inks == .u8 ? frost_cmyk_inverted : frost_cmyk16_inverted, target,
                sample == .u8 ? frost_rgb : frost_rgb16, frost_intent,
                frost_flags)
        else { return nil }
        unsafe self.transform = unsafe transform
    }

    deinit {
        // SAFETY: `self` holds the only reference to the transform.
        unsafe cmsDeleteTransform(transform)
    }

    @unsafe func convert(_ inks: UnsafeRawPointer, _ light: UnsafeMutableRawPointer, _ count: Int) {
        unsafe cmsDoTransform(transform, inks, light, UInt32(count))
    }
}
