extension ImageLimits {
    /// Refuses a picture that has too many pixels for the bytes of its file. Every format that stores a picture of a
    /// single colour in a few bytes allows such files.
    ///
    /// If the size of the input is not known, as for a pipe, this reads ahead as many bytes as the picture needs: a
    /// thousandth of its pixels. The source keeps them for its next reads. So the rule is the same as for files, and a
    /// picture is refused before it is decoded.
    func check(width: Int, height: Int, of source: ByteSource) throws(ImageError) {
        let pixels = width * height
        guard pixels > Self.smallPicture else { return }
        let needed = (pixels - 1) / max(1, maximumPixelsPerByte) + 1
        if source.size == nil { try check(memory: needed, name: source.name) }
        guard let bytes = try source.size(below: needed) else { return }
        throw .tooComplex(
            path: source.name,
            reason: "\(width)x\(height) pixels are implausible in a file of \(bytes) bytes; pictures of over "
                + "\(Self.smallPicture / 1_000_000) megapixels need a byte for each \(maximumPixelsPerByte) pixels")
    }
}
