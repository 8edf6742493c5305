import EmbeddedFiles
import Foundation

/// The files of the sample model Trails, a hiking diary.
enum SampleModel {
  static let name = "Trails"

  /// File name → content.
  static let files = unsafe embedded(sampleModelFiles)

  /// Mapping models of its steps: file name → content.
  static let mappings = unsafe embedded(sampleMappingFiles)
}
