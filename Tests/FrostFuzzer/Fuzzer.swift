import CFuzzer
import FrostC
import FrostFuzz
import Glibc

/// `frost-fuzz TARGET OPTION-OF-LIBFUZZER... FOLDER...`: searches for bytes that end a target of ``FuzzTarget``, or one of
/// the targets "calls" and "encoded", which call functions of frost.h and of frost_images.h. `frost-fuzz TARGET words`
/// prints the words of the target's language as a dictionary. Tools/fuzz builds it and calls it.
@main
struct Fuzzer {
    /// libFuzzer's callback can capture nothing.
    nonisolated(unsafe) private static var target = FuzzTarget.png

    private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    /// The targets in C, in the order in which they are listed.
    private static let callbacks: KeyValuePairs<String, Callback> = unsafe [
        "calls": frost_fuzz_calls, "encoded": frost_fuzz_encoded,
    ]

    /// For some options, such as -merge, libFuzzer runs this program again with other arguments. This variable then has
    /// the name of the target.
    private static let variable = "FROST_FUZZ_TARGET"

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        // SAFETY: no other thread changes the environment.
        let inherited = unsafe getenv(variable).map { unsafe String(cString: $0) }
        let name = inherited ?? words.first
        let target = name.flatMap { FuzzTarget(rawValue: $0) }
        let callback = unsafe callbacks.first { unsafe $0.key == name }?.value
        guard let name, unsafe target != nil || callback != nil else {
            let names = unsafe FuzzTarget.allCases.map(\.rawValue) + callbacks.map { unsafe $0.key }
            print(names.joined(separator: "\n"))
            return
        }
        if words.dropFirst().first == "words" {
            for word in target?.words ?? [] { print("\"\(word)\"") }
            return
        }
        if inherited == nil {
            unsafe setenv(variable, name, 1)
            // SAFETY: the first argument exists. It is replaced by the name of the program.
            unsafe CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
        }
        let skipped = inherited == nil ? 1 : 0
        if let callback = unsafe callback { return unsafe run(callback, skipping: skipped) }
        guard let target else { return }
        unsafe Self.target = target
        unsafe run(
            { bytes, size in
                // SAFETY: libFuzzer passes `size` bytes. The array is a copy with exactly this size, so the address
                // sanitizer notices a read behind its end.
                unsafe Fuzzer.target.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            }, skipping: skipped)
    }

    @unsafe private static func run(_ callback: Callback, skipping skipped: Int) {
        // SAFETY: the arguments of the process exist until it ends.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv + skipped
        var count = CommandLine.argc - Int32(skipped)
        _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, callback)
    }
}
