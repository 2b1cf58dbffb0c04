import FrostCore

/// How readers store what they find in a file. What is stored is rebuilt from known and harmless fields. It contains no
/// picture, because that would show what the file's picture was before Frost changed it.
extension ImageMetadata {
    /// Stores an EXIF block.
    ///
    /// - Parameter bytes: the block. Some programs begin it with the prefix of JPEG files, and in AVIF this is allowed.
    /// - Returns: the orientation that the block states. The stored block states upright, because readers turn the pixels.
    mutating func take(exif bytes: [UInt8], _ problems: ReadProblems) -> Orientation {
        let prefix = Array("Exif\0\0".utf8)
        guard let block = EXIF(bytes.starts(with: prefix) ? Array(bytes.dropFirst(prefix.count)) : bytes) else {
            problems.leaveOut("EXIF that cannot be read")
            return .upright
        }
        exif = block.rebuilt(leaveOut: problems.leaveOut)
        return block.orientation
    }

    /// Stores an XMP packet.
    mutating func take(xmp bytes: [UInt8], _ problems: ReadProblems) {
        xmp = XMP.rebuilt(bytes, leaveOut: problems.leaveOut)
    }

    /// Stores a comment of a JPEG file.
    mutating func take(comment bytes: [UInt8], _ problems: ReadProblems) {
        if PlainText.isPlain(bytes) {
            comments.append(bytes)
        } else {
            problems.leaveOut("a comment that is not a text")
        }
    }

    /// Stores the profile of a file, or sets ``profileFault`` if the profile does not match the pixels.
    ///
    /// - Parameter channels: the channels of the picture. Set ``colorModel`` before this call.
    mutating func take(_ profile: ICCProfile, for channels: ChannelLayout, _ problems: ReadProblems) {
        let whole = profile.withoutPadding
        if whole.bytes.count < profile.bytes.count, profile.bytes[whole.bytes.count...].contains(where: { $0 != 0 }) {
            problems.leaveOut("bytes after the ICC profile")
        }
        profileFault = whole.fault(for: channels, colorModel)
        guard profileFault == nil else { return iccProfile = nil }
        let rebuilt = whole.rebuilt(leaveOut: problems.leaveOut)
        if rebuilt != whole { profileFault = rebuilt.fault(for: channels, colorModel) }
        iccProfile = profileFault == nil ? rebuilt : nil
        if let points = iccProfile?.codePoints,
            points.transfer == CodePoints.pqTransfer || points.transfer == CodePoints.hlgTransfer
        {
            codePoints = points
        }
    }
}
