import FrostCore
import FrostGLES
import Glibc

/// Everything outside the process that the automatic choice depends on. Tests replace it: software GL instead of a GPU,
/// given times instead of measured ones.
struct ChoiceEnvironment: Sendable {
    /// Which GPU may be chosen.
    var selector = DeviceSelector.anyHardware
    /// Why there is no GPU, if that can be told without opening EGL.
    var missingHardware: @Sendable () -> String? = {
        HardwareProbe.mayHaveGPU ? nil : "no hardware GPU: no GPU device in /dev"
    }
    var cache = ProfileCache.shared
    /// Seconds since 1970.
    var now: @Sendable () -> Int = { time(nil) }
    /// Measures the seconds that a blur takes.
    var probe: @Sendable (ProbeCase, PixelFormat, Backend, ProbeSubjects) throws(FrostError) -> Double = {
        (one, format, backend, subjects) throws(FrostError) in try subjects.seconds(one, format, on: backend)
    }
    /// The seconds that a user's blur counts as, given the measured ones.
    var reading: @Sendable (Backend, Workload, Double) -> Double = { _, _, seconds in seconds }
}
