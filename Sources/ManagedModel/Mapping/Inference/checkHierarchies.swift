extension EntityHierarchy {
  /// Hierarchies that could only come to be by merging two tables: what Core Data refuses with "Cannot merge multiple
  /// root entity source tables into one destination entity root table".
  func checkHierarchies(to destination: EntityHierarchy, pairs: [String: String], version: String)
    -> [Diagnostic]
  {
    destination.rootNames.compactMap { root in
      let roots = destination.descendantNames(includingSelf: root)
        .compactMap { pairs[$0].map { rootName(of: $0) } }.unique
      guard roots.count > 1 else { return nil }
      return Diagnostic(
        .hierarchyMerge, .error,
        "\(roots.map { "'\($0)'" }.joined(separator: " and ")) would have to share the table of '\(root)'",
        subject: ModelSubject(version: version, entity: root, key: "parent"),
        notes: [
          "each has its own table now, and their primary keys overlap; one parent would merge the tables"
        ],
        help: ["keep one of them without the parent, or map its objects yourself"], cocoaCode: 134110)
    }
  }
}

extension Diagnostic.Code { package static let hierarchyMerge = Self("MC3107") }
