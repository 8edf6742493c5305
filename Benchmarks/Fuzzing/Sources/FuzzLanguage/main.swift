// The YAML reader, the language, the checks and the compiler, on bytes that libFuzzer makes up.
//
// Beside "no crash, no hang": what reads without an error is written and read back to the same model, and the
// compiled form gives the same hashes and, compiled again, the same bytes.

import CFuzzer
import Foundation
import ManagedModel
import ModelFormats

func fuzz(_ bytes: Data) {
  let reading = readModel(yaml: bytes, file: "V1.yaml")
  for diagnostic in reading.diagnostics where diagnostic.place == nil { fatalError("no place: \(diagnostic)") }
  guard let model = reading.model else { return }
  let findings = checkModel(model)
  for finding in findings { _ = finding.located(by: reading.sourceMap) }
  let archive = archiveModel(model)
  let hashes = model.entityVersionHashesByName
  _ = model.fingerprint
  guard !reading.diagnostics.hasErrors else { return }
  let text = writeModel(model)
  let again = readModel(yaml: Data(text.utf8), file: "V1.yaml")
  guard again.model == model, !again.diagnostics.hasErrors else { fatalError("not read back:\n\(text)") }
  guard !findings.hasErrors else { return }
  guard let back = try? unarchiveModel(archive, file: "V1.mom") else { fatalError("not unarchived:\n\(text)") }
  guard back.entityVersionHashesByName == hashes else { fatalError("other hashes:\n\(text)") }
  guard archiveModel(back) == archive else { fatalError("other bytes:\n\(text)") }
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
exit(
  unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    guard let bytes = unsafe bytes else { return 0 }
    unsafe fuzz(Data(bytes: bytes, count: count))
    return 0
  })
