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
    ("V4.yaml", Data(PackageResources.V4_yaml)),
    ("V5.yaml", Data(PackageResources.V5_yaml)),
    ("V6.yaml", Data(PackageResources.V6_yaml)),
  ]

  /// Mapping models of its steps: file name → content.
  static let mappings: [(name: String, content: Data)] = [
    ("V3-V4.yaml", Data(PackageResources.V3_V4_yaml)),
    ("V4-V5.yaml", Data(PackageResources.V4_V5_yaml)),
    ("V5-V6.yaml", Data(PackageResources.V5_V6_yaml)),
  ]
}
