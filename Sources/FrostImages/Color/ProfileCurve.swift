import CLCMS
public import FrostCore

/// How a picture's ICC profile encodes light.
public enum ProfileCurve: Sendable, Hashable {
    /// The numbers are proportional to light.
    case linear
    case curve(TransferFunction)

    /// How far a profile's curve may be from one of these, as a fraction of full scale, and still count as it. Profiles
    /// hold curves as 16-bit tables or as rounded exponents.
    private static let tolerance = 0.005

    /// Reads the curves of a grey profile, or of an RGB profile by a matrix.
    ///
    /// - Returns: nil if the profile is malformed, if it uses colour tables, or if its curves differ from each other or
    ///   from every ``TransferFunction``.
    public init?(profile: [UInt8]) {
        // SAFETY: the profile is read during the calls. The curves belong to it and are read before it is closed.
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
        // Rounded, so that channels whose tables differ only in the last digits get the same exponent.
        let exponent = unsafe (cmsEstimateGamma(curve, 0.1) * 100).rounded() / 100
        let candidates: [TransferFunction] =
            [.sRGB, .rec709] + (exponent > 0 ? [try? .gamma(exponent)].compactMap { $0 } : [])
        guard let match = candidates.first(where: { candidate in isNear { candidate.decode($0) } }) else { return nil }
        self = .curve(match)
    }
}
