import Foundation
import ManagedModel
import ModelArchives
import ModelFormats

/// What libFuzzer calls with every input: the reader that `MODELC_READER` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
  reader(data)
  return 0
}

private let reader: @Sendable (Data) -> Void =
  switch ProcessInfo.processInfo.environment["MODELC_READER"] {
  case "xml": readXML
  case "mom": readArchive
  case "archive": writeArchive
  case "cache": readCache
  case "cdm": readMapping
  case "predicate": readExpressions
  case "metadata": readMetadata
  case "store": openStore
  case "schema": openSchema
  case "format": layOut
  default: readYAML
  }

/// Reads, checks and compiles; what is free of errors must come back from its own text and its own archive.
private func readYAML(_ data: Data) {
  let reading = readModel(yaml: data, file: "V1.yaml")
  guard let model = reading.model else { return }
  let version = ModelVersion(name: "V1", model: model, sourceMap: reading.sourceMap)
  let findings = reading.diagnostics + checkModel(of: version)
  guard !findings.contains(where: { $0.severity == .error }) else { return }
  let again = readModel(yaml: Data(writeModel(model).utf8), file: "V1.yaml").model
  precondition(again?.fingerprint == model.fingerprint, "the model is another one when written and read")
  check(model)
}

/// What the parser takes has a layout, unless an anchor or a directive stands in it; it stays when it is formatted again,
/// and the model is the same.
private func layOut(_ data: Data) {
  do {
    guard let once = try formatFile(data, file: "V1.yaml", isLenient: true) else { return }
    precondition((try? formatFile(once, file: "V1.yaml")) == once, "it is laid out otherwise the second time")
    let model = readModel(yaml: data, file: "V1.yaml").model
    let again = readModel(yaml: once, file: "V1.yaml").model
    precondition(
      again == model && again?.fingerprint == model?.fingerprint, "the model is another one when formatted")
  } catch {
    let refusal = error.diagnostics.first { $0.code == .notLaidOut }
    precondition(refusal?.message.contains("would be lost") != true, "the layout is not what it should be")
  }
}

private func readXML(_ data: Data) {
  guard let model = readXcodeModel(contents: data, file: "contents").model else { return }
  if !checkModel(model).contains(where: { $0.severity == .error }) { check(model) }
}

private func readArchive(_ data: Data) {
  guard let model = try? data.unarchiveModel(file: "V1.mom") else { return }
  if !checkModel(model).contains(where: { $0.severity == .error }) { check(model) }
}

/// What is free of errors, read from YAML or an archive, comes back from the archive that is written of it: the same
/// model, and the same bytes once more.
private func writeArchive(_ data: Data) {
  let model =
    data.starts(with: Data("bplist".utf8))
    ? try? data.unarchiveModel(file: "V1.mom") : readModel(yaml: data, file: "V1.yaml").model
  guard let model, !checkModel(model).contains(where: { $0.severity == .error }) else { return }
  let archive = model.keyedArchive()
  guard let back = try? archive.unarchiveModel(file: "V1.mom") else {
    preconditionFailure("an archive of ours cannot be read")
  }
  precondition(back.fingerprint == model.fingerprint, "the model is another one in the archive")
  precondition(back.entityVersionHashesByName == model.entityVersionHashesByName, "the hashes are others")
  precondition(back.keyedArchive() == archive, "the archive is another one when it is read and written")
}

private func readCache(_ data: Data) {
  guard let model = try? data.decodeModelCache() else { return }
  if !checkModel(model).contains(where: { $0.severity == .error }) { check(model) }
}

private func readMapping(_ data: Data) {
  guard let imported = try? data.unarchiveMappingModel(among: [huts], file: "V1-V2.cdm") else { return }
  _ = readMappingFile(yaml: Data(writeMappingFile([imported.mappingModel]).utf8), file: "V1-V2.yaml")
}

private func check(_ model: ManagedObjectModel) {
  let back = try? model.keyedArchive().unarchiveModel(file: "V1.mom")
  precondition(
    back?.entityVersionHashesByName == model.entityVersionHashesByName,
    "the hashes are others in the archive")
}

private func readExpressions(_ data: Data) {
  guard let text = String(data: data, encoding: .utf8) else { return }
  if let predicate = try? parsePredicate(text) {
    let again = try? parsePredicate(predicate.predicateFormat)
    precondition(again == predicate, "the predicate is another one when printed and read")
  }
  if let expression = try? parseExpression(text) {
    let again = try? parseExpression("\(expression)")
    precondition(again == expression, "the expression is another one when printed and read")
  }
}
