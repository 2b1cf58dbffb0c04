import Frost

/// `frost bench --backdrop`: how long frames of a ``Backdrop`` take, by what has changed since the last.
struct BackdropBench {
    let request: BenchRequest

    /// Options that are about other measurements.
    static let excluded: [Option] = [
        .benchBackends, .device, .benchVerify, .benchMaxRatio, .benchMaxLoss, .benchCSV, .benchMarkdown, .benchPlot,
    ]

    /// What has changed. The panel has the whole picture; but the one that moves has a third of each side, over levels that
    /// are kept as a whole.
    private enum Change: String, CaseIterable {
        case all, damage, still, move
    }

    /// Milliseconds of one picture and effect.
    private struct Row {
        let size: PictureSize
        let effect: Effect
        let threads: Int
        var times: [Change: Measurement.Timing] = [:]
        var reports: [Change: BackdropReport] = [:]

        func minimum(_ change: Change) -> Double { times[change]?.minimum ?? 0 }

        static var header: String {
            "       size   sigma        all     64x64   of all      still       move  milliseconds, cpu, threads"
        }

        var text: String {
            func padded(_ text: String, _ width: Int) -> String {
                String(repeating: " ", count: max(0, width - text.count)) + text
            }
            let part = fixed(minimum(.damage) / minimum(.all) * 100, 1) + " %"
            let cells = [
                padded(size.description, 11), padded(effect.gaussian.map { decimal($0.sigmaX) } ?? "-", 6),
                padded(Measurement.significant(minimum(.all)), 9), padded(Measurement.significant(minimum(.damage)), 8),
                padded(part, 7), padded(Measurement.significant(minimum(.still)), 9),
                padded(Measurement.significant(minimum(.move)), 9),
            ]
            let name = effect.gaussian == nil || effect.name != "gaussian" ? ", \(effect.name)" : ""
            return cells.joined(separator: "  ") + "  \(threads)" + name
        }

        var members: [(String, JSON)] {
            var members: [(String, JSON)] = [
                ("schema", .string("frost.bench.backdrop/1")), ("width", .int(size.width)),
                ("height", .int(size.height)),
                ("effect", .string(effect.name)),
                ("sigma", effect.gaussian.map { .number($0.sigmaX, decimals: 6) } ?? .null), ("threads", .int(threads)),
            ]
            for change in Change.allCases {
                guard let time = times[change], let report = reports[change] else { continue }
                members += [
                    ("\(change)_ms", .number(time.minimum, decimals: 5)),
                    ("\(change)_median_ms", .number(time.median, decimals: 5)),
                    ("\(change)_passes", .int(report.passes)), ("\(change)_cells", .int(report.levelCells)),
                    ("\(change)_pixels", .int(report.panelPixels)),
                ]
            }
            return members
        }
    }

    func run(_ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console) throws(CommandError) {
        if !console.json, !console.quiet { console.result(Row.header) }
        let threads: [Int?] = request.threads.isEmpty ? [nil] : request.threads.map { $0 }
        for size in sizes {
            let pixels = try picture.pixels(size, request.format)
            for count in threads {
                for effect in request.effects {
                    do throws(FrostError) {
                        let row = try measure(pixels, size, effect, threads: count)
                        console.json ? console.result(.object(row.members)) : console.result(row.text)
                    } catch {
                        throw .frost(error)
                    }
                }
            }
        }
    }

    private func measure(
        _ picture: PixelBuffer, _ size: PictureSize, _ effect: Effect, threads: Int?
    ) throws(FrostError) -> Row {
        var row = Row(
            size: size, effect: effect, threads: try Renderer(backend: .cpu, threads: threads).threads)
        var target = try Renderer(backend: .cpu, threads: 1)
            .copy(picture, format: effect.outputFormat(for: picture.format))
        let clock = ContinuousClock()
        for change in Change.allCases {
            let backdrop = try Backdrop(coverage: change == .move ? .everywhere : .panels, threads: threads)
            let whole = picture.layout.extent
            let part = Rect(x: 0, y: 0, width: (whole.width + 2) / 3, height: (whole.height + 2) / 3)
            backdrop.panels = [Frost.Panel(change == .move ? part : whole, effect: effect)]
            var times: [Double] = []
            let began = clock.now
            // The first two frames make all that is kept.
            for frame in 0... {
                switch change {
                case .all: backdrop.invalidateAll()
                case .damage:
                    backdrop.invalidate(
                        Rect(x: (whole.width - 64) / 2, y: (whole.height - 64) / 2, width: 64, height: 64))
                case .still: break
                case .move:
                    backdrop.panels[0].rect.x = frame * 16 % max(1, whole.width - part.width)
                    backdrop.panels[0].rect.y = frame * 9 % max(1, whole.height - part.height)
                }
                let start = clock.now
                row.reports[change] = try backdrop.render(picture, into: &target)
                if frame > 1 { times.append((clock.now - start).milliseconds) }
                let milliseconds = (clock.now - began).milliseconds
                if !times.isEmpty, !BenchSubject.goesOn(runs: times.count, of: request.runs, milliseconds: milliseconds)
                {
                    break
                }
            }
            row.times[change] = Measurement.Timing(times)
        }
        return row
    }
}
