import Frost
import FrostImages
import FrostPipeline

/// How the frames of a stream get the size of the result: they are resized before the effect, or put on a background to which the
/// effect is applied.
///
/// The planes of a frame are resized one by one, so luma and chroma keep their numbers. Chroma keeps its position relative to
/// luma. Sides that the command line states are kept. Those that follow from the ratio of the sides, and the position on a
/// background, are whole chroma samples.
struct FrameSizing: Sendable {
    private let source: VideoFormat
    /// The format of the frames of the result.
    let result: VideoFormat
    private let name: String
    private let change: Change

    private enum Change {
        case none
        case resized(FrameResize)
        case padded(FrameResize, place: Rect, Surroundings)
    }

    /// What is behind the picture.
    private enum Surroundings {
        case resized(FrameResize)
        case mirror
        case planes([PixelBuffer])
    }

    /// - Parameters:
    ///   - isLinear: whether pixels are resized in linear light. This is not possible for planes.
    ///   - limits: the limits on the size of the result.
    ///   - input: the path of the stream, for messages.
    /// - Throws: ``CommandError/usage(_:)`` if the frames have alpha, with which this is not possible, or if they cannot hold the
    ///   colour of the background.
    init(
        _ source: VideoFormat, _ resizing: ResizeRequest?, _ padding: PadRequest?, isLinear: Bool,
        _ limits: ImageLimits,
        input: FilePath
    ) throws(CommandError) {
        let light: TransferFunction? =
            if case .pixels(let format) = source.coding, isLinear {
                try rethrow(
                    format.colorSpace.light(name: input.text, limits: limits) { _ in }, as: CommandError.image)
            } else {
                nil
            }
        self.source = source
        name = input.text
        if let padding {
            guard !source.coding.hasAlpha else { throw .usage("--pad does not apply to video with alpha") }
            do throws(ImageError) {
                try limits.check(width: padding.width, height: padding.height, name: input.text)
                result = try VideoFormat(reading: padding.width, padding.height, source.coding, name: input.text)
            } catch {
                throw .image(error)
            }
            let (foreground, place) = try Self.placed(source, padding, light, name)
            change = .padded(foreground, place: place, try Self.background(source, result, padding, light, name))
        } else if let resizing {
            if case .yuv(let coding) = source.coding, coding.hasAlpha {
                throw .usage("--resize does not apply to video of luma and chroma with alpha")
            }
            let resize = try rethrow(
                FrameResize(source, by: resizing, light, limits, name: name), as: CommandError.image)
            (result, change) = (resize.output, .resized(resize))
        } else {
            (result, change) = (source, .none)
        }
    }

    private static func placed(
        _ source: VideoFormat, _ padding: PadRequest, _ light: TransferFunction?, _ name: String
    ) throws(CommandError) -> (FrameResize, place: Rect) {
        let (request, _) = padding.placed(source.width, source.height)
        let resize = try rethrow(FrameResize(source, by: request, light, nil, name: name), as: CommandError.image)
        let (x, y) = source.chromaShifts
        let (width, height) = (resize.output.width, resize.output.height)
        let place = Rect(
            x: (((padding.width - width) / 2) >> x) << x, y: (((padding.height - height) / 2) >> y) << y, width: width,
            height: height)
        return (resize, place)
    }

    private static func background(
        _ source: VideoFormat, _ result: VideoFormat, _ padding: PadRequest, _ light: TransferFunction?, _ name: String
    ) throws(CommandError) -> Surroundings {
        switch padding.background {
        case .mirror: return .mirror
        case .blur:
            return .resized(
                try rethrow(
                    FrameResize(source, by: padding.covering, light, nil, name: name), as: CommandError.image))
        case .color(let color):
            guard color.alpha == 1 else { throw .usage("--pad-with: a colour behind video must be opaque") }
            guard !source.coding.isGrey || color.red == color.green && color.green == color.blue else {
                throw .usage("--pad-with: these frames are grey, so the colour must be grey")
            }
            return .planes(try rethrow(result.planes(of: color, name: name), as: CommandError.image))
        }
    }

    /// Whether the frames keep their size.
    var isNone: Bool {
        switch change {
        case .none: true
        case .resized, .padded: false
        }
    }

    /// How the luma or the pixels of the frames get the size of the result; nil if rectangles keep their places.
    var resize: PictureResize? {
        switch change {
        case .none, .padded: nil
        case .resized(let resize): resize.planes.first
        }
    }

    /// Whether the background is a colour.
    var hasColor: Bool {
        switch change {
        case .padded(_, _, .planes): true
        case .none, .resized, .padded: false
        }
    }

    /// Returns the frame to which the effect is applied.
    func background(of frame: VideoFrame) throws(ImageError) -> VideoFrame {
        var frame = frame
        switch change {
        case .none: break
        case .resized(let resize): frame.planes = try resize.run(frame.planes, name: name)
        case .padded(_, _, .resized(let resize)): frame.planes = try resize.run(frame.planes, name: name)
        case .padded(_, _, .planes(let planes)): frame.planes = planes
        case .padded(let resize, let place, .mirror):
            let planes = try resize.run(frame.planes, name: name)
            frame.planes = try planes.enumerated().map { (index, plane) throws(ImageError) in
                let (x, y) = result.shifts(ofPlane: index)
                let extent = result.planes[index].extent
                return try plane.extended(to: extent.moved(x: -(place.x >> x), y: -(place.y >> y)), name: name)
            }
        }
        return frame
    }

    /// Returns the result of a frame.
    ///
    /// - Parameters:
    ///   - rendered: the frame to which the effect was applied.
    ///   - frame: the frame of the stream.
    ///   - background: the ``background(of:)`` of the frame.
    func finished(
        _ rendered: VideoFrame, from frame: VideoFrame, _ background: VideoFrame
    ) throws(ImageError) -> VideoFrame {
        guard case .padded(let resize, let place, let surroundings) = change else { return rendered }
        var rendered = rendered
        switch surroundings {
        case .mirror:
            // The picture is already in the middle of its mirror images.
            for index in rendered.planes.indices {
                let rect = self.place(of: index, at: place, resize.output.planes[index])
                rendered.planes[index].copy(rect, from: background.planes[index])
            }
        case .resized, .planes:
            for (index, plane) in try resize.run(frame.planes, name: name).enumerated() {
                let rect = self.place(of: index, at: place, plane.layout)
                do throws(PixelError) { try rendered.planes[index].paste(plane, at: rect) } catch {
                    throw .badStream(path: name, expected: "frames of one format", reason: "\(error)")
                }
            }
        }
        return rendered
    }

    /// Returns where a plane of the picture is in the plane of the result.
    private func place(of index: Int, at place: Rect, _ plane: PixelLayout) -> Rect {
        let (x, y) = result.shifts(ofPlane: index)
        return Rect(x: place.x >> x, y: place.y >> y, width: plane.width, height: plane.height)
    }
}

extension VideoFormat {
    /// Returns the planes of a frame of one opaque colour.
    fileprivate func planes(of color: Color, name: String) throws(ImageError) -> [PixelBuffer] {
        let whole = Rect(x: 0, y: 0, width: width, height: height)
        switch coding {
        case .pixels(let format): return [try PixelBuffer(filledWith: color, whole, like: format, name: name)]
        case .yuv(let coding):
            let conversion = try ColorConversion(self, coding, name: name)
            return conversion.planes(
                of: try PixelBuffer(filledWith: color, whole, like: conversion.layout.format, name: name))
        }
    }
}
