import CZimg
import Glibc

/// A zimg conversion that is prepared for one image size.
///
/// SAFETY: this object owns the memory that its pointers refer to. It may move between threads, but only one thread at a time may
/// use it, because it has only one scratch buffer.
@safe final class ZimgGraph: @unchecked Sendable {
    private let graph: OpaquePointer
    private let scratch: UnsafeMutableRawPointer

    /// - Parameter isResize: whether to resize with Lanczos's filter of three lobes instead of zimg's usual filters.
    init(
        from: zimg_image_format, to: zimg_image_format, isResize: Bool = false, name: String
    ) throws(ImageError) {
        var (from, to, parameters) = (from, to, zimg_graph_builder_params())
        unsafe zimg_graph_builder_params_default(&parameters, frost_zimg_version)
        if isResize {
            (parameters.resample_filter, parameters.filter_param_a) = (ZIMG_RESIZE_LANCZOS, 3)
            (parameters.resample_filter_uv, parameters.filter_param_a_uv) = (ZIMG_RESIZE_LANCZOS, 3)
        }
        guard let graph = unsafe zimg_filter_graph_build(&from, &to, &parameters) else { throw Self.failure(name) }
        var size = 0
        guard unsafe zimg_filter_graph_get_tmp_size(graph, &size) == ZIMG_ERROR_SUCCESS else {
            unsafe zimg_filter_graph_free(graph)
            throw Self.failure(name)
        }
        unsafe self.graph = unsafe graph
        unsafe scratch = .allocate(byteCount: max(1, size), alignment: AlignedPlane.alignment)
    }

    deinit {
        unsafe zimg_filter_graph_free(graph)
        unsafe scratch.deallocate()
    }

    /// Converts the planes of an image, at most four. Plane 3 is alpha.
    ///
    /// - Precondition: the planes match the image formats that the graph was built for. With such planes, the
    ///   conversion cannot fail.
    func convert(_ source: [AlignedPlane?], to target: [AlignedPlane?]) {
        let none = (Int(FROST_ZIMG_PLANES) - source.count, Int(FROST_ZIMG_PLANES) - target.count)
        let (source, target) = (
            source + [AlignedPlane?](repeating: nil, count: none.0),
            target + [AlignedPlane?](repeating: nil, count: none.1)
        )
        // SAFETY: zimg reads the arrays only during the call, and the planes exist until the call has ended.
        let result = unsafe frost_zimg_process(
            graph, source.map { unsafe $0.map { unsafe UnsafeRawPointer($0.base) } }, source.map { $0?.stride ?? 0 },
            target.map { unsafe $0?.base }, target.map { $0?.stride ?? 0 }, scratch)
        withExtendedLifetime((source, target)) {}
        precondition(result == ZIMG_ERROR_SUCCESS, "zimg: \(Self.reason)")
    }

    private static func failure(_ name: String) -> ImageError {
        .badStream(path: name, expected: "pictures that zimg can convert", reason: reason)
    }

    private static var reason: String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe zimg_get_last_error(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
