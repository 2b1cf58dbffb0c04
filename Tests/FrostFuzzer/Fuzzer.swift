import CFuzzer
import FrostC
import FrostFuzz

/// `frost-fuzz TARGET OPTION-OF-LIBFUZZER... FOLDER...`: searches for bytes that end a target of ``FuzzTarget``, or the
/// target "calls", which calls functions of frost.h. `frost-fuzz TARGET words` prints the words of the target's
/// language as a dictionary. Tools/fuzz builds it and calls it.
@main
struct Fuzzer {
    /// libFuzzer's callback can capture nothing.
    nonisolated(unsafe) private static var target = FuzzTarget.png

    private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let target = words.first.flatMap { FuzzTarget(rawValue: $0) }
        guard let name = words.first, target != nil || name == "calls" else {
            print((FuzzTarget.allCases.map(\.rawValue) + ["calls"]).joined(separator: "\n"))
            return
        }
        if words.dropFirst().first == "words" {
            for word in target?.words ?? [] { print("\"\(word)\"") }
            return
        }
        guard let target else { return unsafe run(frost_fuzz_calls) }
        unsafe Self.target = target
        unsafe run { bytes, size in
            // SAFETY: libFuzzer passes `size` bytes. The array is a copy with exactly this size, so the address
            // sanitizer notices a read behind its end.
            unsafe Fuzzer.target.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
            return 0
        }
    }

    @unsafe private static func run(_ callback: Callback) {
        // SAFETY: the arguments of the process exist until it ends. The first one is removed: its place has the target,
        // which libFuzzer takes for the name of the program.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv + 1
        var count = CommandLine.argc - 1
        _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, callback)
    }
}
