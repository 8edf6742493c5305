import Foundation
import ManagedModel
import ModelFormats

/// The schemas of a project's files as the repository of schemastore.org lays them out: `src/schemas/json`, files that fit
/// and files that do not, and the entries of the catalogue.
func schemaStoreFiles(in folder: String) -> [ProjectFile] {
  let schemas = jsonSchemas { name in
    storedSchemas[name].map { "https://json.schemastore.org/\($0.name).json" }
  }
  var files: [ProjectFile] = []
  var entries: [JSONValue] = []
  for schema in schemas {
    guard let stored = storedSchemas[schema.name] else { continue }
    files.append(ProjectFile(path: join(folder, "src/schemas/json/\(stored.name).json"), text: schema.text))
    for (kind, examples) in [("test", stored.fitting), ("negative_test", stored.unfitting)] {
      for (name, text) in examples {
        let comment = schemaComment(path: "../../schemas/json/\(stored.name).json")
        files.append(
          ProjectFile(
            path: join(folder, "src/\(kind)/\(stored.name)/\(name).yaml"), text: "\(comment)\n\(text)"))
      }
    }
    entries.append([
      "name": .string("modelc: \(stored.name)"), "description": .string(schema.title + ", for modelc"),
      "fileMatch": JSONValue(stored.matches),
      "url": .string("https://json.schemastore.org/\(stored.name).json"),
    ])
  }
  let catalogue = JSONValue.array(entries).prettyPrinted + "\n"
  return files + [ProjectFile(path: join(folder, "src/api/json/catalog-entries.json"), text: catalogue)]
}

private typealias Example = (name: String, text: String)
/// A schema as it is known there, and the files that it is for. Their versions may have any name: those that begin with V
/// are found.
private typealias StoredSchema = (name: String, matches: [String], fitting: [Example], unfitting: [Example])

private var storedSchemas: [String: StoredSchema] {
  let versions = examples(SampleModel.files.filter { $0.name == versionListFileName })
  return [
    LanguageFileKind.version.rawValue: (
      name: "modelc-model", matches: ["**/Models/*/V*.yaml"],
      fitting: examples(SampleModel.files.filter { $0.name != versionListFileName }),
      unfitting: [
        ("unknown-key", "entities:\n  Hut:\n    atributes:\n      name: string?\n"),
        ("unknown-type", "entities:\n  Hut:\n    attributes:\n      name: text?\n"),
        ("default-of-another-type", "entities:\n  Hut:\n    attributes:\n      beds: integer16 = many\n"),
        ("no-entities", "identifiers: [V1]\n"),
      ]
    ),
    LanguageFileKind.versionList.rawValue: (
      name: "modelc-versions", matches: ["**/Models/*/\(versionListFileName)"], fitting: versions,
      unfitting: [
        ("no-versions", "current: V1\n"), ("unknown-key", "curent: V1\nversions: [V1]\n"),
        ("no-list", "current: V1\nversions: V1\n"),
      ]
    ),
    LanguageFileKind.mapping.rawValue: (
      name: "modelc-mapping", matches: ["**/Migrations/*/*-*.yaml"], fitting: examples(SampleModel.mappings),
      unfitting: [
        ("no-destination", "from: V1\n"), ("unknown-key", "from: V1\nto: V2\nwhere: x\n"),
        ("unknown-rule", "from: V1\nto: V2\nentityMappings:\n  Hut:\n    onDrop: nulify\n"),
      ]
    ),
    LanguageFileKind.settings.rawValue: (
      name: "modelc", matches: [packageSettingsFileName],
      fitting: [
        ("modelc", "versions: [App, App 2]\nallow:\n  - {code: MC7008, of: Hut.fax, reason: reviewed}\n")
      ], unfitting: [("unknown-key", "version: [App]\n"), ("no-list", "versions: App\n")]
    ),
  ]
}

/// Without the first line, which names another place of the schema.
private func examples(_ files: [(name: String, content: Data)]) -> [Example] {
  files.map { file in
    let text = String(decoding: file.content, as: UTF8.self)
    let rest = text.hasPrefix(schemaComment(path: "")) ? text.drop { $0 != "\n" }.dropFirst() : text[...]
    return (file.name.replacingBytes(of: ".yaml", with: ""), String(rest))
  }
}
