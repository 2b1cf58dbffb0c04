import CLCMS
import FrostCore

/// An ICC profile, and the name of the profile in the picture's file.
public struct ICCProfile: Sendable, Hashable {
    /// The profile's name. PNG stores up to 79 characters of Latin-1.
    public var name: String
    /// The uncompressed bytes of the profile.
    public var bytes: [UInt8]

    /// Creates a profile without checking it. Writers refuse a profile that has a ``ProfileFault``.
    public init(name: String = "ICC profile", bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The reason why a profile cannot describe the pixels of a picture. In every format, readers drop profiles with such a
/// fault, and writers refuse them.
public enum ProfileFault: Sendable, Hashable, CustomStringConvertible {
    /// The profile is malformed, or Little CMS cannot convert from its colours.
    case unusable
    /// The profile's header names other channels than the picture has. The associated value names the channels of the
    /// picture: "GRAY", "RGB" or "CMYK".
    case otherChannels(than: String)

    /// The fault as the end of a sentence that begins with "the profile", for example "is damaged or unsupported".
    public var description: String {
        switch self {
        case .unusable: "is damaged or unsupported"
        case .otherChannels(let space): "is not for \(space) pixels"
        }
    }
}

extension ICCProfile {
    /// Returns why the profile does not match pixels with these channels, or nil if it matches. The check takes a few
    /// tenths of a millisecond.
    func fault(for channels: ChannelLayout, _ model: ColorModel) -> ProfileFault? {
        guard isWellFormed else { return .unusable }
        let expected = model == .cmyk ? "CMYK" : channels.isGrey ? "GRAY" : "RGB "
        guard space == expected else { return .otherChannels(than: expected.filter { $0 != " " }) }
        return isApplicable ? nil : .unusable
    }

    /// The colour space that the profile's header names, for example "GRAY", "RGB " or "CMYK"; empty if the profile has
    /// no complete header.
    var space: String { bytes.count >= Self.headerSize ? letters(16) : "" }

    /// The code points that the profile's tag for them states, for RGB of full range.
    var codePoints: CodePoints? {
        guard isWellFormed else { return nil }
        for entry in (0..<word(128)).map({ Self.headerSize + 12 * $0 }) where letters(entry) == "cicp" {
            let at = word(entry + 4)
            guard word(entry + 8) >= 12, bytes[at + 10] == 0, bytes[at + 11] == 1 else { return nil }
            return CodePoints(primaries: UInt16(bytes[at + 8]), transfer: UInt16(bytes[at + 9]))
        }
        return nil
    }

    /// The profile, cut to the length that its header states, because some programs append padding to profiles.
    var withoutPadding: ICCProfile {
        guard bytes.count >= Self.headerSize else { return self }
        return ICCProfile(name: name, bytes: Array(bytes.prefix(word(0))))
    }

    /// The size, in bytes, of the profile's header and the tag count that follows it.
    private static let headerSize = 132

    /// Whether the header and the tag table follow sections 7.2 and 7.3 of the standard ICC.1. Little CMS ignores more
    /// faults than libpng. Without this check, Frost would accept some profiles that libpng then refuses to write.
    private var isWellFormed: Bool {
        guard bytes.count >= Self.headerSize, word(0) == bytes.count, letters(36) == "acsp" else { return false }
        // Version 4 of ICC pads profiles to a multiple of 4 bytes.
        guard bytes[8] < 4 || bytes.count % 4 == 0 else { return false }
        // Only profiles of devices and of colour spaces are accepted. Device link profiles, for example, are refused,
        // because they have no profile connection space.
        guard ["scnr", "mntr", "prtr", "spac"].contains(letters(12)), ["XYZ ", "Lab "].contains(letters(20)),
            word(64) < RenderingIntent.allCases.count
        else { return false }
        let tags = word(128)
        guard tags <= (bytes.count - Self.headerSize) / 12 else { return false }
        return (0..<tags).allSatisfy { tag in
            let entry = Self.headerSize + 12 * tag
            return word(entry + 4) + word(entry + 8) <= bytes.count
        }
    }

    /// Whether Little CMS can convert colours from this profile.
    private var isApplicable: Bool {
        // SAFETY: the profile's bytes are read only during these calls, and everything that Little CMS allocates is
        // freed.
        guard let size = UInt32(exactly: bytes.count), let profile = unsafe cmsOpenProfileFromMem(bytes, size) else {
            return false
        }
        defer { unsafe cmsCloseProfile(profile) }
        guard let target = unsafe cmsCreateXYZProfile() else { return false }
        defer { unsafe cmsCloseProfile(target) }
        let channels = unsafe cmsChannelsOf(cmsGetColorSpace(profile))
        let transform = unsafe cmsCreateTransform(
            profile, frost_floats(channels), target, frost_xyz, frost_intent, frost_unoptimised)
        guard let transform = unsafe transform else { return false }
        unsafe cmsDeleteTransform(transform)
        return true
    }

    func word(_ at: Int) -> Int { bytes.word(at) }

    func letters(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
}
