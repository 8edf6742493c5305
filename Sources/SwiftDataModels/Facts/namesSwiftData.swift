import Foundation

/// Of which a file has one that is of SwiftData; another file of its module may import it for all.
private let swiftDataWords = [
  "SwiftData", "@Model", "VersionedSchema", "SchemaMigrationPlan", "odelContainer",
].map { Data($0.utf8) }

extension Data { var namesSwiftData: Bool { swiftDataWords.contains { range(of: $0) != nil } } }
