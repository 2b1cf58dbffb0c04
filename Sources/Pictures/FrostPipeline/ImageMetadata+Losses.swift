package import FrostImages

extension ImageMetadata {
    /// A warning if the ICC profile cannot be used; otherwise nil.
    package var profileWarning: String? { profileFault.map { "its ICC profile \($0); it was left out" } }

    /// Returns a warning about metadata that are to be kept but that the format of an output cannot hold; nil if nothing is
    /// lost.
    ///
    /// - Parameters:
    ///   - format: the format whose metadata the output can hold.
    ///   - title: the name of the output's format.
    ///   - keep: which metadata are to be kept.
    package func lossWarning(in format: ImageFormat, named title: String, keep: MetadataPolicy) -> String? {
        let lost = keeping(keep).lost(in: format).map(\.rawValue)
        return lost.isEmpty ? nil : "\(title) cannot hold \(lost.joined(separator: ", ")); left out"
    }

    /// A warning for a picture whose transfer curve Frost does not decode; nil for other pictures, or if nothing asks for
    /// light or colours.
    ///
    /// - Parameter asked: the options that ask for light or colours.
    package func curveWarning(for asked: [String]) -> String? {
        guard !asked.isEmpty, let curve = codePoints?.undecodedCurve else { return nil }
        return "its samples are \(curve), which is not decoded; for \(ImageFormat.list(asked, "and")) they count as "
            + "sRGB"
    }

    /// A warning for a picture whose metadata are all kept although the effect is to hide something; nil if there are no
    /// metadata that could tell it.
    package var unreadWarning: String? {
        let telling: Set<MetadataKind> = [.exif, .xmp, .comments, .texts]
        let names = lost(by: .none).filter(telling.contains).map(\.rawValue)
        guard !names.isEmpty else { return nil }
        return "redact does not look into \(ImageFormat.list(names, "and")), which --keep all keeps"
    }
}
