/// A blur and what becomes of its result: an immutable value that both backends carry out.
public struct Effect: Sendable, Hashable {
    /// As `frost effects` lists it; "gaussian" for a plain blur.
    public let name: String
    public let kernel: Kernel
    public var finish: Finish
    /// By how many pixels the result is larger than the image on each side, unless a region is asked for.
    public var growth = 0

    /// What is blurred with what.
    public enum Kernel: Sendable, Hashable {
        /// Sigma in pixels of the image. Effects of systems that blur a reduced image are described by what that amounts
        /// to at full size.
        case gaussian(GaussianBlur)
        /// Sigma as a part of the image's width or height; at most the largest that there is.
        case proportional(sigma: Double, of: Axis, edge: EdgeMode)

        /// What lies outside the image.
        public var edge: EdgeMode {
            switch self {
            case .gaussian(let blur): blur.edge
            case .proportional(_, _, let edge): edge
            }
        }

        /// The Gaussian for an image.
        public func gaussian(extent: Rect) throws(ParameterError) -> GaussianBlur {
            switch self {
            case .gaussian(let blur): blur
            case .proportional(let sigma, let axis, let edge):
                try GaussianBlur(sigma: sigma * Double(extent[axis].count), edge: edge)
            }
        }
    }

    public init(name: String, kernel: Kernel, finish: Finish = Finish()) {
        self.name = name
        self.kernel = kernel
        self.finish = finish
    }

    /// A blur whose result is only rounded.
    public init(_ blur: GaussianBlur) { self.init(name: "gaussian", kernel: .gaussian(blur)) }

    /// What lies outside the image.
    public var edge: EdgeMode { kernel.edge }

    /// What is computed unless a region is asked for.
    public func region(extent: Rect) -> Rect {
        Rect(
            x: extent.x - growth, y: extent.y - growth, width: extent.width + 2 * growth,
            height: extent.height + 2 * growth)
    }

    /// What the result's pixels look like: the input's format, with an alpha channel where transparent edges bleed in, and
    /// with colour where a grey picture is tinted.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = input
        switch kernel {
        case .gaussian(let blur): output = blur.outputFormat(for: input)
        case .proportional(_, _, .clear): output.channels = input.channels.addingAlpha
        case .proportional: break
        }
        if !finish.keepsGrey { output.channels = output.channels.addingColor }
        return output
    }

    /// Plans the effect on an image: see ``GaussianBlur/plan(extent:region:accuracy:)``.
    ///
    /// - Parameter accuracy: of the result, finish included.
    /// - Throws: ``ParameterError`` for empty rectangles and coordinates beyond 2^40.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit
    ) throws(ParameterError) -> Plan {
        let amplification = finish.amplification
        var plan = try kernel.gaussian(extent: extent).plan(
            extent: extent, region: region ?? self.region(extent: extent),
            accuracy: accuracy.divided(by: amplification))
        plan.finish = finish
        plan.errorBound *= amplification
        if plan.passes.isEmpty, !finish.isEmpty {
            // A finish is what happens to the last pass's result, so there has to be one.
            plan.passes = [Pass(axis: .y, operation: .convolve(taps: [1]), from: .source, to: .output, edge: edge)]
        }
        return plan
    }
}

extension Effect: CustomStringConvertible {
    /// As `check` names it: the blur as it was asked for, or the effect's name and what sigma it came to, rounded.
    public var description: String {
        switch kernel {
        case .gaussian(let blur): name == "gaussian" ? "\(blur)" : "\(name) (\(blur.description(decimals: 4)))"
        case .proportional(let sigma, let axis, _):
            "\(name) (sigma \(numberText(sigma, decimals: 4)) of the \(axis == .x ? "width" : "height"))"
        }
    }
}

extension Accuracy {
    /// For a blur whose error grows by a factor afterwards. Arithmetic noise grows with it, so that the blur gets only
    /// half of what rounding leaves, instead of four fifths; never less than floats can keep.
    func divided(by amplification: Double) -> Accuracy {
        guard amplification > 1 else { return self }
        let share = errorBudget * 0.625 / amplification
        return (try? Accuracy(errorBudget: max(share, Self.allowedBudgets.lowerBound))) ?? self
    }
}
