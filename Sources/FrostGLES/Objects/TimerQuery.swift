import CGLES

/// A stopwatch in the stream of commands, by GL_EXT_disjoint_timer_query: how long the GPU worked on the commands
/// between its start and its stop. One runs at a time.
public struct TimerQuery: ~Copyable {
    /// What a stopwatch shows.
    public enum Reading: Sendable, Hashable {
        /// The GPU has not come past the stop.
        case pending
        /// The time.
        case seconds(Double)
        /// The GPU's clock jumped, by a change of its speed or by sleep: the time is unknown.
        case disjoint
    }

    private let object: OwnedObject

    /// Makes a stopwatch; nil if the driver has none, or one without a clock.
    public init?(in current: borrowing CurrentContext) throws(GLError) {
        guard current.context.timers != nil else { return nil }
        let gl = current.gl
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genQueries(1, &name)
        object = OwnedObject(.query, UInt(name), in: current)
        try current.check("glGenQueries")
    }

    /// Starts it behind everything submitted so far.
    public func start(in current: borrowing CurrentContext) throws(GLError) {
        // Reading the flag clears what happened before.
        _ = Self.isDisjoint(current)
        current.gl.beginQuery(GL.timeElapsed, object.name)
        try current.check("glBeginQuery")
    }

    /// Stops it. Has to be called once after each start, even after errors, unless the context is lost.
    public func stop(in current: borrowing CurrentContext) throws(GLError) {
        current.gl.endQuery(GL.timeElapsed)
        try current.check("glEndQuery")
    }

    /// Reads it, without waiting.
    public func read(in current: borrowing CurrentContext) throws(GLError) -> Reading {
        guard let timers = current.context.timers else { return .disjoint }
        var isAvailable: GLuint = 0
        // SAFETY: each of the names has one value.
        unsafe current.gl.getQueryObjectuiv(object.name, GL.queryResultAvailable, &isAvailable)
        try current.check("glGetQueryObjectuiv")
        guard isAvailable != 0 else { return .pending }
        var nanoseconds: GLuint64 = 0
        unsafe timers.getQueryObjectui64v(object.name, GL.queryResult, &nanoseconds)
        try current.check("glGetQueryObjectui64vEXT")
        // The flag belongs to the time before it is read, so it is read last.
        return Self.isDisjoint(current) ? .disjoint : .seconds(Double(nanoseconds) * 1e-9)
    }

    private static func isDisjoint(_ current: borrowing CurrentContext) -> Bool {
        var flag: GLint = 0
        // SAFETY: the name has one value.
        unsafe current.gl.getIntegerv(GL.gpuDisjoint, &flag)
        return flag != 0
    }
}

/// What the extension adds to the queries of ES 3.0.
// SAFETY: the struct only stores an address; each call through it is marked and argued where it is made.
@safe struct TimerFunctions {
    let getQueryObjectui64v: PFNGLGETQUERYOBJECTUI64VEXTPROC

    /// nil if the function is missing, or the clock has no bits. The context has to be current.
    init?(from library: EGLLibrary, _ gl: GLFunctions) {
        guard
            let function: PFNGLGETQUERYOBJECTUI64VEXTPROC = unsafe library.optionalFunction("glGetQueryObjectui64vEXT")
        else { return nil }
        var bits: GLint = 0
        // SAFETY: the name has one value.
        unsafe gl.getQueryiv(GL.timeElapsed, GL.queryCounterBits, &bits)
        guard bits > 0 else { return nil }
        unsafe getQueryObjectui64v = unsafe function
    }
}
