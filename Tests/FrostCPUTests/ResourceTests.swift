import FrostCPU
import FrostCore
import FrostTestSupport
import Testing

struct ResourceTests {
    @Test("two hundred blurs leave files, threads and memory as they were")
    func blursLeaveNothingBehind() async {
        // The test runs in a separate process, in which no other test allocates memory.
        await #expect(processExitsWith: .success) {
            func blur(_ index: Int) throws {
                let sigma = [0.8, 2.5, 7, 40, 200][index % 5]
                let edge = EdgeMode.allCases[index % EdgeMode.allCases.count]
                let image = try TestImage.make(
                    .gradient, 200 + index % 3, 150, PixelFormat([.rgba, .rgb, .grey][index % 3]))
                _ = try Blurring.cpu(GaussianBlur(sigma: sigma, edge: edge), image, threads: 2)
            }
            for index in 0..<60 { try blur(index) }
            let before = ProcessState.current
            for index in 0..<200 { try blur(index) }
            let after = ProcessState.current
            #expect(after.fileDescriptors == before.fileDescriptors, "\(before); \(after)")
            // The test's own runtime may start up to two threads.
            #expect(after.threads <= before.threads + 2, "\(before); \(after)")
            // Each of the 200 runs allocates 30 to 120 KB. If every fourth run leaked its memory, the limit would be
            // exceeded.
            #expect(after.residentKiB < before.residentKiB + 2048, "\(before); \(after)")
        }
    }

    @Test("concurrent callers get the results that each would get alone")
    func concurrentCallers() async throws {
        let image = try TestImage.make(.uniformNoise, 120, 90)
        let sigmas = [0.8, 2.5, 7, 40]
        let alone = try sigmas.map { try Blurring.cpu(GaussianBlur(sigma: $0), image, threads: 1).image }
        try await withThrowingTaskGroup(of: (Int, PixelBuffer).self) { group in
            for index in 0..<32 {
                group.addTask {
                    (index % 4, try Blurring.cpu(GaussianBlur(sigma: sigmas[index % 4]), image, threads: 3).image)
                }
            }
            for try await (index, result) in group { try expectIdentical(result, alone[index]) }
        }
    }
}
