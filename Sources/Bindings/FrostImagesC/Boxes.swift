public import CFrostImages
import Frost
import FrostCSupport
import FrostPipeline

@c @implementation
public func frost_box_list_create(
    _ path: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(list, "list") { () throws(Failure) in
        guard let path = unsafe FilePath(lent: path) else { throw .argument("path is NULL") }
        do throws(BoxFileError) { return try BoxFile(path: path) } catch { throw Failure(error) }
    }
}

@c @implementation
public func frost_box_list_rects(
    _ list: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ frame: Int64, _ rects: UnsafeMutablePointer<frost_rect>?,
    _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let file = try unsafe Handle<BoxFile>.value(list, "list")
        guard frame >= -1 else { throw .argument("invalid frame \(frame) (allowed: -1, and 0 and above)") }
        let name = unsafe FilePath(lent: name)
        let found = file.boxes(of: name).filter { $0.frame == nil || $0.frame == Int(frame) }.compactMap(\.rect)
        try unsafe copy(found, to: rects, capacity, count)
    }
}

@c @implementation
public func frost_box_list_destroy(_ list: OpaquePointer?) { unsafe Handle<BoxFile>.destroy(list) }
