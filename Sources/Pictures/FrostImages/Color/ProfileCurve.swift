import CLCMS
public import FrostCore

/// The transfer curve of a picture's ICC profile: how the sample values of the picture encode light.
public enum ProfileCurve: Sendable, Hashable {
    /// The sample values are proportional to light.
    case linear
    /// The sample values encode light with this transfer function.
    case curve(TransferFunction)

    /// A profile's curve counts as equal to a known curve if the two never differ by more than this fraction of full
    /// scale. A tolerance is necessary because profiles hold curves as 16-bit tables or as rounded exponents.
    private static let tolerance = 0.005

    /// Reads the transfer curves of a grey profile, or of an RGB profile that consists of a matrix and curves.
    ///
    /// - Returns: nil if the profile is malformed, if it uses colour tables, or if its curves differ from each other or
    ///   from every `TransferFunction`.
    public init?(profile: [UInt8]) {
        // SAFETY: the profile's bytes are read only during these calls. The curves belong to the profile and are read
        // before the profile is closed.
        guard let size = UInt32(exactly: profile.count), let opened = unsafe cmsOpenProfileFromMem(profile, size) else {
            return nil
        }
        defer { unsafe cmsCloseProfile(opened) }
        let tags =
            unsafe cmsGetColorSpace(opened) == cmsSigGrayData
            ? [cmsSigGrayTRCTag] : [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
        var found: [ProfileCurve] = []
        for tag in tags {
            guard let read = unsafe cmsReadTag(opened, tag),
                let curve = unsafe ProfileCurve(OpaquePointer(read))
            else { return nil }
            found.append(curve)
        }
        guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
        self = first
    }

    private init?(_ curve: OpaquePointer) {
        let points = (0...64).map { Double($0) / 64 }
        let values = points.map { Double(unsafe cmsEvalToneCurveFloat(curve, Float($0))) }
        func isNear(_ decode: (Double) -> Double) -> Bool {
            zip(points, values).allSatisfy { abs(decode($0) - $1) <= Self.tolerance }
        }
        if isNear({ $0 }) {
            self = .linear
            return
        }
        // The exponent is rounded to two decimals, so that channels with slightly different tables get the same
        // exponent.
        let exponent = unsafe (cmsEstimateGamma(curve, 0.1) * 100).rounded() / 100
        let candidates: [TransferFunction] =
            [.sRGB, .rec709] + (exponent > 0 ? [try? .gamma(exponent)].compactMap { $0 } : [])
        guard let match = candidates.first(where: { candidate in isNear { candidate.decode($0) } }) else { return nil }
        self = .curve(match)
    }
}
