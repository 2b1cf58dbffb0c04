public import CFrost
import Frost
import FrostCSupport

/// A caller's function that is called for each tick.
///
/// SAFETY: frost.h states on which thread the function is called.
@safe private struct TickCallback: @unchecked Sendable {
    let function: frost_tick_callback
    let data: UnsafeMutableRawPointer?

    func call(_ link: DisplayLink, _ tick: DisplayLink.Tick) {
        let tick = frost_tick(tick)
        unsafe withUnsafePointer(to: tick) { unsafe function(data, $0) }
    }
}

@c @implementation
public func frost_display_link_create(
    _ options: UnsafePointer<frost_display_link_options>?, _ callback: frost_tick_callback?,
    _ data: UnsafeMutableRawPointer?, _ link: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(link, "link") { () throws(Failure) in
        let options = try unsafe frost_display_link_options.read(optional: options, "options")
        guard options.reserved == 0 else { throw .argument("options: reserved is \(options.reserved), not 0") }
        let source = try Constants.value(options.source, as: DisplayLink.Source.self, "source")
        let isPaused = try Constants.value(options.is_paused, of: Constants.truths, "is_paused")
        let callback = unsafe callback.map { unsafe TickCallback(function: $0, data: data) }
        let isDefault = options.rate_numerator == 0 && options.rate_denominator == 0
        let rate = try failing { () throws(ParameterError) in
            isDefault
                ? .hertz60 : try FrameRate(Int(options.rate_numerator), per: Int(options.rate_denominator))
        }
        return try failing { () throws(DisplayLinkError) in
            try DisplayLink(
                source, rate: rate, frameInterval: options.frame_interval == 0 ? 1 : Int(options.frame_interval),
                isPaused: isPaused, onTick: callback?.call)
        }
    }
}

@c @implementation
public func frost_display_link_invalidate(_ link: OpaquePointer?) {
    guard unsafe link != nil else { return }
    _ = statusOfWait { () throws(Failure) in try unsafe Handle<DisplayLink>.value(link, "link").invalidate() }
}

@c @implementation
public func frost_display_link_destroy(_ link: OpaquePointer?) {
    unsafe frost_display_link_invalidate(link)
    unsafe Handle<DisplayLink>.destroy(link)
}

@c @implementation
public func frost_display_link_status(_ link: OpaquePointer?) -> frost_status {
    status { () throws(Failure) in
        let link = try unsafe Handle<DisplayLink>.value(link, "link")
        if link.isInvalidated { throw Failure(link.failure ?? DisplayLinkError.invalidated) }
    }
}

@c @implementation
public func frost_display_link_set_paused(_ link: OpaquePointer?, _ isPaused: Int32) -> frost_status {
    status { () throws(Failure) in
        let link = try unsafe Handle<DisplayLink>.value(link, "link")
        link.isPaused = try Constants.value(isPaused, of: Constants.truths, "is_paused")
        if let failure = link.failure { throw Failure(failure) }
    }
}

@c @implementation
public func frost_display_link_set_frame_interval(_ link: OpaquePointer?, _ frameInterval: Int32) -> frost_status {
    status { () throws(Failure) in
        let link = try unsafe Handle<DisplayLink>.value(link, "link")
        try failing { () throws(DisplayLinkError) in try link.setFrameInterval(Int(frameInterval)) }
    }
}

@c @implementation
public func frost_display_link_tick(
    _ link: OpaquePointer?, _ timestamp: Int64, _ refreshes: Int64, _ tick: UnsafeMutablePointer<frost_tick>?
) -> frost_status {
    unsafe makeTick(link, tick) { (link) throws(DisplayLinkError) in
        let time = try rethrow(FrameTime(nanoseconds: Int(timestamp)), as: DisplayLinkError.parameter)
        return try link.tick(at: time, refreshes: Int(refreshes))
    }
}

@c @implementation
public func frost_display_link_advance(
    _ link: OpaquePointer?, _ refreshes: Int64, _ tick: UnsafeMutablePointer<frost_tick>?
) -> frost_status {
    unsafe makeTick(link, tick) { (link) throws(DisplayLinkError) in try link.advance(by: Int(refreshes)) }
}

@c @implementation
public func frost_display_link_dispatch(
    _ link: OpaquePointer?, _ tick: UnsafeMutablePointer<frost_tick>?
) -> frost_status {
    unsafe makeTick(link, tick) { (link) throws(DisplayLinkError) in try link.dispatch() }
}

/// Calls `make` with a link, and fills in the caller's tick. If the result is nil, the status is `FROST_NOT_READY`.
private func makeTick(
    _ link: OpaquePointer?, _ tick: UnsafeMutablePointer<frost_tick>?,
    _ make: (DisplayLink) throws(DisplayLinkError) -> DisplayLink.Tick?
) -> frost_status {
    statusOfWait { () throws(Failure) in
        let link = try unsafe Handle<DisplayLink>.value(link, "link")
        if unsafe tick != nil { try unsafe frost_tick.check(tick, "tick") }
        guard let due = try failing({ () throws(DisplayLinkError) in try make(link) }) else {
            throw Failure(FROST_NOT_READY, "no tick is due")
        }
        if unsafe tick != nil { try unsafe frost_tick(due).write(to: tick, "tick") }
    }
}

@c @implementation
public func frost_display_link_descriptor(
    _ link: OpaquePointer?, _ descriptor: UnsafeMutablePointer<Int32>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(descriptor, "fd")
        let link = try unsafe Handle<DisplayLink>.value(link, "link")
        guard let descriptor = link.descriptor else {
            let call = "frost_display_link_descriptor()"
            throw Failure(DisplayLinkError.wrongSource(call: call, source: link.source, needed: .descriptor))
        }
        // SAFETY: the caller allows Frost to write there.
        unsafe place.pointee = descriptor
    }
}

@c @implementation
public func frost_animation_progress(
    _ start: Int64, _ duration: Int64, _ time: Int64, _ progress: UnsafeMutablePointer<Double>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(progress, "progress")
        let value = try failing { () throws(ParameterError) in
            let span = try AnimationSpan(
                start: FrameTime(nanoseconds: Int(start)), duration: FrameTime(nanoseconds: Int(duration)).seconds)
            return span.progress(at: try FrameTime(nanoseconds: Int(time)))
        }
        // SAFETY: the caller allows Frost to write there.
        unsafe place.pointee = value
    }
}

extension frost_tick {
    fileprivate init(_ tick: DisplayLink.Tick) {
        self.init()
        struct_size = MemoryLayout<Self>.size
        frame_index = Int64(tick.frameIndex)
        timestamp = Int64(tick.timestamp.nanoseconds)
        target_timestamp = Int64(tick.targetTimestamp.nanoseconds)
        duration = Int64(tick.duration.nanoseconds)
        dropped = UInt64(tick.dropped)
    }
}
