package import Foundation
package import ManagedModel
import ModelArchives

extension Data {
  /// Reads a compiled mapping model (`.cdm`).
  ///
  /// A compiled one knows its versions by the hashes of their entities alone, so the models must be at hand. Property
  /// mappings that Xcode fills in by itself are left out, as in ``readXcodeMappingModel(at:)``.
  ///
  /// - Parameters:
  ///   - models: where the two versions are looked for.
  ///   - file: the path that diagnostics name.
  /// - Throws: `DiagnosticsError` with MC2203 where the bytes are no such archive, MC4101 where no two versions have the
  ///   hashes that it is bound to.
  package func unarchiveMappingModel(among models: [VersionedModel], file: String) throws(DiagnosticsError)
    -> ImportedMapping
  {
    do throws(ArchiveFlaw) {
      let unarchiver = try MappingUnarchiver(KeyedArchive(self))
      if let step = unarchiver.step(among: models) { return try unarchiver.mapping(for: step) }
    } catch {
      throw DiagnosticsError(
        .corruptBundle, "'\(file)' is not a readable compiled mapping model: \(error.reason)",
        place: SourceRange(startOf: file),
        help: ["adopt the '.xcmappingmodel' that it was compiled from, or take the file from another copy"])
    }
    let known = models.map { "\($0.name): \($0.versions.map(\.name).joined(separator: ", "))" }
    throw DiagnosticsError(
      .mappingOfOtherVersions, "'\(file)' is bound to versions that this project does not have",
      notes: [
        "a compiled mapping model names its versions by the hashes of their entities, and no two versions here have all of these hashes"
      ] + known.map { Diagnostic.Note("looked at \($0)") },
      help: [
        "adopt the app's .xcdatamodeld or .momd first, or together with it",
        "or adopt the '.xcmappingmodel' that it was compiled from, which names its versions",
      ])
  }
}

/// Reads the file of a compiled mapping model; see `unarchiveMappingModel(among:file:)`.
///
/// - Throws: MC0009 beside what that throws, where there is no file that can be read.
package func readCompiledMappingModel(
  at url: URL, among models: [VersionedModel]
) throws(DiagnosticsError) -> ImportedMapping {
  let data = try readFile(url, shownAs: url.relativePath)
  return try data.unarchiveMappingModel(among: models, file: url.relativePath)
}
