import Frost
package import FrostPipeline

extension RectPlace: OptionValue {}
extension CornerRadius: OptionValue {}
extension MaskPlacement: OptionValue {}

/// The values of `--rect`, `--corner-radius` and its relatives, and `--bounded`, before the size of the picture is known.
package struct RegionOptions {
    let places: RegionPlaces
    private let hasRadius: Bool

    package init(_ arguments: Arguments) throws(CommandError) {
        let rects = arguments.values(.rect, as: RectPlace.self)
        let radius = arguments.value(.cornerRadius, as: CornerRadius.self)
        hasRadius = radius != nil
        guard !rects.isEmpty || radius == nil else { throw .usage("--corner-radius needs --rect") }
        let smoothing = arguments.value(.cornerSmoothing, as: Double.self)
        let exponent = arguments.value(.cornerExponent, as: Double.self)
        let corners: CornerCurve
        switch (smoothing, exponent) {
        case (nil, nil): corners = .circular
        case (let smoothing?, nil): corners = .continuous(smoothing: smoothing)
        case (nil, let exponent?): corners = .superellipse(exponent: exponent)
        case (_?, _?): throw .usage("--corner-smoothing cannot be combined with --corner-exponent")
        }
        guard corners == .circular || radius != nil else {
            throw .usage("--corner-\(smoothing == nil ? "exponent" : "smoothing") needs --corner-radius")
        }
        let isBounded = arguments.has(.bounded)
        guard !rects.isEmpty || !isBounded else { throw .usage("--bounded needs --rect") }
        let maskPlacement = arguments.value(.relativeTo, as: MaskPlacement.self) ?? .rect
        guard !isBounded || maskPlacement != .picture else {
            throw .usage("--bounded cannot be combined with --relative-to picture")
        }
        places = RegionPlaces(
            rects, radius: radius ?? .pixels(0), corners: corners, isBounded: isBounded,
            maskPlacement: maskPlacement)
        do throws(ParameterError) { try places.check() } catch { throw usage(error) }
    }

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { places.isEmpty }

    /// Returns the rectangles for a picture of the given size.
    package func placed(width: Int, height: Int) throws(CommandError) -> EffectRegions {
        do throws(ParameterError) { return try places.placed(width: width, height: height) } catch {
            throw usage(error)
        }
    }

    /// The error for rectangles that are not possible.
    ///
    /// - Parameter input: the picture to which the rectangles do not fit; nil if they fit to no picture.
    func usage(_ error: ParameterError, of input: FilePath? = nil) -> CommandError {
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
