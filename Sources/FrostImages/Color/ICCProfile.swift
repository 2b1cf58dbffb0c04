import CLCMS
import FrostCore

/// An ICC profile and the name it goes by in the file.
public struct ICCProfile: Sendable, Hashable {
    /// PNG keeps up to 79 characters of Latin-1.
    public var name: String
    /// The profile, uncompressed.
    public var bytes: [UInt8]

    /// A profile that is not checked here: writers refuse one that has a ``ProfileFault``.
    public init(name: String = "ICC profile", bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Why a profile says nothing about a picture's pixels. Readers leave such profiles out, whatever the format, and writers
/// refuse them.
public enum ProfileFault: Sendable, Hashable, CustomStringConvertible {
    /// It is not laid out as profiles are, or Little CMS finds no colours in it.
    case unusable
    /// Its header says that it is for other channels than the picture's, which it names: "GRAY", "RGB" or "CMYK".
    case otherChannels(than: String)

    /// What can be said of the profile.
    public var description: String {
        switch self {
        case .unusable: "is damaged or of a kind that cannot be applied"
        case .otherChannels(let space): "is not one for \(space) pixels"
        }
    }
}

extension ImageMetadata {
    /// Keeps what a file holds as its profile, or says in ``profileFault`` why not.
    ///
    /// - Parameter channels: the picture's; its ``colorModel`` is set already.
    mutating func take(_ profile: ICCProfile, for channels: ChannelLayout) {
        let whole = profile.withoutPadding
        profileFault = whole.fault(for: channels, colorModel)
        iccProfile = profileFault == nil ? whole : nil
    }
}

extension ICCProfile {
    /// Why it says nothing about such pixels; nil where it does. Takes some tenths of a millisecond.
    func fault(for channels: ChannelLayout, _ model: ColorModel) -> ProfileFault? {
        guard isWellFormed else { return .unusable }
        let expected = model == .cmyk ? "CMYK" : channels.isGrey ? "GRAY" : "RGB "
        guard space == expected else { return .otherChannels(than: expected.filter { $0 != " " }) }
        return isApplicable ? nil : .unusable
    }

    /// What its header says that it is for: "GRAY", "RGB " or "CMYK", for example; nothing where
    /// it has no header.
    var space: String { bytes.count >= Self.headerSize ? letters(16) : "" }

    /// As long as the header says, where there is more. Programs pad profiles.
    fileprivate var withoutPadding: ICCProfile {
        guard bytes.count >= Self.headerSize else { return self }
        return ICCProfile(name: name, bytes: Array(bytes.prefix(word(0))))
    }

    /// The header and the number of tags.
    private static let headerSize = 132

    /// Whether header and tags are as ICC.1 has them (7.2 and 7.3). Little CMS passes over more than libpng, which would
    /// refuse to write what it passed over.
    private var isWellFormed: Bool {
        guard bytes.count >= Self.headerSize, word(0) == bytes.count, letters(36) == "acsp" else { return false }
        // Version 4 pads what stands in a profile.
        guard bytes[8] < 4 || bytes.count % 4 == 0 else { return false }
        // Those for devices and their colours, not those from one device to another.
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

    /// Whether Little CMS finds a way from the profile's colours to others.
    private var isApplicable: Bool {
        // SAFETY: the profile is read during the calls; all that is made is given back.
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

    private func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }

    private func letters(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
}
