/// Evaluates an expression and converts its error to the error of a module above, for example
/// `try rethrow(PixelLayout(width: 3, height: 2, format: .rgba8), as: FrostError.pixels)`.
@inlinable
package func rethrow<Value: ~Copyable, From: Error, To: Error>(
    _ value: @autoclosure () throws(From) -> Value, as convert: (From) -> To
) throws(To) -> Value {
    do throws(From) { return try value() } catch { throw convert(error) }
}
