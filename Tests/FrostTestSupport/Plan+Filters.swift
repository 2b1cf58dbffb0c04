public import FrostCore

extension Plan {
    /// Returns the components of the composite kernel along an axis, derived from the passes alone: the lengths of the
    /// decimation filters, and the taps of the convolution at the lowest resolution.
    public func filters(along axis: Axis) -> (orders: [Int], taps: [Double]) {
        var orders: [Int] = []
        var taps = [1.0]
        for pass in passes where pass.axis == axis {
            switch pass.operation {
            case .decimate(let filter): orders.append(filter.count)
            case .convolve(let filter): taps = filter.map { Double($0) }
            case .interpolate: break
            }
        }
        return (orders, taps)
    }
}
