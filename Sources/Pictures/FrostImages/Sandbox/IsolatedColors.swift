public import FrostCore

// The conversions of colours, in a process of the sandbox if the limits name one: Little CMS reads profiles, whose bytes come from
// files.

extension PixelBuffer {
    /// Converts the pixels as ``converted(to:name:)`` does, within the limits on pictures.
    ///
    /// - Parameters:
    ///   - space: the colour space of the other picture.
    ///   - name: the name of the file, for error messages.
    ///   - limits: the limits. If they have a sandbox, a process of it converts the pixels.
    public func converted(
        to space: ColorSpace, name: String, limits: ImageLimits
    ) throws(ImageError) -> PixelBuffer? {
        guard let sandbox = limits.sandbox else { return try converted(to: space, name: name) }
        guard let layout = try layoutConverted(to: space, name: name) else { return self }
        return try ColorProcess.convert(self, .colors, from: format, to: layout, name: name, limits, in: sandbox)
    }
}

extension DecodedImage {
    /// Converts a CMYK picture as ``convertedFromCMYK(to:name:)`` does, within the limits on pictures.
    package func convertedFromCMYK(
        to sample: SampleType, name: String, limits: ImageLimits
    ) throws(ImageError) -> (image: DecodedImage, by: Conversion) {
        guard let sandbox = limits.sandbox, let profile = inkProfile else {
            return try convertedFromCMYK(to: sample, name: name)
        }
        let layout = try Self.layoutConvertedFromCMYK(pixels.layout, to: sample, name: name)
        var inks = pixels.format
        inks.colorSpace = .icc(profile)
        let converted = try ColorProcess.convert(
            pixels, .inks, from: inks, to: layout, name: name, limits, in: sandbox)
        return light(pixels: converted, layout)
    }

    /// Returns whether the same sample values mean the same colours in both pictures: whether a conversion from one colour
    /// space to the other changes no colour of a grid by more than half an 8-bit step.
    ///
    /// A picture without a description counts as sRGB. Primaries of PNG and code points, which no conversion covers, must be
    /// equal.
    ///
    /// - Parameters:
    ///   - other: the other picture.
    ///   - name: the name of the file, for error messages.
    ///   - limits: the limits. If they have a sandbox, a process of it converts the colours.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public func meansSameColors(
        as other: DecodedImage, name: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) -> Bool {
        try meansSameColors(as: other, name: name) { (grid, space) throws(ImageError) in
            try grid.converted(to: space, name: name, limits: limits)
        }
    }
}

extension ProfileCurve {
    /// Reads the transfer curves as ``init(profile:)`` does, within the limits on pictures.
    ///
    /// - Parameters:
    ///   - profile: the bytes of the profile.
    ///   - name: the name of the file, for error messages.
    ///   - limits: the limits. If they have a sandbox, a process of it reads the profile.
    package init?(profile: [UInt8], name: String, limits: ImageLimits) throws(ImageError) {
        guard let sandbox = limits.sandbox else {
            self.init(profile: profile)
            return
        }
        guard let curve = try ColorProcess.curve(profile: profile, name: name, limits, in: sandbox) else { return nil }
        self = curve
    }
}
