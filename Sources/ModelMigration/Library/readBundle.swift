public import Foundation
public import ManagedModel
import ModelArchives

extension VersionedModel {
  /// Reads a compiled model: a `.momd` with its versions, or a single `.mom`.
  ///
  /// It needs no other form of models; `readModel(at:)` of ModelFormats reads those too.
  ///
  /// ```swift
  /// let migrator = StoreMigrator(models: [try VersionedModel(bundle: url)])
  /// ```
  ///
  /// - Throws: ``DiagnosticsError`` if there is no bundle (MC0009), or if a version cannot be read: an app that does not
  ///   know each of its versions migrates no store.
  public init(bundle url: URL) throws {
    let (model, diagnostics) = try readModelBundle(at: url)
    if diagnostics.hasErrors { throw DiagnosticsError(diagnostics) }
    self = model
  }
}
