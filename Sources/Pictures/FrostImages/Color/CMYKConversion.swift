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
        precondition(metadata.colorModel == .cmyk && pixels.format.channels.count == 4, "the picture is not CMYK")
        precondition(!pixels.format.sample.isFloat, "inks are not floats")
        precondition(sample == .u8 || sample == .u16, "no conversion to \(sample)")
        let layout = try Self.layoutConvertedFromCMYK(pixels.layout, to: sample, name: name)
        try Memory.check(layout.byteCount, for: name)
        var metadata = metadata
        metadata.colorModel = .light
        metadata.iccProfile = nil
        // The returned ``Conversion`` states whether the profile was used, so ``ImageMetadata/profileFault`` is
        // cleared.
        metadata.profileFault = nil
        metadata.renderingIntent = .relativeColorimetric
        let inks = pixels.format.sample
        let transform = self.metadata.iccProfile.flatMap { InkTransform(profile: $0.bytes, from: inks, to: sample) }
        let from = pixels.layout
        let converted = unsafe PixelBuffer(layout: layout) { out in
            // SAFETY: the loop writes every pixel of the result, row by row, within the bounds of both images.
            unsafe pixels.withUnsafeBytes { bytes in
                for y in 0..<layout.height {
                    let line = unsafe UnsafeRawBufferPointer(
                        rebasing: bytes[(y * from.bytesPerRow)..<(y * from.bytesPerRow + from.rowByteCount)])
                    let light = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: out[(y * layout.bytesPerRow)..<(y * layout.bytesPerRow + layout.rowByteCount)])
                    if let transform {
                        unsafe transform.convert(line, light, layout.width)
                    } else {
                        unsafe Self.multiplied(line, from: inks, light, to: sample, layout.width)
                    }
                }
            }
        }
        return (DecodedImage(pixels: converted, metadata: metadata), transform == nil ? .plain : .profile)
    }
}

extension DecodedImage {
    /// Multiplies the light that each ink lets through by that of black, and rounds the product to the samples of the result.
    @unsafe private static func multiplied(
        _ line: UnsafeRawBufferPointer, from inks: SampleType, _ light: UnsafeMutableRawBufferPointer,
        to sample: SampleType, _ width: Int
    ) {
        let (full, maximum) = (Int(inks.maximum), Int(sample.maximum))
        func ink(_ i: Int) -> Int {
            unsafe inks == .u8 ? Int(line[i]) : Int(line.load(fromByteOffset: 2 * i, as: UInt16.self))
        }
        for x in 0..<width {
            let black = ink(4 * x + 3)
            for i in 0..<3 {
                let value = (ink(4 * x + i) * black * maximum + full * full / 2) / (full * full)
                if sample == .u8 {
                    unsafe light[3 * x + i] = UInt8(truncatingIfNeeded: value)
                } else {
                    unsafe light.storeBytes(
                        of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * (3 * x + i), as: UInt16.self)
                }
            }
        }
    }
}

/// Converts the CMYK colours of an ICC profile to sRGB with Little CMS.
@safe private final class InkTransform {
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

    /// Converts a row of `count` pixels. Both buffers must hold at least `count` pixels.
    @unsafe func convert(_ inks: UnsafeRawBufferPointer, _ light: UnsafeMutableRawBufferPointer, _ count: Int) {
        guard let from = inks.baseAddress, let to = light.baseAddress else { return }
        unsafe cmsDoTransform(transform, from, to, UInt32(count))
    }
}
