import FrostCore
import Testing

@testable import FrostCPU

@Suite("The choice of the instruction set")
struct KernelSetTests {
    @Test("without a name, the widest set is chosen", arguments: [nil, ""])
    func widest(name: String?) throws {
        #expect(try KernelSet.named(name).name == KernelSet.all.last?.name)
    }

    @Test("every set of this processor can be chosen by its name")
    func everySetHasItsName() throws {
        #expect(KernelSet.all.first?.name == "baseline")
        for set in KernelSet.all { #expect(try KernelSet.named(set.name).name == set.name) }
    }

    @Test("other names are refused, and the error has the allowed ones", arguments: ["AVX2", "sse9", "avx2 "])
    func otherNamesAreRefused(name: String) {
        let names = KernelSet.all.map(\.name).joined(separator: ", ")
        #expect(
            throws: ParameterError.malformed(
                parameter: "FROST_KERNELS", value: name, expected: "an instruction set of this processor: " + names)
        ) { try KernelSet.named(name) }
    }
}
