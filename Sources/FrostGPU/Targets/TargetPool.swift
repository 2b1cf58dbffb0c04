import FrostGLES

/// A texture, and a framebuffer that draws into it.
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

/// The properties of a target. Targets with equal keys are interchangeable.
struct TargetKey: Hashable {
    var format: TextureFormat
    var width: Int
    var height: Int
}

/// Keeps idle targets, so that a second blur of the same size needs no new targets. Used only on the context's thread.
struct TargetPool {
    private let idleLimit: Int
    /// The idle targets, least recently used first. A plan has few targets, so a linear search is cheap.
    private var idle: [Target] = []
    private(set) var idleBytes = 0
    private(set) var created = 0

    init(idleLimit: Int) { self.idleLimit = idleLimit }

    /// Returns a target with undefined pixels. If memory runs out, idle targets are freed before an error is thrown.
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

    /// Frees the least recently used targets until at most `bytes` are idle.
    mutating func trim(to bytes: Int) {
        while idleBytes > bytes, !idle.isEmpty { idleBytes -= idle.removeFirst().texture.bytes }
    }
}
