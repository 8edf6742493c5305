import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

extension Inspect {
  /// Prints a store's own model, or a bundle's current one, as YAML.
  ///
  /// A store may keep an old model that was left behind; it is shown, and said not to be trusted.
  func showModel(of path: String) throws -> JSONValue {
    if isBundle(path) {
      let (bundle, diagnostics) = readModelSource(path)
      output.report(diagnostics)
      guard let bundle, let model = bundle.currentVersion?.model else { throw DiagnosticsError(diagnostics) }
      return show(model, of: path, isTrusted: true, diagnostics)
    }
    let stored = try readStoreModel(at: path)
    switch stored.cached {
    case .trusted(let model): return show(model, of: path, isTrusted: true, [])
    case .untrusted(let model, _):
      let findings = [stored.finding(ofStore: path, .warning)]
      output.report(findings)
      return show(model, of: path, isTrusted: false, findings)
    case .absent, .unreadable: throw DiagnosticsError(stored.finding(ofStore: path, .error))
    }
  }

  private func show(
    _ model: ManagedObjectModel, of path: String, isTrusted: Bool, _ findings: [Diagnostic]
  ) -> JSONValue {
    let yaml = writeModel(model)
    if !output.writesJSON {
      // The file's own line says it too, for whoever keeps the text.
      let remark = isTrusted ? "" : "# Not trusted: its hashes are not those of the store.\n"
      output.print(data: (remark + yaml).trimmingCharacters(in: .newlines))
    }
    return Self.carriedModel.json(of: (path, isTrusted, yaml, findings))
  }
}

extension Inspect {
  static let carriedModel = JSONObject<
    (store: String, isTrusted: Bool, yaml: String, findings: [Diagnostic])
  >(
    "carriedModel", "The model that a store carries.",
    [
      "store": .store(\.store), "trusted": .value(\.isTrusted, "Whether the store's hashes confirm it."),
      "model": .value(\.yaml, "A version file, in YAML."), "diagnostics": .diagnostics(\.findings),
    ])
}
