import Frost
import FrostImages
import FrostPipeline

/// A change of the size of frames, plane by plane.
struct FrameResize: Sendable {
    /// The format of the resized frames.
    let output: VideoFormat
    let planes: [PictureResize]

    /// - Parameters:
    ///   - light: the transfer function by which whole pixels are decoded; nil to resize them as they are.
    ///   - limits: the limits on the size; nil if it is known to be allowed.
    init(
        _ source: VideoFormat, by request: ResizeRequest, _ light: TransferFunction?, _ limits: ImageLimits?,
        name: String
    ) throws(ImageError) {
        let (width, height, part) = request.exactly(width: source.width, height: source.height)
        let (stated, shifts) = (request.size.stated, source.chromaShifts)
        let size = (
            width: Self.whole(width, shifts.x, stated.width), height: Self.whole(height, shifts.y, stated.height)
        )
        try limits?.check(width: size.width, height: size.height, name: name)
        let output = try VideoFormat(reading: size.width, size.height, source.coding, name: name)
        self.output = output
        planes = try source.planes.enumerated().map { (index, plane) throws(ImageError) in
            let to = output.planes[index]
            return try PictureResize(
                plane, to: to.width, to.height, part: source.part(part, ofPlane: index, to, size), light: light,
                largest: source.largestSample, name: name)
        }
    }

    /// Returns a side that follows from the ratio of the sides as whole chroma samples, rounded once. A side that was stated is
    /// kept, and not exceeded.
    private static func whole(_ length: Double, _ shift: Int, _ stated: Int?) -> Int {
        let (side, unit) = (ResizeRequest.side(length), 1 << shift)
        guard side != stated else { return side }
        let nearest = ResizeRequest.side(length / Double(unit)) << shift
        guard let stated, nearest > stated else { return nearest }
        return nearest > unit ? nearest - unit : side
    }

    /// Resizes the planes of a frame.
    func run(_ frame: [PixelBuffer], name: String) throws(ImageError) -> [PixelBuffer] {
        try planes.enumerated().map { (index, resize) throws(ImageError) in
            resize.changesNothing ? frame[index] : try resize.run(frame[index], name: name)
        }
    }
}

extension VideoFormat {
    /// Creates a format for frames of a stream.
    init(reading width: Int, _ height: Int, _ coding: Coding, name: String) throws(ImageError) {
        do throws(PixelError) { try self.init(width: width, height: height, coding) } catch {
            throw .outOfMemory(path: name, bytes: Int.max)
        }
    }

    /// The base-2 logarithms of the numbers of pixels per chroma sample, along a row and along a column.
    var chromaShifts: (x: Int, y: Int) { shifts(ofPlane: 1) }

    /// The largest sample, if it has fewer bits than its type.
    fileprivate var largestSample: Int? {
        guard case .yuv(let coding) = coding, (9...15).contains(coding.depth) else { return nil }
        return 1 << coding.depth - 1
    }

    /// Returns the part of a plane that shows a part of the frames.
    ///
    /// - Parameters:
    ///   - plane: the plane of the result.
    ///   - size: the size of the result.
    fileprivate func part(
        _ part: PictureResize.Part, ofPlane index: Int, _ plane: PixelLayout, _ size: (width: Int, height: Int)
    ) -> PictureResize.Part {
        let shifts = shifts(ofPlane: index)
        guard case .yuv(let coding) = coding, shifts != (0, 0) else { return part }
        func along(
            _ start: Double, _ length: Double, _ size: Int, _ samples: Int, _ shift: Int, isOnPixel: Bool
        ) -> (Double, Double) {
            let (scale, count) = (length / Double(size), Double(1 << shift))
            // A sample on the first of its pixels is (1 - 1 / count) / 2 samples before the middle of its pixels.
            let offset = isOnPixel ? (1 - scale) * (1 - 1 / count) / 2 : 0
            return (start / count + offset, scale * Double(samples))
        }
        var result = part
        (result.left, result.width) = along(
            part.left, part.width, size.width, plane.width, shifts.x, isOnPixel: coding.siting != .center)
        (result.top, result.height) = along(
            part.top, part.height, size.height, plane.height, shifts.y, isOnPixel: coding.siting == .topLeft)
        return result
    }
}
