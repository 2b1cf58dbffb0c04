package import Frost
package import FrostImages

/// What a user asks for the encoding of a picture, in whatever format.
package struct EncodingOptions: Sendable {
    /// The quality, 1 to 100; nil for the default of the format.
    package var quality: Int?
    /// The chroma subsampling of JPEG; nil for the default of the quality.
    package var subsampling: JPEGWriteOptions.Subsampling?
    /// Whether to write progressive JPEGs.
    package var isProgressive = false
    /// Whether to optimise the Huffman tables of JPEGs.
    package var isOptimized = false
    /// Whether to write without loss, in formats that are lossy by default.
    package var isLossless = false
    /// An opaque colour to put behind transparent pixels; nil to keep alpha.
    package var background: Color?
    /// The maximum number of bits per sample; nil to keep all.
    package var depth: Int?
    /// Which metadata to keep.
    package var keep = MetadataPolicy.color

    package init() {}

    /// The formats that have a quality.
    package static let formatsWithQuality = ImageFormat.allCases.filter { $0.traits.quality != nil }
    /// The formats that are lossless on request.
    package static let formatsWithLossless = ImageFormat.allCases.filter(\.traits.isLosslessOnRequest)

    /// The options for a writer.
    package var writing: ImageWriteOptions {
        ImageWriteOptions(
            background: background, depth: depth, keep: keep,
            jpeg: JPEGWriteOptions(
                quality: quality ?? JPEGWriteOptions().quality, subsampling: subsampling,
                isProgressive: isProgressive, isOptimized: isOptimized),
            webp: WebPWriteOptions(quality: quality ?? WebPWriteOptions().quality, isLossless: isLossless),
            avif: LossyWriteOptions(quality: quality ?? LossyWriteOptions.avif.quality, isLossless: isLossless),
            jxl: LossyWriteOptions(quality: quality ?? LossyWriteOptions.jxl.quality, isLossless: isLossless))
    }

    /// Returns a text about an option that applies to none of the formats of the outputs; nil if there is none.
    package func misfit(in formats: [ImageFormat]) -> String? {
        guard let first = formats.first else { return nil }
        // Here, only depths that are not a multiple of 8, and formats without integers are checked. Other limits of a format
        // are reported later, for each picture separately.
        if let depth,
            let format = formats.first(where: {
                $0.traits.depths.isEmpty || depth % 8 != 0 && !$0.traits.depths.contains(depth)
            })
        {
            return "--depth \(depth) does not apply to \(format.traits.title) output"
        }
        // A file without loss has no quality.
        if isLossless, quality != nil,
            !formats.contains(where: { $0.traits.quality != nil && !$0.traits.isLosslessOnRequest }),
            let format = formats.first(where: \.traits.isLosslessOnRequest)
        {
            return "--quality does not apply to lossless \(format.traits.title) output"
        }
        let uses: [(name: String, isSet: Bool, formats: [ImageFormat])] = [
            ("quality", quality != nil, Self.formatsWithQuality), ("subsampling", subsampling != nil, [.jpeg]),
            ("progressive", isProgressive, [.jpeg]), ("optimize", isOptimized, [.jpeg]),
            ("lossless", isLossless, Self.formatsWithLossless),
        ]
        for use in uses where use.isSet && Set(use.formats).isDisjoint(with: formats) {
            return "--\(use.name) does not apply to \(first.traits.title) output"
        }
        return nil
    }
}
