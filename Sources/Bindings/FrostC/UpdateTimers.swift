public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_update_timer_create(
    _ interval: Int64, _ timer: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(timer, "timer") { () throws(Failure) in
        return try failing { () throws(ParameterError) in try UpdateTimer(every: .nanoseconds(interval)) }
    }
}

@c @implementation
public func frost_update_timer_wait(
    _ timer: OpaquePointer?, _ milliseconds: Int64, _ tick: UnsafeMutablePointer<frost_update_tick>?
) -> frost_status {
    statusOfWait { () throws(Failure) in
        let timer = try unsafe Handle<UpdateTimer>.value(timer, "timer")
        if unsafe tick != nil { try unsafe frost_update_tick.check(tick, "tick") }
        let limit = milliseconds < 0 ? nil : Duration.milliseconds(milliseconds)
        guard let due = try failing({ () throws(FrostError) in try timer.wait(for: limit) }) else {
            throw Failure(FROST_NOT_READY, "no update is due")
        }
        guard unsafe tick != nil else { return }
        var filled = frost_update_tick()
        filled.struct_size = MemoryLayout<frost_update_tick>.size
        filled.number = Int64(due.number)
        filled.dropped = Int64(due.dropped)
        try unsafe filled.write(to: tick, "tick")
    }
}

@c @implementation
public func frost_update_timer_cancel(_ timer: OpaquePointer?) {
    _ = status { () throws(Failure) in try unsafe Handle<UpdateTimer>.value(timer, "timer").cancel() }
}

@c @implementation
public func frost_update_timer_destroy(_ timer: OpaquePointer?) { unsafe Handle<UpdateTimer>.destroy(timer) }
