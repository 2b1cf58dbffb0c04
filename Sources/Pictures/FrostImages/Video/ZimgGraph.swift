import CZimg
import Glibc

/// A zimg conversion that is prepared for one image size.
///
/// SAFETY: this object owns the memory that its pointers refer to. Only one thread at a time may use the object,
/// because it has only one scratch buffer.
@safe final class ZimgGraph {
    private let graph: OpaquePointer
    private let scratch: UnsafeMutableRawPointer

    init(from: zimg_image_format, to: zimg_image_format, name: String) throws(ImageError) {
        var (from, to) = (from, to)
        guard let graph = unsafe zimg_filter_graph_build(&from, &to, nil) else { throw Self.failure(name) }
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

    /// Converts the three planes of an image.
    ///
    /// - Precondition: the planes match the image formats that the graph was built for. With such planes, the
    ///   conversion cannot fail.
    func convert(_ source: [AlignedPlane], to target: [AlignedPlane]) {
        // SAFETY: zimg reads the arrays only during the call, and the planes exist until the call has ended.
        let result = unsafe frost_zimg_process(
            graph, source.map { unsafe UnsafeRawPointer($0.base) }, source.map(\.stride), target.map { unsafe $0.base },
            target.map(\.stride), scratch)
        withExtendedLifetime((source, target)) {}
        precondition(result == ZIMG_ERROR_SUCCESS, "zimg: \(Self.reason)")
    }

    private static func failure(_ name: String) -> ImageError {
        .badStream(path: name, expected: "a video whose colours can be converted", reason: reason)
    }

    private static var reason: String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe zimg_get_last_error(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
