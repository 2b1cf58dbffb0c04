import CFrostKernels
import FrostCore
import Testing

struct DitherPeriodTests {
    @Test("the kernels repeat dither's offsets after as many pixels as the table has")
    func period() {
        #expect(Int(FROST_DITHER_PERIOD) == Dither.period)
        #expect(Dither().offsets.count == Dither.period)
    }
}
