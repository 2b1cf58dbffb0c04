import CGLES

/// A GPU timer of GL_EXT_disjoint_timer_query. It measures how long the GPU worked on the commands between its start and its
/// stop. Only one timer can run at a time.
package struct TimerQuery: ~Copyable {
    /// The result of a timer.
    package enum Reading: Sendable, Hashable {
        /// The GPU has not reached the stop of the timer.
        case pending
        /// The measured time.
        case seconds(Double)
        /// The time is unknown, because the GPU's clock was interrupted by a change of its speed or by sleep.
        case disjoint
    }

    private let object: OwnedObject

    /// Creates a timer. Returns nil if the driver has no timers, or if the counter of its timer has 0 bits.
    package init?(in current: borrowing CurrentContext) throws(GLError) {
        guard current.context.timers != nil else { return nil }
        object = unsafe OwnedObject(.query, by: current.gl.genQueries, in: current)
        try current.check("glGenQueries")
    }

    /// Starts the timer after all commands submitted so far.
    package func start(in current: borrowing CurrentContext) throws(GLError) {
        // Reading the disjoint flag clears earlier interruptions.
        _ = current.gl.integer(GL.gpuDisjoint)
        current.gl.beginQuery(GL.timeElapsed, object.name)
        current.keepFence()
        try current.check("glBeginQuery")
    }

    /// Stops the timer. Must be called once after each start, even after errors, unless the context is lost.
    package func stop(in current: borrowing CurrentContext) throws(GLError) {
        current.gl.endQuery(GL.timeElapsed)
        current.keepFence()
        try current.check("glEndQuery")
    }

    /// Reads the result without waiting.
    package func read(in current: borrowing CurrentContext) throws(GLError) -> Reading {
        guard let timers = current.context.timers else { return .disjoint }
        var isAvailable: GLuint = 0
        // SAFETY: each of the queried parameters has one value.
        unsafe current.gl.getQueryObjectuiv(object.name, GL.queryResultAvailable, &isAvailable)
        try current.check("glGetQueryObjectuiv")
        guard isAvailable != 0 else { return .pending }
        var nanoseconds: GLuint64 = 0
        unsafe timers.getQueryObjectui64v(object.name, GL.queryResult, &nanoseconds)
        try current.check("glGetQueryObjectui64vEXT")
        // The disjoint flag covers the time until it is read, so it is read after the result.
        return current.gl.integer(GL.gpuDisjoint) != 0 ? .disjoint : .seconds(Double(nanoseconds) * 1e-9)
    }
}
