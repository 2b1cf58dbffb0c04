package import Frost

extension Effect {
    /// Creates the effect that a caller names, with the caller's text of parameters, which may be NULL.
    package init(named name: UnsafePointer<CChar>?, _ parameters: UnsafePointer<CChar>?) throws(Failure) {
        guard let name = unsafe String(lent: name) else { throw .argument("name is NULL") }
        let text = unsafe String(lent: parameters) ?? ""
        self = try failing { () throws(ParameterError) in
            try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make(parsing: text)
        }
    }

    /// Creates a caller's Gaussian.
    ///
    /// - Parameter edge: a constant FROST_EDGE_...
    package init(sigmaX: Double, sigmaY: Double, edge: Int32) throws(Failure) {
        let edge = try Constants.value(edge, as: EdgeMode.self, "edge")
        self = try failing { () throws(ParameterError) in
            Effect(try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge))
        }
    }
}
