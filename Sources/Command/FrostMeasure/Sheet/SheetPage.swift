import Frost
import FrostCLI
import FrostImages

/// A catalogue page. It has a title and sections. A section contains thumbnails with names and summaries. All columns
/// have the same width.
struct SheetPage {
    struct Cell {
        let name: String
        let summary: String
        /// The picture to show, in 8-bit premultiplied RGBA. If it is larger than a thumbnail, it is reduced.
        let image: PixelBuffer
    }

    struct Section {
        let heading: String?
        let cells: [Cell]
    }

    /// The title and the line below the title; nil for a page without a title.
    let title: (text: String, subtitle: String)?
    /// The picture without an effect, shown beside the title.
    let original: PixelBuffer?
    let sections: [Section]

    static let width = 2 * margin + columns * column + (columns - 1) * gap
    private static let columns = 5
    /// The maximum width and height of a thumbnail, which is also the width of a column.
    static let column = 256
    static let margin = 56
    static let gap = 24
    private static let background: Canvas.Ink = [0.984, 0.984, 0.988, 1]
    private static let ink: Canvas.Ink = [0.11, 0.11, 0.12, 1]
    private static let faint: Canvas.Ink = [0.43, 0.43, 0.45, 1]
    private static let rule: Canvas.Ink = [0.86, 0.86, 0.88, 1]
    private static let border: Canvas.Ink = [0, 0, 0, 0.12]
    private static let titleFont = Canvas.Font(size: 44, isBold: true)
    private static let subtitleFont = Canvas.Font(size: 17)
    private static let headingFont = Canvas.Font(size: 23, isBold: true)
    private static let nameFont = Canvas.Font(size: 15, isBold: true)
    private static let summaryFont = Canvas.Font(size: 12.5)
    private static let nameLine = 20
    private static let summaryLine = 17
    private static let headingHeight = 68
    private static let cornerRadius = 10.0

    /// Returns the page as a picture.
    func drawn() throws(CanvasError) -> PixelBuffer {
        let height = try place(on: Canvas(width: 1, height: 1, background: Self.background))
        let canvas = try Canvas(width: Self.width, height: height, background: Self.background)
        _ = try place(on: canvas)
        return try canvas.picture()
    }

    /// Draws the page and writes it to a file.
    ///
    /// - Returns: the size of the page.
    func write(to path: FilePath, as format: ImageFormat) throws(CommandError) -> PictureSize {
        let sheet: PixelBuffer
        do throws(CanvasError) { sheet = try drawn() } catch {
            throw .image(.cannotEncode(path: path.text, reason: error.reason))
        }
        try Pictures.write(DecodedImage(pixels: sheet), to: path, as: format)
        return PictureSize(width: sheet.width, height: sheet.height)
    }

    /// Reads a picture for a sheet. The sheet has no colour profile, so the picture is converted to sRGB if that is
    /// possible.
    static func picture(_ path: FilePath, limits: ImageLimits) throws(CommandError) -> PixelBuffer {
        let picture = try Pictures.read(path, ImageReadOptions(limits: limits), nil).pixels
        do throws(ImageError) { return try picture.converted(to: .sRGB, name: path.text) ?? picture } catch {
            throw .image(error)
        }
    }

    /// Draws the page on a canvas. Parts of the page outside the canvas are not drawn, so a canvas of one pixel is
    /// enough to measure the page's height.
    ///
    /// - Returns: the page's height.
    private func place(on canvas: Canvas) throws(CanvasError) -> Int {
        var top = Self.margin
        if let title {
            canvas.draw(title.text, x: Double(Self.margin), y: Double(top + 44), Self.titleFont, Self.ink)
            canvas.draw(title.subtitle, x: Double(Self.margin), y: Double(top + 80), Self.subtitleFont, Self.faint)
            let height = try original.map { (original) throws(CanvasError) in
                try place(
                    Cell(name: "Original", summary: "\(original.width)x\(original.height) points", image: original),
                    x: Self.left(of: Self.columns - 1), y: top, on: canvas)
            }
            top += max(110, height ?? 0) + Self.gap
        }
        for section in sections where !section.cells.isEmpty {
            if let heading = section.heading {
                canvas.fill(
                    x: Double(Self.margin), y: Double(top), width: Double(Self.width - 2 * Self.margin), height: 1,
                    Self.rule)
                canvas.draw(heading, x: Double(Self.margin), y: Double(top + 42), Self.headingFont, Self.ink)
                top += Self.headingHeight
            }
            for first in stride(from: 0, to: section.cells.count, by: Self.columns) {
                var tallest = 0
                for (column, cell) in section.cells[first...].prefix(Self.columns).enumerated() {
                    tallest = max(tallest, try place(cell, x: Self.left(of: column), y: top, on: canvas))
                }
                top += tallest + Self.gap
            }
        }
        return top - Self.gap + Self.margin
    }

    /// Draws a thumbnail with its text.
    ///
    /// - Returns: the height of the thumbnail and its text together.
    private func place(_ cell: Cell, x: Int, y: Int, on canvas: Canvas) throws(CanvasError) -> Int {
        let size = Self.size(cell.image, within: (Self.column, Self.column))
        let image: PixelBuffer
        do throws(PixelError) { image = try cell.image.reduced(width: size.width, height: size.height) } catch {
            throw CanvasError(reason: "\(error)")
        }
        canvas.draw(image, x: x, y: y, radius: Self.cornerRadius, border: Self.border)
        var bottom = y + size.height + 6
        let width = Double(Self.column)
        for (text, font, ink, line) in [
            (cell.name, Self.nameFont, Self.ink, Self.nameLine),
            (cell.summary, Self.summaryFont, Self.faint, Self.summaryLine),
        ] {
            for text in canvas.lines(of: text, in: font, width: width) {
                bottom += line
                canvas.draw(text, x: Double(x), y: Double(bottom - 4), font, ink)
            }
        }
        return bottom - y
    }

    /// Returns the left edge of a column. Columns are counted from 0.
    static func left(of column: Int) -> Int { margin + column * (Self.column + gap) }

    /// Returns the size at which a picture is shown. If the picture is larger than the maximum, it is reduced to fit.
    static func size(_ picture: PixelBuffer, within maximum: (Int, Int)) -> (width: Int, height: Int) {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let factor = min(1, Double(maximum.0) / width, Double(maximum.1) / height)
        return (max(1, Int((width * factor).rounded())), max(1, Int((height * factor).rounded())))
    }
}
