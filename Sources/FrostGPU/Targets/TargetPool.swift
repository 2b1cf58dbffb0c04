import FrostGLES

/// A texture and the framebuffer over it.
final class Target {
    let texture: Texture
    let framebuffer: Framebuffer

    init(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GLError) {
        texture = try Texture(key.format, width: key.width, height: key.height, in: gl)
        framebuffer = try Framebuffer(texture, in: gl)
    }

    func bind(unit: TextureUnit, in gl: borrowing CurrentContext) throws(GLError) {
        try texture.bind(unit: unit.rawValue, in: gl)
    }

    var key: TargetKey { TargetKey(format: texture.format, width: texture.width, height: texture.height) }
}

/// What makes two targets interchangeable.
struct TargetKey: Hashable {
    var format: TextureFormat
    var width: Int
    var height: Int
}

/// Idle targets, so that a second blur of the same size makes none. Lives on the context's thread.
struct TargetPool {
    private let idleLimit: Int
    /// Least recently used first. A plan has few targets, so a search is cheap.
    private var idle: [Target] = []
    private(set) var idleBytes = 0
    private(set) var created = 0

    init(idleLimit: Int) { self.idleLimit = idleLimit }

    /// A target with undefined pixels. The idle ones are freed before an error of memory is reported.
    mutating func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GLError) -> Target {
        if let index = idle.lastIndex(where: { $0.key == key }) {
            idleBytes -= idle[index].texture.bytes
            return idle.remove(at: index)
        }
        created += 1
        do throws(GLError) {
            return try Target(key, in: gl)
        } catch .outOfMemory where !idle.isEmpty {
            trim(to: 0)
            gl.collectGarbage()
            return try Target(key, in: gl)
        }
    }

    mutating func giveBack(_ target: Target) {
        idle.append(target)
        idleBytes += target.texture.bytes
        trim(to: idleLimit)
    }

    /// Drops the least recently used targets until at most `bytes` are idle.
    mutating func trim(to bytes: Int) {
        while idleBytes > bytes, !idle.isEmpty { idleBytes -= idle.removeFirst().texture.bytes }
    }
}
