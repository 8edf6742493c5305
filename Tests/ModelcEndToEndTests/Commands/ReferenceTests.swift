import Foundation
import TestSupport
import Testing

@Suite("modelc help --all, and schemas for others") struct ReferenceTests {
  @Test func `help of everything is text, Markdown or JSON`() throws {
    try withTemporaryFolder { folder in
      let text = try Modelc.run("help", "--all", in: folder)
      expectSuccess(text)
      #expect(
        text.stdout.contains("USAGE: modelc version list") && text.stdout.contains("USAGE: modelc doctor"))
      let page = try Modelc.run("help", "--all", "--format", "markdown", in: folder)
      expectSuccess(page)
      for words in [
        "# modelc on one page", "`modelc migrate [<stores>…]`", "- `3`: store refused", "released.lock",
      ] {
        #expect(page.stdout.contains(words), "\(words)")
      }
      struct Reference: Decodable {
        struct Command: Decodable { var name: String, result: String? }
        var commands: [Command]
      }
      let reference: Reference = try Modelc.run("help", "--all", "--format=json", in: folder).decoded()
      #expect(reference.commands.contains { $0.name == "modelc version list" && $0.result == "version-list" })
      #expect(reference.commands.contains { $0.name == "modelc demo" && $0.result == nil })
      #expect(reference.commands.contains { $0.name == "modelc help" })
      // ArgumentParser's own is as it was.
      #expect(try Modelc.run("help", "check", in: folder).stdout.contains("USAGE: modelc check"))
      for wrong in [["help", "--all", "check"], ["help", "--format", "yaml"]] {
        let run = try Modelc.run(wrong, in: folder)
        #expect(run.code == 2 && run.stdout.isEmpty && !run.stderr.isEmpty, "\(run)")
      }
    }
  }

  @Test func `the schema of a result goes to standard output, to a file, or all of them to a folder`() throws
  {
    try withTemporaryFolder { folder in
      let printed = try Modelc.run("export", "--as", "json-schema", "--of", "version list", in: folder)
      expectSuccess(printed)
      #expect(try JSONDocument(printed.stdout)["$id"] == .string("urn:modelc:0:version-list"))
      expectSuccess(
        try Modelc.run("export", "--as", "json-schema", "--of", "check", "-o", "c.json", in: folder))
      expectSuccess(try Modelc.run("export", "--as", "json-schema", "--of", "all", "-o", "all", in: folder))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "all").path)
      #expect(names.contains("check.schema.json") && names.contains("diagnostic.schema.json"))
      #expect(
        try Data(contentsOf: folder.appending(path: "c.json"))
          == Data(contentsOf: folder.appending(path: "all/check.schema.json")))
      for wrong in [
        ["--of", "all"], ["--schemastore"], ["--of", "demo"], ["--of", "check", "--schemastore", "-o", "x"],
      ] {
        let run = try Modelc.run(["export", "--as", "json-schema"] + wrong, in: folder)
        #expect(run.code == 2 && run.stdout.isEmpty, "\(run)")
      }
    }
  }

  /// As the repository of schemastore.org tests what it is given.
  @Test(.needsPython) func `schemas for schemastore.org take the files that fit, and no others`() throws {
    try withTemporaryFolder { folder in
      expectSuccess(
        try Modelc.run("export", "--as", "json-schema", "--schemastore", "-o", "store", in: folder))
      let source = folder.appending(path: "store/src")
      let catalogue = try JSONDocument(
        String(contentsOf: source.appending(path: "api/json/catalog-entries.json"), encoding: .utf8))
      for entry in catalogue.elements ?? [] {
        let url = try #require(entry["url"]?.text)
        let name = try #require(url.split(separator: "/").last)
        let schema = try JSONDocument(
          String(contentsOf: source.appending(path: "schemas/json/\(name)"), encoding: .utf8))
        #expect(schema["$id"]?.text == url && schema["title"]?.text?.isEmpty == false)
        #expect(strictSchemaComplaints(schema) == [], "\(name)")
        #expect(
          (entry["fileMatch"]?.elements?.compactMap(\.text) ?? []).allSatisfy {
            !$0.contains("/") || $0.hasPrefix("**/")
          })
        #expect(entry["name"]?.text?.isEmpty == false && entry["description"]?.text?.isEmpty == false)
      }
      #expect(catalogue.elements?.count == 4)
      let script = """
        import glob, json, os, sys
        try:
            import jsonschema, yaml; yaml.CSafeLoader
        except (ImportError, AttributeError):
            print("absent"); sys.exit()
        top, counts = sys.argv[1], {"test": 0, "negative_test": 0}
        for kind in counts:
            for name in sorted(glob.glob(f"{top}/{kind}/*/*.yaml")):
                schema = json.load(open(f"{top}/schemas/json/{name.split('/')[-2]}.json"))
                document = yaml.load(open(name), yaml.CSafeLoader)
                fits = not list(jsonschema.Draft7Validator(schema).iter_errors(document))
                if fits != (kind == "test"):
                    print("wrong:", name)
                counts[kind] += 1
        print(counts["test"] >= 8, counts["negative_test"] >= 12)
        """
      let run = try Python.run(["-W", "ignore", "-c", script, source.path])
      #expect(["absent\n", "True True\n"].contains(run.text), "\(run.text)")
    }
  }
}
