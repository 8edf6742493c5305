import Foundation
import ManagedModel
import ModelFormats
import ModelMigration

// `migration-required STORE MODEL COUNT`: asks `StoreMigrator.status(of:)` so many times and prints the milliseconds
// of each, as an app that has its model in memory asks at every launch.
let arguments = CommandLine.arguments
let reading = readVersionedModel(folder: URL(filePath: arguments[2]))
let migrator = StoreMigrator(models: [reading.model].compactMap(\.self))
for _ in 0..<(Int(arguments[3]) ?? 1) {
  let start = ContinuousClock.now
  guard try !migrator.status(of: URL(filePath: arguments[1])).isCurrent else { exit(1) }
  let elapsed = (ContinuousClock.now - start).components
  print(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) * 1e-15)
}
