import FrostCore
import FrostTestSupport
import Glibc
import Synchronization
import Testing

@testable import Frost

/// Tests how much stack a call takes: programs call Frost on threads with small stacks.
struct StackUseTests {
    private static let allowed = 512 << 10

    /// Runs `body` on a thread whose stack is filled with a pattern, and returns the number of bytes from its end to the deepest
    /// byte that changed.
    private func stackUse(of body: @escaping @Sendable () -> Void) -> Int {
        let size = 8 << 20
        let stack = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1 << 16)
        defer { unsafe stack.deallocate() }
        guard let address = stack.baseAddress else { return 0 }
        unsafe memset(address, 0xA5, size)
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        var thread = pthread_t()
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        unsafe pthread_attr_init(attributes)
        defer {
            unsafe pthread_attr_destroy(attributes)
            unsafe attributes.deallocate()
        }
        // SAFETY: the memory outlives the thread, which is joined here.
        unsafe pthread_attr_setstack(attributes, address, size)
        let code = unsafe pthread_create(
            &thread, attributes,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        #expect(code == 0)
        pthread_join(thread, nil)
        // The longest run of equal bytes at the beginning, by bisection.
        var (equal, end) = (1, size)
        while equal < end {
            let middle = (equal + end + 1) / 2
            if unsafe memcmp(address, address + 1, middle - 1) == 0 { equal = middle } else { end = middle - 1 }
        }
        return size - equal
    }

    @Test("the stack use that is measured is that of the call") func comparator() {
        let large = stackUse {
            func recurse(_ depth: Int) -> Int { depth == 0 ? 0 : recurse(depth - 1) &+ depth }
            #expect(recurse(20_000) > 0)
        }
        #expect(large > Self.allowed)
        #expect(stackUse {} < Self.allowed / 4)
    }

    @Test("every effect takes at most 512 KiB of stack", arguments: [Backend.cpu, .exact])
    func effects(_ backend: Backend) throws {
        let renderer = try Renderer(backend: backend, threads: 1)
        let mask = MaskImage(try TestImage.make(.gradient, 9, 7, PixelFormat(.grey)))
        for format in [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.rgb, .u16)] {
            let image = try TestImage.make(.softAlpha, 61, 43, format)
            for description in EffectCatalog.all {
                let effect = try description.make().keyed(for: .frames)
                let error = Mutex<(any Error)?>(nil)
                let used = stackUse {
                    do {
                        _ = try renderer.renderNow(image, effect, mask: effect.mask == .image ? mask : nil)
                    } catch let caught {
                        error.withLock { $0 = caught }
                    }
                }
                #expect(error.withLock { $0 } == nil, "\(description.name)")
                #expect(used <= Self.allowed, "\(description.name), \(format): \(used / 1024) KiB")
            }
        }
    }
}
