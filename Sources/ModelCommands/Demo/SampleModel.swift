import Foundation

/// The files of the sample model Trails, a hiking diary.
enum SampleModel {
  static let name = "Trails"

  /// File name → content.
  static let files: [(name: String, content: Data)] = [
    ("versions.yaml", Data(PackageResources.versions_yaml)),
    ("V1.yaml", Data(PackageResources.V1_yaml)),
    ("V2.yaml", Data(PackageResources.V2_yaml)),
    ("V3.yaml", Data(PackageResources.V3_yaml)),
  ]
}
