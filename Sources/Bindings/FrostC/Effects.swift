public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_effect_create(
    _ name: UnsafePointer<CChar>?, _ parameters: UnsafePointer<CChar>?,
    _ options: UnsafePointer<frost_effect_options>?, _ effect: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(effect, "effect") { () throws(Failure) in
        var effect = try unsafe Effect(named: name, parameters)
        try unsafe effect.apply(options)
        return effect
    }
}

@c @implementation
public func frost_effect_create_gaussian(
    _ sigmaX: Double, _ sigmaY: Double, _ edge: Int32, _ options: UnsafePointer<frost_effect_options>?,
    _ effect: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(effect, "effect") { () throws(Failure) in
        var effect = try Effect(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
        try unsafe effect.apply(options)
        return effect
    }
}

extension Effect {
    fileprivate mutating func apply(_ options: UnsafePointer<frost_effect_options>?) throws(Failure) {
        let options = try unsafe frost_effect_options.read(optional: options, "options")
        outputStages.dither = try Constants.dither(options.dither, byDefault: outputStages.dither)
        decoding = try Constants.decoding(options.light)
    }
}

@c @implementation
public func frost_effect_add_content(
    _ effect: OpaquePointer?, _ content: UnsafePointer<frost_content>?,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        var effect = unsafe try Handle<Effect>.value(effect, "effect")
        let content = try unsafe frost_content.read(content, "content")
        effect.outputStages.content.append(try unsafe ContentLayer(content, over: effect))
        return effect
    }
}

extension ContentLayer {
    /// Converts a caller's content, and copies its pixels.
    ///
    /// - Parameter effect: the effect that provides the vibrancy.
    init(_ content: frost_content, over effect: Effect) throws(Failure) {
        let picture = try unsafe frost_source.read(content.picture, "content's picture")
        var vibrancy: Vibrancy?
        if let name = unsafe String(lent: content.vibrancy) {
            vibrancy = effect.vibrancy(try word(name, Vibrancy.Kind.self, "vibrancy"))
            guard vibrancy != nil else {
                throw Failure(
                    FROST_ERROR_PARAMETER, "vibrancy \(name): effect \(effect.name) has no vibrancy of this kind")
            }
        }
        let mode = try unsafe String(lent: content.mode).map { (name) throws(Failure) in
            try word(name, ContentMode.self, "mode")
        }
        let bounds = try unsafe Rect(content.bounds, "content's bounds")
        self.init(
            ContentImage(try unsafe picture.copy("content's picture")), vibrancy: vibrancy, mode: mode ?? .scaleToFill,
            bounds: bounds.isEmpty ? nil : bounds)
    }
}

/// Converts a word to a case of `type`: the case whose raw value is the word.
///
/// - Parameter name: the parameter's name, for the error message.
/// - Throws: ``Failure`` with a list of the valid words.
private func word<Value: RawRepresentable & CaseIterable>(
    _ text: String, _ type: Value.Type, _ name: String
) throws(Failure) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(.malformed(parameter: name, value: text, expected: words))
    }
    return value
}

@c @implementation
public func frost_effect_clip(
    _ effect: OpaquePointer?, _ rects: UnsafePointer<frost_rounded_rect>?, _ count: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        var effect = try unsafe Handle<Effect>.value(effect, "effect")
        let list = try unsafe Array(lent(rects, count: count, "rects"))
        effect.outputStages.clip = try failing { () throws(ParameterError) in
            try list.map { (rect) throws(ParameterError) in
                try RoundedRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height, radius: rect.radius)
            }
        }
        return effect
    }
}

@c @implementation
public func frost_effect_clip_shapes(
    _ effect: OpaquePointer?, _ shapes: UnsafePointer<frost_shape>?, _ count: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        var effect = try unsafe Handle<Effect>.value(effect, "effect")
        effect.outputStages.clip = try unsafe [RoundedRect](shapes, count: count)
        return effect
    }
}

@c @implementation
public func frost_effect_clip_rule(
    _ effect: OpaquePointer?, _ feather: Double, _ outside: Int32, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        var effect = try unsafe Handle<Effect>.value(effect, "effect")
        effect.outputStages.clipRule.feather = feather
        effect.outputStages.clipRule.isInverted = try Constants.value(outside, of: [(0, false), (1, true)], "outside")
        try failing { () throws(ParameterError) in try effect.outputStages.checkClip() }
        return effect
    }
}

extension [RoundedRect] {
    /// Converts a caller's array of shapes.
    init(_ shapes: UnsafePointer<frost_shape>?, count: Int) throws(Failure) {
        self = try unsafe frost_shape.read(shapes, count: count, limit: 65536, "shapes") { (shape) throws(Failure) in
            guard shape.reserved == 0 else { throw .argument("shape: reserved is \(shape.reserved), not 0") }
            let corners = try CornerCurve(shape.corner_curve, parameter: shape.corner_parameter, "shape's")
            return try failing { () throws(ParameterError) in
                try RoundedRect(
                    x: shape.x, y: shape.y, width: shape.width, height: shape.height, radius: shape.corner_radius,
                    corners: corners)
            }
        }
    }
}

@c @implementation
public func frost_effect_add_mask(
    _ effect: OpaquePointer?, _ bounds: UnsafePointer<frost_rect>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        let effect = try unsafe Handle<Effect>.value(effect, "effect")
        let bounds = unsafe Rect(lent: bounds)
        try failing { () throws(ParameterError) in
            try effect.checkMaskImage()
            if let bounds, bounds.isEmpty { throw .emptyRegion(bounds) }
        }
        var masked = effect.masked()
        masked.maskBounds = bounds
        return masked
    }
}

@c @implementation
public func frost_effect_equal(_ first: OpaquePointer?, _ second: OpaquePointer?) -> Int32 {
    unsafe Handle<Effect>.equal(first, second)
}

@c @implementation
public func frost_effect_hash(_ effect: OpaquePointer?) -> UInt64 { unsafe Handle<Effect>.hash(effect) }

@c @implementation
public func frost_effect_destroy(_ effect: OpaquePointer?) { unsafe Handle<Effect>.destroy(effect) }
