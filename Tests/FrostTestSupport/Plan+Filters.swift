public import FrostCore

extension Plan {
    /// Returns the filters that together form the plan's kernel along an axis: `orders` lists the lengths of the decimation
    /// filters, and `taps` are the weights of the convolution at the lowest resolution. Both are derived from the passes
    /// alone.
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
