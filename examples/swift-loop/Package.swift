// swift-tools-version: 6.2
// A program that uses Frost as a package dependency. Outside this repository the dependency would be a URL.

import PackageDescription

let package = Package(
    name: "swift-loop",
    dependencies: [.package(name: "Frost", path: "../..")],
    targets: [
        .executableTarget(
            name: "swift-loop",
            dependencies: [.product(name: "Frost", package: "Frost"), .product(name: "FrostImages", package: "Frost")])
    ],
    swiftLanguageModes: [.v6]
)
