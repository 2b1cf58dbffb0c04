/// The kinds of metadata that a file can hold. The raw value is the name for error messages.
public enum MetadataKind: String, Sendable, Hashable, CaseIterable {
    /// An ICC profile.
    case profile = "the colour profile"
    /// A colour space without a profile: gamma, chromaticities or a rendering intent.
    case curve = "the colour space"
    /// A colour description by code points of ITU-T H.273.
    case codePoints = "the colour space's code points"
    /// The luminances of the display on which a picture was made, and of its pixels.
    case lightLevels = "the light levels (mDCV, cLLI)"
    /// A pixel density.
    case density = "the density"
    /// An EXIF block.
    case exif = "EXIF"
    /// An XMP packet.
    case xmp = "XMP"
    /// The comments of a JPEG file.
    case comments = "comments"
    /// The text and time chunks of a PNG file.
    case texts = "texts"
}

/// The choice of which metadata to keep.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable {
    /// Keeps all metadata that Frost knows and that cannot contain a picture. Readers leave out everything else.
    case all
    /// Keeps only the colour profile or colour space, which a viewer needs to show the pixels correctly.
    case color
    /// Keeps nothing, not even the colour space.
    case none
}
