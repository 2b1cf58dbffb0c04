import FrostCore
import FrostDrawing
import FrostGLES

/// A texture, and a framebuffer that draws into it. The texture holds an image in its first columns and rows, and may
/// be larger than this image. The texels outside the image are undefined, so no draw may let them affect its result.
final class Target {
    let texture: Texture
    let framebuffer: Framebuffer
    /// The width of the image in pixels.
    fileprivate(set) var width: Int
    /// The height of the image in pixels.
    fileprivate(set) var height: Int
    /// Counts the target while it is in use; nil while it is idle.
    fileprivate var use: BytesInUse? {
        willSet {
            use?.bytes -= texture.bytes
            newValue?.bytes += texture.bytes
        }
    }

    fileprivate init(_ key: TargetKey, limit: Int, in gl: borrowing CurrentContext) throws(GLError) {
        let (columns, rows) = key.textureSize(limit: limit)
        texture = try Texture(key.format, width: columns, height: rows, in: gl)
        framebuffer = try Framebuffer(texture, in: gl)
        (width, height) = (key.width, key.height)
    }

    func bind(unit: TextureUnit, in gl: borrowing CurrentContext) throws(GLError) {
        try texture.bind(unit: unit.rawValue, in: gl)
    }

    /// The number of bytes of one row of the image during a transfer. Rows have no padding.
    var rowBytes: Int { width * texture.format.bytesPerPixel }

    fileprivate var texels: Int { texture.width * texture.height }

    /// After an error, targets are dropped instead of given back.
    deinit { use?.bytes -= texture.bytes }
}

/// The bytes of the targets that a pool has handed out.
private final class BytesInUse {
    var bytes = 0
}

/// The properties that an image needs of its texture.
struct TargetKey: Hashable {
    var format: TextureFormat
    var width: Int
    var height: Int
    /// Whether the image stays in the texture while other images come and go. Such an image gets a texture that is no
    /// larger than a new texture.
    var isKept = false

    /// Returns the size of a new texture.
    ///
    /// - Parameter limit: the maximum side of a texture, at least as large as the image.
    fileprivate func textureSize(limit: Int) -> (width: Int, height: Int) {
        func side(_ count: Int) -> Int {
            let rounded = SizeClass.next(count)
            return rounded <= limit ? rounded : max(count, limit)
        }
        return (side(width), side(height))
    }

    /// Whether an idle target can hold the image.
    fileprivate func fits(_ target: Target, limit: Int) -> Bool {
        let texture = (width: target.texture.width, height: target.texture.height)
        guard target.texture.format == format, texture.width >= width, texture.height >= height else { return false }
        let new = textureSize(limit: limit)
        return target.texels <= (isKept ? 1 : SizeClass.largestFactor) * new.width * new.height
    }
}

extension Rect {
    /// The key of a texture for the rectangle.
    func size(_ format: TextureFormat) -> TargetKey { TargetKey(format: format, width: width, height: height) }
}

/// Sizes that memory is allocated in, so that memory for one size can be reused for other sizes.
enum SizeClass {
    /// The largest factor by which a reused texture may exceed a new one. A draw into a small part of a texture costs
    /// little more: software GL takes 0.3 ms for a blur of 64 x 64 pixels in textures of 4K, which are 2000 times as
    /// large. With this factor, 5,000 random sizes of up to 4K make fewer than 200 textures.
    static let largestFactor = 64

    /// Returns the smallest allocated size that is large enough, at least 24. Sizes are multiples of an eighth of the
    /// power of two below them, so that less than an eighth is unused. Powers of two are enlarged by 8: software GL
    /// compiles the programs that read a texture anew when a side of the texture becomes a power of two, which would
    /// delay a frame.
    static func next(_ count: Int) -> Int {
        guard count > 24 else { return 24 }
        let below = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
        if count <= below + 8 { return below + 8 }
        let step = below / 8
        let rounded = (count + step - 1) / step * step
        return rounded == 2 * below ? rounded + 8 : rounded
    }
}

/// Keeps idle targets, so that later images need no new targets. An image takes the smallest idle target that is large
/// enough and at most 64 times as large as a new one. So the pool soon has a few targets that serve images of all
/// sizes. Used only on the context's thread.
struct TargetPool {
    /// The idle bytes that are kept whatever was in use recently, so that images of several small sizes in turn create no
    /// textures.
    private static let alwaysKept = 32 << 20

    private let idleLimit: Int
    /// The maximum side of a texture.
    private let sideLimit: Int
    /// A deliberate fault for tests: whether the texels of every target are overwritten before it is used.
    private let poisons: Bool
    /// The idle targets, least recently used first. There are few, so a linear search is cheap.
    private var idle: [Target] = []
    private(set) var idleBytes = 0
    private let use = BytesInUse()
    private var recentUse = RecentUse()
    /// The bytes of the targets that are in use.
    var usedBytes: Int { use.bytes }
    private(set) var created = 0

    init(idleLimit: Int, sideLimit: Int, poisons: Bool = false) {
        self.idleLimit = idleLimit
        self.sideLimit = sideLimit
        self.poisons = poisons
    }

    /// Returns a target with undefined pixels. If memory runs out, idle targets are freed before an error is thrown.
    mutating func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GLError) -> Target {
        let target = if let idle = reuse(key) { idle } else { try create(key, in: gl) }
        target.use = use
        recentUse.count(use.bytes)
        if poisons { try gl.poison(target.framebuffer) }
        return target
    }

    private mutating func reuse(_ key: TargetKey) -> Target? {
        var best: Int?
        for (index, target) in idle.enumerated() where key.fits(target, limit: sideLimit) {
            if let best, idle[best].texels < target.texels { continue }
            best = index
        }
        guard let best else { return nil }
        let target = idle.remove(at: best)
        idleBytes -= target.texture.bytes
        (target.width, target.height) = (key.width, key.height)
        return target
    }

    private mutating func create(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GLError) -> Target {
        // Freeing memory does not repair a draw for which memory was missing, so the error of a draw is thrown here.
        try gl.checkPending()
        created += 1
        do throws(GLError) {
            return try Target(key, limit: sideLimit, in: gl)
        } catch .outOfMemory where !idle.isEmpty {
            trim(to: 0)
            gl.collectGarbage()
            return try Target(key, limit: sideLimit, in: gl)
        }
    }

    mutating func giveBack(_ target: Target) {
        target.use = nil
        idle.append(target)
        idleBytes += target.texture.bytes
        trim(to: min(max(recentUse.idleLimit(used: use.bytes), Self.alwaysKept), idleLimit))
    }

    /// Frees the least recently used targets until at most `bytes` are idle.
    mutating func trim(to bytes: Int) {
        while idleBytes > bytes, !idle.isEmpty { idleBytes -= idle.removeFirst().texture.bytes }
    }
}
