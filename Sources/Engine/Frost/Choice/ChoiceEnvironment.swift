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
    var cache = ExperienceCache.shared
    /// Returns the current time in seconds since 1970.
    var now: @Sendable () -> Int = { time(nil) }
    /// The times of a shape class before its first run. Tests replace it to use a certain backend at once.
    var unmeasured = BlurTimes()
    /// Returns the seconds to record for a user's blur, given the measured seconds. Tests replace the measurement here.
    var reading: @Sendable (Backend, BlurRequest, Double) -> Double = { _, _, seconds in seconds }
}
