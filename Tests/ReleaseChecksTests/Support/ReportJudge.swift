import Foundation
import TestSupport

/// The Python packages `jsonschema` and `xmlschema`, which say independently of us whether a report fits its schema.
enum ReportJudge {
  private static let schemas = Fixtures.root.deletingLastPathComponent().appending(path: "schemas")

  /// Whether schemas and packages are at hand, or the packages can be had from the package index.
  static let isAvailable = packageFolder != nil && FileManager.default.fileExists(atPath: schemas.path)

  /// What is wrong with a report; empty where it fits.
  static func judge(_ text: String, against schema: String) throws -> String {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "report")
      try Data(text.utf8).write(to: file)
      let run = python(
        ["-c", script, schemas.appending(path: schema).path, file.path], packages: packageFolder)
      return run.status == 0 ? run.output : "the judge failed: \(run.output)"
    }
  }

  private static let script = """
    import json, sys
    schema, report = sys.argv[1:]
    if schema.endswith('.json'):
        import jsonschema
        judge = jsonschema.Draft4Validator(json.load(open(schema)))
        errors = [e.message for e in judge.iter_errors(json.load(open(report)))]
    else:
        import xmlschema
        errors = [e.reason or 'wrong' for e in xmlschema.XMLSchema(schema).iter_errors(report)]
    print('\\n'.join(errors), end='')
    """

  /// Empty where Python has the packages of its own.
  private static let packageFolder: String? = {
    let probe = ["-c", "import jsonschema, xmlschema"]
    if python(probe).status == 0 { return "" }
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-report-python").path
    let install = ["-m", "pip", "install", "--quiet", "--target", folder, "jsonschema", "xmlschema"]
    return python(install).status == 0 && python(probe, packages: folder).status == 0 ? folder : nil
  }()

  private static func python(
    _ arguments: [String], packages: String? = nil
  ) -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    if let packages, !packages.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": packages]) { $1 }
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    guard (try? process.run()) != nil else { return (127, "") }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
