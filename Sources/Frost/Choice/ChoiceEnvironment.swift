import FrostCore
import FrostGLES
import Glibc

/// All that the automatic choice knows of the world. Tests put another world in its place: software GL for a GPU, times
/// that no clock measured.
struct ChoiceEnvironment: Sendable {
    /// Which GPU may be chosen.
    var selector = DeviceSelector.anyHardware
    /// Why there can be none, as far as it can be told without opening EGL.
    var missingHardware: @Sendable () -> String? = {
        HardwareProbe.mayHaveGPU ? nil : "no hardware GPU: no GPU device in /dev"
    }
    var cache = ProfileCache.shared
    /// Seconds since 1970.
    var now: @Sendable () -> Int = { time(nil) }
    /// Seconds that a blur takes, by trying.
    var probe: @Sendable (ProbeCase, PixelFormat, Backend, ProbeSubjects) throws(FrostError) -> Double = {
        (one, format, backend, subjects) throws(FrostError) in try subjects.seconds(one, format, on: backend)
    }
    /// Seconds that a user's blur took, given those that were measured.
    var reading: @Sendable (Backend, Workload, Double) -> Double = { _, _, seconds in seconds }
}
