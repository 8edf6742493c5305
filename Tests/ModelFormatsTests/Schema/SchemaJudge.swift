import Foundation
import ModelFormats
import TestSupport
import Testing

/// The Python package `jsonschema`, which says independently of us whether a YAML text fits a schema.
///
/// The text is read as editors read it: YAML 1.2 with its core schema, keys as texts.
enum SchemaJudge {
  /// One question: the schema's file name and the text.
  struct Case: Encodable {
    var schema: String
    var yaml: String

    init(schema: LanguageFileKind, yaml: String) { (self.schema, self.yaml) = (schema.rawValue, yaml) }
  }

  /// Whether the packages are at hand, or can be had from the package index.
  static let isAvailable = packageFolder != nil

  /// What is wrong with each of the texts; nothing where it fits.
  static func judge(_ cases: [Case]) throws -> [[String]] {
    struct Question: Encodable {
      var schemas: [String: String]
      var cases: [Case]
    }
    let schemas = Dictionary(uniqueKeysWithValues: jsonSchemas().map { ($0.name, $0.text) })
    let question = try JSONEncoder().encode(Question(schemas: schemas, cases: cases))
    let answer = try #require(python(["-c", script], input: question, packages: packageFolder))
    return try JSONDecoder().decode([[String]].self, from: answer)
  }

  /// Empty if Python has the packages of its own.
  private static let packageFolder: String? = {
    let probe = ["-c", "import jsonschema, yaml; yaml.CSafeLoader"]
    if python(probe) != nil { return "" }
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-test-python").path
    let install = ["-m", "pip", "install", "--quiet", "--target", folder, "jsonschema", "pyyaml"]
    return python(install) != nil && python(probe, packages: folder) != nil ? folder : nil
  }()

  private static let script = """
    import json, sys, yaml, jsonschema, re

    class Loader(yaml.CSafeLoader):
        yaml_implicit_resolvers = {}

    core = [
        ('null', r'(?:~|null|Null|NULL|)', '~nN'), ('bool', r'(?:true|True|TRUE|false|False|FALSE)', 'tTfF'),
        ('int', r'(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)', '-+0123456789'),
        ('float', r'[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?', '-+0123456789.'),
    ]
    for name, pattern, first in core:
        letters = list(first) + ([''] if name == 'null' else [])
        Loader.add_implicit_resolver('tag:yaml.org,2002:' + name, re.compile('^' + pattern + '$'), letters)

    def integer(loader, node):
        text = loader.construct_scalar(node)
        return int(text, 8 if text.startswith('0o') else 16 if text.startswith('0x') else 10)

    def mapping(loader, node):
        return {key.value: loader.construct_object(value, deep=True) for key, value in node.value}

    Loader.add_constructor('tag:yaml.org,2002:int', integer)
    Loader.add_constructor('tag:yaml.org,2002:float', lambda loader, node: float(loader.construct_scalar(node)))
    Loader.add_constructor('tag:yaml.org,2002:map', mapping)
    question = json.load(sys.stdin)
    validators = {}
    for name, text in question['schemas'].items():
        schema = json.loads(text)
        jsonschema.Draft7Validator.check_schema(schema)
        validators[name] = jsonschema.Draft7Validator(schema)
    answers = []
    for case in question['cases']:
        value = yaml.load(case['yaml'], Loader)
        errors = validators[case['schema']].iter_errors(value)
        answers.append([error.json_path + ': ' + error.message[:200] for error in errors])
    print(json.dumps(answers))
    """

  /// What the script prints, or nil if it fails.
  private static func python(_ arguments: [String], input: Data = Data(), packages: String? = nil) -> Data? {
    let process = Python.process(arguments)
    var environment = ProcessInfo.processInfo.environment
    if let folder = packages, !folder.isEmpty { environment["PYTHONPATH"] = folder }
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    // Through files: nothing can wait for a full pipe.
    let folder = FileManager.default.temporaryDirectory
    let (question, answer) = (
      folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString)
    )
    defer { for url in [question, answer] { try? FileManager.default.removeItem(at: url) } }
    do {
      try input.write(to: question)
      try Data().write(to: answer)
      process.standardInput = try FileHandle(forReadingFrom: question)
      process.standardOutput = try FileHandle(forWritingTo: answer)
      try process.run()
    } catch {
      return nil
    }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? try? Data(contentsOf: answer) : nil
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where the judge cannot be had.
  static var needsJSONSchemaJudge: Self {
    .enabled(if: SchemaJudge.isAvailable, "Python with jsonschema and pyyaml cannot be had")
  }
}
