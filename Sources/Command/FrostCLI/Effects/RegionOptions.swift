package import Frost
package import FrostImages
package import FrostPipeline

extension RectPlace: OptionValue {}
extension CornerRadius: OptionValue {}
extension MaskPlacement: OptionValue {}

extension Option {
    /// The options that place an effect in a picture.
    package static let regions: [Option] = [
        .rect, .rects, .ellipse, .feather, .invertRects, .cornerRadius, .cornerSmoothing, .cornerExponent, .bounded,
        .relativeTo,
    ]
}

/// The values of `--rect`, `--rects` and the options that depend on them, before the size of the picture is known.
package struct RegionOptions {
    private let places: RegionPlaces
    /// The boxes of each `--rects`.
    private let files: [BoxFile]
    private let hasRadius: Bool

    package init(_ arguments: Arguments) throws(CommandError) {
        let rects = arguments.values(.rect, as: RectPlace.self)
        let radius = arguments.value(.cornerRadius, as: CornerRadius.self)
        hasRadius = radius != nil
        let hasRects = !rects.isEmpty || arguments.has(.rects)
        for option in [Option.cornerRadius, .ellipse, .feather, .invertRects, .bounded]
        where arguments.has(option) && !hasRects {
            throw .usage("--\(option.name) needs --rect or --rects")
        }
        let isBounded = arguments.has(.bounded)
        let maskPlacement = arguments.value(.relativeTo, as: MaskPlacement.self) ?? .rect
        guard !isBounded || maskPlacement != .picture else {
            throw .usage("--bounded cannot be combined with --relative-to picture")
        }
        let feather = arguments.value(.feather, as: Double.self) ?? 0
        let isInverted = arguments.has(.invertRects)
        for (option, isUsed) in [(Option.feather, feather > 0), (.invertRects, isInverted)] where isUsed && isBounded {
            throw .usage("--\(option.name) cannot be combined with --bounded")
        }
        places = RegionPlaces(
            rects, radius: radius ?? .pixels(0), corners: try Self.corners(arguments), feather: feather,
            isInverted: isInverted, isBounded: isBounded, maskPlacement: maskPlacement)
        do throws(BoxFileError) {
            files = try arguments.values(.rects, as: FilePath.self).map { (path) throws(BoxFileError) in
                try BoxFile(path: path)
            }
        } catch {
            throw .boxes(error)
        }
        do throws(ParameterError) { try places.check() } catch { throw usage(error) }
    }

    private static func corners(_ arguments: Arguments) throws(CommandError) -> CornerCurve {
        let smoothing = arguments.value(.cornerSmoothing, as: Double.self)
        let exponent = arguments.value(.cornerExponent, as: Double.self)
        if arguments.has(.ellipse) {
            let other = [Option.cornerRadius, .cornerSmoothing, .cornerExponent].first { arguments.has($0) }
            if let other { throw .usage("--ellipse cannot be combined with --\(other.name)") }
            return .ellipse
        }
        let corners: CornerCurve
        switch (smoothing, exponent) {
        case (nil, nil): return .circular
        case (let smoothing?, nil): corners = .continuous(smoothing: smoothing)
        case (nil, let exponent?): corners = .superellipse(exponent: exponent)
        case (_?, _?): throw .usage("--corner-smoothing cannot be combined with --corner-exponent")
        }
        guard arguments.has(.cornerRadius) else {
            throw .usage("--corner-\(smoothing == nil ? "exponent" : "smoothing") needs --corner-radius")
        }
        return corners
    }

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { places.isEmpty && files.isEmpty }

    /// Checks that every name in the files of `--rects` is that of one of the inputs of the command line.
    package func check(names inputs: [FilePath]) throws(CommandError) {
        do throws(BoxFileError) { for file in files { try file.check(names: inputs) } } catch { throw .boxes(error) }
    }

    /// Checks the names of `--rects`.
    ///
    /// - Parameters:
    ///   - inputs: all inputs of the command line.
    ///   - effect: the effect. A redaction needs a rectangle in every input.
    func check(_ inputs: [FilePath], for effect: Effect) throws(CommandError) {
        try check(names: inputs)
        guard let file = files.first, effect.isRedaction else { return }
        for input in inputs where places(for: input).isNothing {
            throw .boxes(
                BoxFileError(file.path, nil, "no box for \(input.shownName), so \(effect.name) would hide nothing"))
        }
    }

    /// Returns the rectangles for an input.
    package func places(for input: FilePath) -> RegionPlaces {
        files.isEmpty ? places : places.with(files, for: input)
    }

    /// Returns the rectangles in a picture of the given size.
    ///
    /// - Parameters:
    ///   - places: the ``places(for:)`` of the input, if the caller has them; nil to look them up.
    ///   - resize: how the picture got its size; nil if it has the size of its file.
    package func placed(
        _ places: RegionPlaces? = nil, in input: FilePath, width: Int, height: Int, frame: Int = 0,
        resized resize: PictureResize? = nil
    ) throws(CommandError) -> EffectRegions {
        let places = places ?? self.places(for: input)
        do throws(RegionError) {
            return try places.placed(width: width, height: height, frame: frame, resized: resize)
        } catch {
            throw usage(error, of: input)
        }
    }

    /// The error for rectangles that are not possible in a picture.
    func usage(_ error: RegionError, of input: FilePath) -> CommandError {
        switch error {
        case .parameter(let error): usage(error, of: input)
        case .box(let error): .boxes(error)
        }
    }

    /// The error for rectangles that are not possible.
    ///
    /// - Parameter input: the picture to which the rectangles do not fit; nil if they fit to no picture.
    private func usage(_ error: ParameterError, of input: FilePath? = nil) -> CommandError {
        let name = input.map { "\($0.shownName): " } ?? ""
        return .usage("\(name)\(hasRadius ? "--corner-radius" : "--rect"): \(error)")
    }
}

extension EffectRegions {
    /// Checks that an exact result can be computed, with which the rendered result can be compared.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if rectangles overlap and `--bounded` is set. Then the later rectangle is
    ///   computed from the rounded pixels of the earlier one, so no exact result exists.
    package func checkComparable() throws(CommandError) {
        guard isBounded, let (first, second) = overlap else { return }
        throw .usage(
            "--rect: \(first) and \(second) overlap; with --bounded, the results of overlapping rectangles cannot be "
                + "checked")
    }
}
