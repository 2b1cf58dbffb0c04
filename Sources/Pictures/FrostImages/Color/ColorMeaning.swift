import FrostCore

extension DecodedImage {
    /// Returns whether the same sample values mean the same colours in both pictures: whether a conversion from one colour
    /// space to the other changes no colour of a grid by more than half an 8-bit step.
    ///
    /// A picture without a description counts as sRGB. Primaries of PNG and code points, which no conversion covers, must be
    /// equal.
    ///
    /// - Parameters:
    ///   - other: the other picture.
    ///   - name: the name of the file, for error messages.
    ///   - convert: converts the pixels of the grid to a colour space.
    func meansSameColors(
        as other: DecodedImage, name: String,
        convert: (PixelBuffer, ColorSpace) throws(ImageError) -> PixelBuffer?
    ) throws(ImageError) -> Bool {
        guard metadata.colorModel == other.metadata.colorModel,
            metadata.wideCodePoints == other.metadata.wideCodePoints,
            metadata.widePrimaries == other.metadata.widePrimaries
        else { return false }
        let (own, others) = (metadata.colorSpace, other.metadata.colorSpace)
        if own == others || metadata.wideCodePoints != nil { return true }
        guard metadata.colorModel == .light else { return false }
        let channels: ChannelLayout =
            pixels.format.channels.isGrey && other.pixels.format.channels.isGrey ? .grey : .rgb
        let grid = try Self.grid(channels, own)
        guard let converted = try convert(grid, others) else { return false }
        guard converted.layout.byteCount == grid.layout.byteCount else { return false }
        return stride(from: 0, to: grid.bytes.count, by: 2).allSatisfy {
            abs(Self.sample(grid.bytes, at: $0) - Self.sample(converted.bytes, at: $0)) <= 257 / 2
        }
    }

    /// Returns the sample of 16 bits at a position. All machines that Frost runs on are little-endian.
    private static func sample(_ bytes: [UInt8], at position: Int) -> Int {
        Int(bytes[position]) + Int(bytes[position + 1]) << 8
    }

    /// Returns a picture of 16 bits per sample with nine levels of each channel, in all combinations.
    private static func grid(_ channels: ChannelLayout, _ space: ColorSpace) throws(ImageError) -> PixelBuffer {
        let levels = (0..<9).map { UInt16($0 * 65535 / 8) }
        let samples =
            channels.isGrey
            ? levels : levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
        let layout = try PixelLayout(
            reading: samples.count / channels.count, 1, PixelFormat(channels, .u16, colorSpace: space), name: "")
        return unsafe PixelBuffer(layout: layout) { bytes in
            // SAFETY: the layout has as many samples of 16 bits as the array.
            unsafe samples.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        }
    }
}

extension ImageMetadata {
    /// The code points, if they describe something other than sRGB. Those beside a profile are the profile's own.
    fileprivate var wideCodePoints: CodePoints? { codePoints?.isPlain == false ? codePoints : nil }

    /// The primaries of PNG, if they count and are not those of sRGB.
    fileprivate var widePrimaries: Chromaticities? {
        guard iccProfile == nil, renderingIntent == nil, let chromaticities, !chromaticities.isNearSRGB
        else { return nil }
        return chromaticities
    }
}
