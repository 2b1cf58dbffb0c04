import FrostCore
import Glibc

/// The other side of a ``ColorProcess``: the work of its process.
enum ColorWorker {
    /// Reads the request, isolates the process, and converts the rows.
    ///
    /// Call it as the first work of a process, while it has a single thread.
    ///
    /// - Returns: the exit code of the process.
    static func run(_ isolate: Isolate) -> Int32 {
        guard let request = CodecWork.request(ColorRequest.blank, ColorRequest.code),
            let layouts = try? request.layouts(name: "input")
        else { return 2 }
        // The program itself takes some memory, and so does Little CMS for tables.
        let memory = UInt64(max(0, request.memory)) + 64 << 20
        do throws(Errno) {
            if let reason = isolate(memory, request.seconds, request.isolation) {
                try ProcessMessage.refusal.write(Array(reason.utf8), to: STDOUT_FILENO)
                return 0
            }
            switch request.work {
            case .curve: try sendCurve(of: request.from.colorSpace)
            case .colors: try convert(layouts, by: ProfileTransform(from: request.from, to: request.to))
            case .inks:
                guard case .icc(let profile) = request.from.colorSpace else { return 2 }
                try convert(
                    layouts, by: InkTransform(profile: profile, from: request.from.sample, to: request.to.sample))
            }
            return 0
        } catch {
            // The program that reads the output has ended.
            return 1
        }
    }

    private static func sendCurve(of space: ColorSpace) throws(Errno) {
        var curve: ProfileCurve?
        if case .icc(let profile) = space { curve = ProfileCurve(profile: profile) }
        try ProcessMessage.head.write(WireCoder.bytes(of: curve, ProfileCurve.code), to: STDOUT_FILENO)
    }

    /// Converts the rows in their places.
    private static func convert(_ layouts: (from: PixelLayout, to: PixelLayout), by transform: (some RowTransform)?)
        throws(Errno)
    {
        guard let transform else { return try ProcessMessage.head.write([0], to: STDOUT_FILENO) }
        let (from, to) = layouts
        let shared = try SharedRows(
            taking: CodecWork.rowsDescriptor, blockSize: max(SharedRows.blockSize(from), SharedRows.blockSize(to)))
        try ProcessMessage.head.write([1], to: STDOUT_FILENO)
        let stride = max(from.rowByteCount, to.rowByteCount)
        let perBlock = shared.blockSize / stride
        var scratch = [UInt8](repeating: 0, count: to.rowByteCount)
        for (block, first) in Swift.stride(from: 0, to: from.height, by: perBlock).enumerated() {
            var byte: [UInt8] = [0]
            guard try Descriptor.read(STDOUT_FILENO, into: &byte).get() == 1 else { return }
            for place in 0..<min(perBlock, from.height - first) {
                shared.with(block, place * stride..<(place + 1) * stride) { row in
                    // SAFETY: both rows have the bytes of their layouts, and the result does not overlap its source.
                    unsafe row.withUnsafeMutableBytes { row in
                        unsafe scratch.withUnsafeMutableBytes { scratch in
                            guard let source = row.baseAddress, let result = scratch.baseAddress else { return }
                            unsafe transform.convert(source, result, from.width)
                            unsafe row.copyMemory(from: UnsafeRawBufferPointer(scratch))
                        }
                    }
                }
            }
            try ProcessMessage.taken.write([], to: STDOUT_FILENO)
        }
    }
}
