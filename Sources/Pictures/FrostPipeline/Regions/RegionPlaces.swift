package import Frost
package import FrostImages

/// The rectangles to which an effect is applied, before the size of the picture is known.
package struct RegionPlaces: Sendable {
    private let places: [RectPlace]
    /// The boxes of one picture in each of some files.
    private var lists: [(file: FilePath, boxes: [BoxFile.Box])] = []
    private let radius: CornerRadius
    private let corners: CornerCurve
    private let feather: Double
    private let isInverted: Bool
    private let isBounded: Bool
    private let maskPlacement: MaskPlacement

    /// Creates a list of rectangles. An empty list means the whole picture.
    ///
    /// - Parameters:
    ///   - radius: the radius of the corners. As in CSS, a radius that is too large for a rectangle is reduced.
    ///   - corners: the curve of the corners.
    ///   - feather: the width in pixels over which the effect fades out beside the rectangles; see `ClipRule`.
    ///   - isInverted: whether the effect is applied outside the rectangles.
    ///   - isBounded: whether only pixels inside a rectangle contribute to its result.
    ///   - maskPlacement: where masks lie.
    package init(
        _ places: [RectPlace] = [], radius: CornerRadius = .pixels(0), corners: CornerCurve = .circular,
        feather: Double = 0, isInverted: Bool = false, isBounded: Bool = false, maskPlacement: MaskPlacement = .rect
    ) {
        self.maskPlacement = maskPlacement
        self.places = places
        self.radius = radius
        self.corners = corners
        self.feather = feather
        self.isInverted = isInverted
        self.isBounded = isBounded
    }

    /// Whether the effect covers the whole picture, because no rectangles are given.
    package var isEmpty: Bool { places.isEmpty && lists.isEmpty }

    /// Whether rectangles are given, but none for this picture, so that the effect changes nothing.
    package var isNothing: Bool { hasNoRect && !isInverted }

    /// Whether rectangles are given, but none for this picture.
    package var hasNoRect: Bool {
        places.isEmpty && !lists.isEmpty && lists.allSatisfy { $0.boxes.allSatisfy { $0.rect == nil } }
    }

    /// Returns the same with the boxes of some files for one picture.
    package func with(_ files: [BoxFile], for picture: FilePath) -> RegionPlaces {
        var result = self
        result.lists += files.map { ($0.path, $0.boxes(of: picture)) }
        return result
    }

    /// The box of the largest number of a frame, with its file; nil if no box belongs to a frame.
    private var last: (file: FilePath, box: BoxFile.Box, frame: Int)? {
        lists.flatMap { list in
            list.boxes.compactMap { box in box.frame.map { (list.file, box, $0) } }
        }.max { $0.2 < $1.2 }
    }

    /// Returns the error for a box of a frame that the video does not have.
    ///
    /// - Parameter count: the number of frames.
    package func missingFrame(of count: Int) -> BoxFileError? {
        guard let last, last.frame >= count else { return nil }
        return BoxFileError(
            last.file, last.box.line,
            "frame \(last.frame) does not exist: the input has \(count) frame\(count == 1 ? "" : "s"), counted from 0")
    }

    /// Checks the corners before any picture is read. This is possible if all rectangles are in pixels.
    package func check() throws(ParameterError) {
        if places.allSatisfy(\.isAbsolute) {
            _ = try Self.shapes(places.map { $0.rect(width: 1, height: 1) }, radius, corners)
        }
    }

    /// Returns the rectangles for a picture of the given size.
    ///
    /// - Parameters:
    ///   - frame: the number of a video's frame, counted from 0. A picture that is no video has all boxes that belong to no
    ///     frame, or to frame 0.
    ///   - resize: how the picture got its size; nil if it has the size of its file. Rectangles count in pixels of the file.
    package func placed(
        width: Int, height: Int, frame: Int = 0, resized resize: PictureResize? = nil
    ) throws(RegionError) -> EffectRegions {
        let rule = ClipRule(feather: feather, isInverted: isInverted)
        guard !isEmpty else { return EffectRegions(nil, rule: rule, isBounded: isBounded, maskPlacement) }
        let (width, height) = (resize?.input.width ?? width, resize?.input.height ?? height)
        var rects = places.map { $0.rect(width: width, height: height) }
        let picture = Rect(x: 0, y: 0, width: width, height: height)
        for list in lists {
            for box in list.boxes where box.frame ?? frame == frame {
                guard let rect = box.rect else { continue }
                guard rect.intersection(picture) != nil else {
                    throw .box(
                        BoxFileError(
                            list.file, box.line,
                            "the box \(rect) lies outside the picture of \(width)x\(height) pixels"))
                }
                rects.append(rect)
            }
        }
        if let resize {
            if let rect = rects.first(where: { $0.intersection(picture) == nil }) {
                throw .parameter(.outsideImage(rect, image: picture))
            }
            // What was cut off needs no effect.
            rects = rects.compactMap { resize.placed($0) }
        }
        let shapes = try rethrow(Self.shapes(rects, radius, corners), as: RegionError.parameter)
        return EffectRegions(shapes, rule: rule, isBounded: isBounded, maskPlacement)
    }

    private static func shapes(
        _ rects: [Rect], _ radius: CornerRadius, _ corners: CornerCurve
    ) throws(ParameterError) -> [RoundedRect] {
        try rects.map { (rect) throws(ParameterError) in
            try RoundedRect(rect, radius: radius.pixels(in: rect, corners), corners: corners)
        }
    }
}

/// The reason why the rectangles of an effect are not possible in a picture.
package enum RegionError: Error {
    /// A rectangle or its corners are not possible in a picture of this size.
    case parameter(ParameterError)
    /// A box of a file lies outside the picture.
    case box(BoxFileError)
}
