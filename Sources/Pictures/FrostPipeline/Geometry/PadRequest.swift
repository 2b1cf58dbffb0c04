package import Frost
package import FrostImages

/// A larger picture that contains the picture, fitted to it and in its middle, before a background.
///
/// The effect is applied to the background alone, before the picture is placed.
package struct PadRequest: Sendable, Hashable {
    /// The size of the result.
    package let width, height: Int
    package let background: Background

    package init(width: Int, height: Int, _ background: Background) {
        (self.width, self.height, self.background) = (width, height, background)
    }

    /// Whether the background has a colour of its own.
    var hasColor: Bool { if case .color = background { true } else { false } }

    /// What the effect is applied to.
    package enum Background: Sendable, Hashable {
        /// The picture itself, resized to cover the result.
        case blur
        /// The picture as it is placed, mirrored at its edges until the result is filled.
        case mirror
        case color(Color)

        /// The words that stand for backgrounds.
        package static let words = ["blur", "mirror"]

        /// Parses a word or a colour.
        package init?(written text: String) {
            switch text {
            case "blur": self = .blur
            case "mirror": self = .mirror
            default:
                guard let color = try? Color(parsing: text) else { return nil }
                self = .color(color)
            }
        }
    }

    /// Returns how the picture is resized, and where it is placed. If the space beside it cannot be halved, the right or the
    /// lower part is one pixel larger.
    package func placed(_ width: Int, _ height: Int) -> (resize: ResizeRequest, place: Rect) {
        let resize = ResizeRequest(.sides(width: self.width, height: self.height), .fit)
        let size = resize.placed(width: width, height: height)
        return (
            resize,
            Rect(
                x: (self.width - size.width) / 2, y: (self.height - size.height) / 2, width: size.width,
                height: size.height)
        )
    }

    /// Returns the layout of the result of a picture.
    func layout(like input: PixelLayout) -> PixelLayout {
        (try? PixelLayout(width: width, height: height, format: input.format)) ?? input
    }

    /// How the picture is resized to cover the result.
    package var covering: ResizeRequest { ResizeRequest(.sides(width: width, height: height), .cover) }

    /// The memory, in bytes, that padding takes in addition to the picture.
    func memory(_ input: PixelLayout) -> Int {
        let result = width * height * input.format.bytesPerPixel * 2
        // Both resized pictures are computed from the input, one after the other, in floats at most.
        return 2 * result + (input.width * input.height + width * height) * input.format.channels.count * 4
    }
}

/// How pictures of one layout are padded.
struct PadPlan {
    private let place: Rect
    private let fit: PictureResize
    private let canvas: Rect
    private let surroundings: Surroundings

    private enum Surroundings {
        case cover(PictureResize)
        case mirror
        case picture(PixelBuffer)
    }

    /// - Parameter light: the transfer function by which colours are decoded for resizing; nil to resize them as they are.
    init(
        _ layout: PixelLayout, _ request: PadRequest, light: TransferFunction?, name: String
    ) throws(ImageError) {
        func plan(_ resize: ResizeRequest) throws(ImageError) -> PictureResize {
            let (width, height, part) = resize.placed(width: layout.width, height: layout.height)
            return try PictureResize(layout, to: width, height, part: part, light: light, name: name)
        }
        let (resize, place) = request.placed(layout.width, layout.height)
        self.place = place
        fit = try plan(resize)
        canvas = Rect(x: 0, y: 0, width: request.width, height: request.height)
        switch request.background {
        case .blur: surroundings = .cover(try plan(request.covering))
        case .mirror: surroundings = .mirror
        case .color(let color):
            surroundings = .picture(try PixelBuffer(filledWith: color, canvas, like: layout.format, name: name))
        }
    }

    /// Returns the parts of a padded picture.
    func parts(of picture: PixelBuffer, name: String) throws(ImageError) -> PaddedPicture {
        func resized(_ resize: PictureResize) throws(ImageError) -> PixelBuffer {
            resize.changesNothing ? picture : try resize.run(picture, name: name)
        }
        let foreground = try resized(fit)
        let background =
            switch surroundings {
            case .cover(let resize): try resized(resize)
            case .mirror: try foreground.extended(to: canvas.moved(x: -place.x, y: -place.y), name: name)
            case .picture(let picture): picture
            }
        return PaddedPicture(background: background, foreground: foreground, place: place)
    }
}

/// The parts of a padded picture.
struct PaddedPicture {
    /// The background, to which the effect is applied.
    let background: PixelBuffer
    /// The picture, resized to its place.
    let foreground: PixelBuffer
    let place: Rect

    /// Returns the background after the effect with the picture in its place. What is behind transparent pixels shows.
    func placed(on background: PixelBuffer, with renderer: Renderer) throws(FrostError) -> PixelBuffer {
        if foreground.format.channels.hasAlpha, !foreground.isOpaque {
            var drawing = Effect(GaussianBlur.none(edge: .clamp))
            drawing.outputStages.content = [ContentLayer(ContentImage(foreground), mode: .center, bounds: place)]
            return try renderer.render(background, drawing).image
        }
        var result = background
        let whole = try renderer.unchanged(foreground, in: background.format)
        try rethrow(result.paste(whole, at: place), as: FrostError.pixels)
        return result
    }
}

extension PixelBuffer {
    /// Returns a rectangle of the image, which is mirrored at its edges as often as is needed.
    package func extended(to rect: Rect, name: String) throws(ImageError) -> PixelBuffer {
        let layout = try PixelLayout(reading: rect.width, rect.height, format, name: name)
        let size = format.bytesPerPixel
        let (rule, extent) = (EdgeMode.mirror, self.layout.extent)
        let columns = rect.columns.map { (rule.map($0, into: extent.columns) ?? 0) * size }
        var y = rect.y
        return try PixelBuffer(rows: layout) { (row) throws(ImageError) in
            let start = (rule.map(y, into: extent.rows) ?? 0) * self.layout.bytesPerRow
            for (x, column) in columns.enumerated() {
                for i in 0..<size {
                    row.storeBytes(of: bytes[start + column + i], toByteOffset: x * size + i, as: UInt8.self)
                }
            }
            y += 1
        }
    }

    /// Creates an image of one colour, in a format with the channels that the colour needs.
    package init(
        filledWith color: Color, _ rect: Rect, like format: PixelFormat, name: String
    ) throws(ImageError) {
        var format = format
        if color.red != color.green || color.green != color.blue { format.channels = format.channels.addingColor }
        if color.alpha < 1 { format.channels = format.channels.addingAlpha }
        let layout = try PixelLayout(reading: rect.width, rect.height, format, name: name)
        let (order, maximum) = (format.channels.order, Double(format.sample.maximum))
        var pixel = [UInt8](repeating: 0, count: format.bytesPerPixel)
        unsafe pixel.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            func store(_ value: Double, _ index: Int) {
                let steps = format.sample.isFloat ? value : (value * maximum).rounded()
                unsafe format.sample.store(steps, base, at: index)
            }
            for (value, index) in [(color.red, order.red), (color.green, order.green), (color.blue, order.blue)] {
                store(value, index)
            }
            if let alpha = order.alpha { store(color.alpha, alpha) }
        }
        let row = (0..<rect.width).flatMap { _ in pixel }
        self = try PixelBuffer(rows: layout) { (out) throws(ImageError) in
            for (index, byte) in row.enumerated() { out.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
        }
    }
}
