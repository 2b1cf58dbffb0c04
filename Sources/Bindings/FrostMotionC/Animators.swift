public import CFrostMotion
import Frost
import FrostCSupport
import FrostCore
import FrostMotion

extension frost_item: SizedStruct {}

@c @implementation
public func frost_animator_create(
    _ reference: UnsafePointer<Double>?, _ animator: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(animator, "animator") { () throws(Failure) in
        // SAFETY: frost_motion.h requires four numbers.
        let place = unsafe reference.map {
            unsafe Placement(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
        }
        return try failing { () throws(SceneError) in try SceneAnimator(reference: place) }
    }
}

@c @implementation
public func frost_animator_of_scene(
    _ scene: OpaquePointer?, _ animator: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(animator, "animator") { () throws(Failure) in
        let scene = try unsafe Handle<FolderScene>.value(scene, "scene").scene
        guard let dynamics = scene.dynamics else {
            throw Failure(FROST_ERROR_PARAMETER, "the scene has no dynamics")
        }
        let frame = Placement(x: 0, y: 0, width: Double(scene.width), height: Double(scene.height))
        return try failing { () throws(SceneError) in try SceneAnimator(dynamics, reference: frame) }
    }
}

@c @implementation
public func frost_animator_add_item(
    _ animator: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ item: UnsafePointer<frost_item>?
) -> frost_status {
    status { () throws(Failure) in
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        let (name, item) = (try unsafe text(name), try unsafe frost_item.read(item, "item"))
        for velocity in [item.velocity_x, item.velocity_y, item.angular_velocity] where velocity != 0 {
            throw .argument("item has a velocity; behaviours give velocities to items")
        }
        let value = SceneAnimator.Item(
            center: SIMD2(item.center_x, item.center_y), size: SIMD2(item.width, item.height), rotation: item.rotation)
        try failing { () throws(SceneError) in try animator.add(value, named: name) }
    }
}

@c @implementation
public func frost_animator_add_behavior(
    _ animator: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ byteCount: Int, _ number: UnsafeMutablePointer<UInt64>?
) -> frost_status {
    status { () throws(Failure) in
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        let bytes = try unsafe copied(json, byteCount)
        let added = try failing { () throws(SceneError) in try animator.add(SceneBehavior(parsing: bytes)) }
        // SAFETY: the caller allows Frost to write there.
        if unsafe number != nil { unsafe number?.pointee = UInt64(added) }
    }
}

@c @implementation
public func frost_animator_remove_behavior(_ animator: OpaquePointer?, _ number: UInt64) -> frost_status {
    status { () throws(Failure) in
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        guard let index = Int(exactly: number), animator.remove(index) else {
            throw .argument("number \(number): the animator has no such behaviour")
        }
    }
}

@c @implementation
public func frost_animator_step(_ animator: OpaquePointer?, _ seconds: Double) -> frost_status {
    status { () throws(Failure) in
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        try failing { () throws(SceneError) in try animator.step(seconds) }
    }
}

@c @implementation
public func frost_animator_is_running(
    _ animator: OpaquePointer?, _ isRunning: UnsafeMutablePointer<Int32>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(isRunning, "is_running")
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        // SAFETY: the caller allows Frost to write there.
        unsafe place.pointee = animator.isRunning ? 1 : 0
    }
}

@c @implementation
public func frost_animator_item(
    _ animator: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ item: UnsafeMutablePointer<frost_item>?
) -> frost_status {
    status { () throws(Failure) in
        try unsafe frost_item.check(item, "item")
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        let name = try unsafe text(name)
        guard let found = animator.item(named: name) else {
            throw .argument("name \"\(name)\": the animator has no such item")
        }
        var value = frost_item()
        (value.center_x, value.center_y) = (found.center.x, found.center.y)
        (value.width, value.height, value.rotation) = (found.size.x, found.size.y, found.rotation)
        (value.velocity_x, value.velocity_y) = (found.velocity.x, found.velocity.y)
        value.angular_velocity = found.angularVelocity
        try unsafe value.write(to: item, "item")
    }
}

@c @implementation
public func frost_animator_move_item(
    _ animator: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ item: UnsafePointer<frost_item>?
) -> frost_status {
    status { () throws(Failure) in
        let animator = try unsafe Handle<SceneAnimator>.value(animator, "animator")
        let (name, item) = (try unsafe text(name), try unsafe frost_item.read(item, "item"))
        guard animator.item(named: name) != nil else {
            throw .argument("name \"\(name)\": the animator has no such item")
        }
        try failing { () throws(SceneError) in
            try animator.move(name, to: SIMD2(item.center_x, item.center_y), rotation: item.rotation)
        }
    }
}

@c @implementation
public func frost_animator_contacts(
    _ animator: OpaquePointer?, _ contacts: UnsafeMutablePointer<frost_contact>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let total = try unsafe place(count, "count")
        guard capacity >= 0 else { throw .argument("capacity \(UInt(bitPattern: capacity)) exceeds the address space") }
        let found = try unsafe Handle<SceneAnimator>.value(animator, "animator").contacts
        if capacity > 0 {
            let list = try unsafe place(contacts, "contacts")
            for (index, contact) in found.prefix(capacity).enumerated() {
                var value = frost_contact()
                contact.item.write(toField: &value.item)
                (contact.other ?? "").write(toField: &value.other)
                value.is_beginning = contact.isBeginning ? 1 : 0
                // SAFETY: `index` is less than `capacity`, the number of elements of the caller's array.
                unsafe list[index] = value
            }
        }
        // SAFETY: the caller allows Frost to write there.
        unsafe total.pointee = found.count
    }
}

@c @implementation
public func frost_animator_destroy(_ animator: OpaquePointer?) { unsafe Handle<SceneAnimator>.destroy(animator) }

/// Copies the name of an item.
private func text(_ name: UnsafePointer<CChar>?) throws(Failure) -> String {
    guard let name = unsafe String(lent: name) else { throw .argument("name is NULL") }
    return name
}
