import CLCMS
import FrostCore

extension DecodedImage {
    /// How ``convertedFromCMYK(name:)`` computed its colours.
    public enum Conversion: Sendable, Hashable {
        /// By the picture's profile, with the relative colorimetric intent and black point compensation.
        case profile
        /// The picture has no usable profile: each channel is the light that its ink lets through times the light that
        /// black lets through. Printed colours differ from the result.
        case plain
    }

    /// Converts a picture of ``ColorModel/cmyk`` to sRGB.
    ///
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public func convertedFromCMYK(name: String) throws(ImageError) -> (image: DecodedImage, by: Conversion) {
        precondition(metadata.colorModel == .cmyk && pixels.format.bytesPerPixel == 4, "the picture is not CMYK")
        let layout = try PixelLayout(
            reading: pixels.width, pixels.height, PixelFormat(.rgb, colorSpace: .sRGB), name: name)
        try Memory.check(layout.byteCount, for: name)
        var metadata = metadata
        metadata.colorModel = .light
        metadata.iccProfile = nil
        // The returned ``Conversion`` already says whether the profile was used.
        metadata.profileFault = nil
        metadata.renderingIntent = .relativeColorimetric
        let transform = self.metadata.iccProfile.flatMap { InkTransform(profile: $0.bytes) }
        let from = pixels.layout
        let converted = unsafe PixelBuffer(layout: layout) { out in
            // SAFETY: every pixel of the result is written, row by row, within both images.
            unsafe pixels.withUnsafeBytes { bytes in
                for y in 0..<layout.height {
                    let inks = unsafe UnsafeRawBufferPointer(
                        rebasing: bytes[(y * from.bytesPerRow)..<(y * from.bytesPerRow + from.rowByteCount)])
                    let light = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: out[(y * layout.bytesPerRow)..<(y * layout.bytesPerRow + layout.rowByteCount)])
                    if let transform {
                        unsafe transform.convert(inks, light, layout.width)
                    } else {
                        for x in 0..<layout.width {
                            let black = unsafe Int(inks[4 * x + 3])
                            for i in 0..<3 {
                                unsafe light[3 * x + i] = UInt8((Int(inks[4 * x + i]) * black + 127) / 255)
                            }
                        }
                    }
                }
            }
        }
        return (DecodedImage(pixels: converted, metadata: metadata), transform == nil ? .plain : .profile)
    }
}

/// Converts a profile's CMYK to sRGB with Little CMS.
@safe private final class InkTransform {
    private let transform: cmsHTRANSFORM

    /// nil if the profile is invalid or is not a CMYK profile.
    init?(profile: [UInt8]) {
        // SAFETY: the profile is read during the calls. Both profiles are closed after the transform is made.
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
                source, frost_cmyk_inverted, target, frost_rgb, frost_intent, frost_flags)
        else { return nil }
        unsafe self.transform = unsafe transform
    }

    deinit {
        // SAFETY: the only reference.
        unsafe cmsDeleteTransform(transform)
    }

    /// Converts a row of `count` pixels. Both buffers must hold that many.
    @unsafe func convert(_ inks: UnsafeRawBufferPointer, _ light: UnsafeMutableRawBufferPointer, _ count: Int) {
        guard let from = inks.baseAddress, let to = light.baseAddress else { return }
        unsafe cmsDoTransform(transform, from, to, UInt32(count))
    }
}
