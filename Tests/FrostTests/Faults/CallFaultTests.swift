import CFaultyGL
@testable import Frost
import FrostCore
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

// The suites are nested, so that they run one after the other: the driver that fails is the same for both.
extension FaultTests {
    /// Lets single calls of EGL and the GL fail, each function's calls one after the other. Whatever call fails, a
    /// picture is right or there is an error, the next picture is right, and nothing leaks.
    @Suite(.serialized) struct CallFaultTests {
        enum Subject: String, CaseIterable, CustomTestStringConvertible {
            case blurFirst, blurLater, effectFirst, effectLater, automatic, hostFirst, hostLater, frameFirst, frameLater

            var testDescription: String { rawValue }

            func scenario() throws -> any FaultScenario {
                func effect() throws -> Effect { try GPUEffectTests.everything(sigma: 1.5) }
                func blur() throws -> Effect { Effect(try GaussianBlur(sigma: 4)) }
                return switch self {
                case .blurFirst: try OwnGPUScenario("a blur", .first, blur(), .direct, device: nil)
                case .blurLater: try OwnGPUScenario("a blur", .later, blur(), .direct)
                case .effectFirst:
                    try OwnGPUScenario("an effect", .first, effect(), mask: GPUEffectTests.mask(), .buffers)
                case .effectLater:
                    try OwnGPUScenario("an effect", .later, effect(), mask: GPUEffectTests.mask(), .buffers)
                case .automatic:
                    try OwnGPUScenario("a blur by the faster backend", .later, blur(), .buffers, isAutomatic: true)
                case .hostFirst: try HostScenario(.render, .first, on: TestHost())
                case .hostLater: try HostScenario(.render, .later, on: TestHost())
                case .frameFirst: try HostScenario(.backdrop, .first, on: TestHost())
                case .frameLater: try HostScenario(.backdrop, .later, on: TestHost())
                }
            }
        }

        /// Returns the largest difference of two pictures. If a format cannot be rendered to, because a call failed
        /// while it was tried, another format stores the images between the draws. Values that lie between two steps
        /// may then be rounded differently.
        private static func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
            a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : 255
        }

        /// The largest difference finds a picture with one wrong pixel.
        @Test func aWrongPixelIsFound() throws {
            let bytes = try TestImage.noise(9, 7).bytes
            var wrong = bytes
            wrong[100] &+= 128
            #expect(Self.difference(bytes, bytes) == 0)
            #expect(Self.difference(bytes, wrong) == 128)
        }

        @Test(
            "after the failure of any driver call the picture is right, or there is an error, and nothing leaks",
            arguments: Subject.allCases)
        func anyCall(_ subject: Subject) throws {
            let part = FaultPart.asked
            guard part == nil || part?.subject == subject.rawValue else { return }
            defer { CallFailure.none.set() }
            let scenario = try subject.scenario()
            // The first renderer of a process also checks the device. So the second one counts the calls.
            _ = try scenario.attempt(.none)
            let undisturbed = try scenario.attempt(.none)
            let right = try #require(undisturbed.picture)
            let counts = undisturbed.counts
            #expect(undisturbed.faults.isEmpty && undisturbed.next == right, "\(undisturbed.faults)")
            #expect(Self.difference(right, try scenario.expected()) <= 1)
            #expect(counts.count { $0 > 0 } > 20, "\(counts)")
            var table = FailureTable()
            let ways = scenario.blockedMilliseconds
            let failures =
                part.map { $0.share(of: CallFailure.all(counts, blockedMilliseconds: ways)) }
                ?? CallFailure.sample(
                    counts, of: Subject.allCases.firstIndex(of: subject) ?? 0, blockedMilliseconds: ways)
            for failure in failures {
                let attempt = try scenario.attempt(failure)
                #expect(attempt.failures == 1, "\(failure): the call was not made")
                let pictures = [attempt.picture, attempt.meanwhile].compactMap { $0 }
                let isRight = pictures.allSatisfy { Self.difference($0, right) <= 1 }
                #expect(isRight, "\(failure): a wrong picture without an error")
                #expect(attempt.picture != nil || subject != .automatic, "\(failure): the CPU made no picture")
                #expect(attempt.faults.isEmpty, "\(failure): \(attempt.faults)")
                let next = attempt.next ?? []
                #expect(
                    Self.difference(next, right) <= 1,
                    """
                    after \(failure), \(attempt.picture == nil ? "an error" : "a picture"): the first wrong byte is \
                    \(zip(next, right).enumerated().first { abs(Int($1.0) - Int($1.1)) > 1 }?.offset ?? -1)
                    """)
                #expect(attempt.bytes <= undisturbed.bytes, "\(failure): more memory than without it")
                table.add(failure, calls: counts, !isRight ? .wrong : attempt.picture == nil ? .error : .right)
            }
            if part != nil { table.print(scenario.title) }
        }
    }
}
