import FrostCore

/// The rows of a resized picture. The picture is read and resized when the first row is read.
struct ResizedRows: RowReader, ~Copyable {
    let name: String
    let metadata: ImageMetadata
    let memory: DecodingMemory
    private let resize: PictureResize
    private var inner: ImageReader
    /// The resized picture; nil before the first row and after the last row.
    private var pixels: PixelBuffer?
    private var rowsRead = 0

    /// - Parameter memory: what reading the rows of `inner` takes.
    init(
        _ inner: consuming ImageReader, _ resize: PictureResize, _ name: String, _ metadata: ImageMetadata, memory: Int
    ) {
        self.inner = inner
        self.resize = resize
        self.name = name
        self.metadata = metadata
        self.memory = DecodingMemory(decoder: memory + resize.memory)
    }

    var layout: PixelLayout { resize.output }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let picture = if let pixels { pixels } else { try readPixels() }
        picture.copyRow(rowsRead, into: &row)
        rowsRead += 1
        pixels = rowsRead == layout.height ? nil : picture
    }

    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try resize.run(name: name) { (row) throws(ImageError) in try inner.readRow(into: &row) }
    }
}
