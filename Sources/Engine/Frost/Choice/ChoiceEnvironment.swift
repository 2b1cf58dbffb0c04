import FrostCore
import FrostGLES
import Glibc

/// Everything outside the process that the automatic choice depends on. Tests replace parts of it: software GL instead of a
/// GPU, or given times instead of measured times.
struct ChoiceEnvironment: Sendable {
    /// The devices that may be chosen as GPU.
    var selector = DeviceSelector.anyHardware
    /// Returns the reason why there is no GPU, if this is known without opening EGL; otherwise nil.
    var missingHardware: @Sendable () -> String? = {
        HardwareProbe.mayHaveGPU ? nil : "no hardware GPU: no GPU device in /dev"
    }
    var cache = ProfileCache.shared
    /// Returns the current time in seconds since 1970.
    var now: @Sendable () -> Int = { time(nil) }
    /// Measures how many seconds a blur takes on a backend.
    var probe: @Sendable (ProbeCase, PixelFormat, Backend, ProbeSubjects) throws(FrostError) -> Double = {
        (one, format, backend, subjects) throws(FrostError) in try subjects.seconds(one, format, on: backend)
    }
    /// Returns the seconds to record for a user's blur, given the measured seconds. Tests replace the measurement here.
    var reading: @Sendable (Backend, Workload, Double) -> Double = { _, _, seconds in seconds }
}
