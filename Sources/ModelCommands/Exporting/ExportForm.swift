import ArgumentParser

/// What `export` writes.
enum ExportForm: String, ExpressibleByArgument, CaseIterable {
  case xcdatamodeld, momd, xcmappingmodel, swift, swiftdata
  case jsonSchema = "json-schema"
  case yaml, jsonl
  case sqlite, csv, views
  case html, site, mermaid, dot, svg, dbml
  case ckdb

  /// Whether it has a store's objects as plain tables.
  var isPlain: Bool { [.sqlite, .csv, .views].contains(self) }
  /// Whether it has a store's objects.
  var isOfObjects: Bool { self == .yaml || self == .jsonl || isPlain }
  /// Whether it is a picture of a model, a version or a step, in one file.
  var isPicture: Bool { [.html, .mermaid, .dot, .svg, .dbml].contains(self) }
}
