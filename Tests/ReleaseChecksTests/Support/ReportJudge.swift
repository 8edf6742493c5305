import Foundation
import TestSupport
import Testing

/// The Python packages `jsonschema` and `xmlschema`, which say independently of us whether a report fits its schema.
enum ReportJudge {
  private static let schemas = Fixtures.root.deletingLastPathComponent().appending(path: "schemas")

  /// Whether schemas and packages are at hand, or the packages can be had from the package index.
  static let isAvailable = packageFolder != nil && FileManager.default.fileExists(atPath: schemas.path)

  /// How much is wrong with each of the reports; 0 where it fits.
  static func judge(_ texts: [String], against schema: String) throws -> [Int] {
    try withTemporaryFolder { folder in
      let files = texts.indices.map { folder.appending(path: "report\($0)") }
      for (text, file) in zip(texts, files) { try Data(text.utf8).write(to: file) }
      let run = try Python.run(
        ["-c", script, schemas.appending(path: schema).path] + files.map(\.path), packages: packageFolder)
      try #require(run.code == 0, "the judge failed: \(run.text)")
      return run.text.split(separator: "\n").compactMap { Int($0) }
    }
  }

  private static let script = """
    import json, sys
    schema, *reports = sys.argv[1:]
    if schema.endswith('.json'):
        import jsonschema
        judge = jsonschema.Draft4Validator(json.load(open(schema)))
        errors = [list(judge.iter_errors(json.load(open(report)))) for report in reports]
    else:
        import xmlschema
        judge = xmlschema.XMLSchema(schema)
        errors = [list(judge.iter_errors(report)) for report in reports]
    for found in errors: print(len(found))
    """

  /// Empty if Python has the packages of its own.
  private static let packageFolder: String? = {
    let probe = ["-c", "import jsonschema, xmlschema"]
    func succeeds(_ arguments: [String], packages: String? = nil) -> Bool {
      (try? Python.run(arguments, packages: packages))?.code == 0
    }
    if succeeds(probe) { return "" }
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-report-python").path
    if succeeds(probe, packages: folder) { return folder }
    let install = ["-m", "pip", "install", "--quiet", "--target", folder, "jsonschema", "xmlschema"]
    return succeeds(install) && succeeds(probe, packages: folder) ? folder : nil
  }()
}
