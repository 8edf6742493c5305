import Foundation
import TestSupport
import Testing

/// A team that stays with Xcode runs commands where its repository is, without an option.
@Suite("Models of Xcode's are found", .needsFixtures) struct DiscoveryTests {
  private static let books = "objcio+issue-4-core-data-migration/BookMigration"
  private static let octopod = "gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld"

  /// Copies a fixture's folder or package below a folder of the workplace.
  private func copy(_ path: String, to target: String, in place: Workplace) throws {
    let url = place.url(target)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Fixtures.url(path), to: url)
  }

  @Test func `the one package below the folder is taken, and a line says so`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try copy(Self.octopod, to: "App/Data Model/OctoPod.xcdatamodeld", in: place)
      try place.write("x", to: "Pods/Other/Other.xcdatamodeld/Other.xcdatamodel/contents")
      let check = try place.modelc("check", "--level", "hash")
      #expect(check.code == 0, "\(check)")
      #expect(check.stderr.contains("model: App/Data Model/OctoPod.xcdatamodeld\n"))
      let quiet = try place.modelc("check", "--level", "hash", "-q")
      #expect(quiet.stderr.isEmpty, "\(quiet.stderr)")
      let list = try place.modelc("version", "list", "--format", "json")
      #expect(list.code == 0 && list.stderr.isEmpty)
      expectSuccess(try place.modelc("fixture", "OctoPod", "--rows", "3", "-o", "old.sqlite"))
      let migrate = try place.modelc("migrate", "old.sqlite", "--allow-loss", "MC3111")
      #expect(migrate.code == 0, "\(migrate)")
      expectSuccess(try place.modelc("verify", "old.sqlite"))
    }
  }

  /// An app's classes, or what `adopt` made for a mapping model.
  @Test(arguments: ["Models/Printer.swift", "Models/Schemas/mapping.schema.json"])
  func `a folder Models without models hides no package`(_ file: String) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try copy(Self.octopod, to: "App/OctoPod.xcdatamodeld", in: place)
      try place.write("struct Printer {}\n", to: file)
      let check = try place.modelc("check", "--level", "hash")
      #expect(check.code == 0 && check.stderr.contains("model: App/OctoPod.xcdatamodeld\n"), "\(check)")
      expectRefusal(try place.modelc("check", "--models", "Models"), "MC0009", exit: 2)
    }
  }

  @Test func `check takes all of several, release the one that is named, and a store tells which it is of`()
    throws
  {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try copy(Self.octopod, to: "App/OctoPod.xcdatamodeld", in: place)
      try copy("\(Self.books)/Model.xcdatamodeld", to: "Books/Model.xcdatamodeld", in: place)
      try copy("\(Self.books)/Model.xcdatamodeld", to: "My Copies/Model.xcdatamodeld", in: place)
      let check = try place.modelc("check")
      #expect(check.stdout.contains("OctoPod, Model, My Copies/Model.xcdatamodeld: "), "\(check)")
      // Each model has a lock of its own to be made, by a command that runs.
      let commands = check.stdout.matches(of: #/`([^`]*modelc release --model [^`]+)`/#).map { String($0.1) }
      #expect(commands.count == 3, "\(check)")
      for command in commands { _ = try Repository(folder: folder).shell(command) }
      for lock in ["App/OctoPod", "Books/Model", "My Copies/Model"] {
        #expect(FileManager.default.fileExists(atPath: place.url("\(lock).released.lock").path))
      }
      #expect(try !place.modelc("check").stdout.contains("MC7011"))
      expectRefusal(try place.modelc("release", "OctoPod"), "MC7024", exit: 2)
      expectSuccess(try place.modelc("check", "--model", "OctoPod", "--level", "hash"))
      let store = try place.copyStore("\(Self.books)/Model1.sqlite", as: "books.sqlite")
      let inspect = try place.modelc("inspect", store)
      #expect(inspect.code == 0 && inspect.stdout.contains("Model1"), "\(inspect)")
    }
  }

  @Test func `mapping models near the package are the steps between their versions`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try copy(Self.books, to: "App", in: place)
      let plan = try place.modelc("plan", "App/Model1.sqlite", "--to", "Model2")
      #expect(plan.stderr.contains("model: App/Model.xcdatamodeld\n"), "\(plan)")
      #expect(plan.stderr.contains("mapping model: App/Model1_to_Model2.xcmappingmodel\n"))
      // It is refused for the policy that the mapping names.
      #expect(plan.code == 1 && plan.errors == ["MC4201"], "\(plan)")
      // A file of the project goes before them.
      expectSuccess(
        try place.modelc(
          "adopt", "App/Model1_to_Model2.xcmappingmodel", "App/Model2_to_Model3.xcmappingmodel"))
      let stated = try place.modelc(
        "plan", "App/Model1.sqlite", "--to", "Model2", "--models", "App/Model.xcdatamodeld")
      #expect(!stated.stderr.contains("Model1_to_Model2.xcmappingmodel"), "\(stated)")
      #expect(stated.code == 1 && stated.errors == ["MC4201"], "\(stated)")
    }
  }

  @Test func `policies that modelc does not have are not tried, and stop nothing`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try copy("soramitsu+fearless-iOS/fearless/Common/Storage", to: "App", in: place)
      let check = try place.modelc("check", "--model", "UserDataModel", "--level", "path")
      // One of its versions was edited after the snapshot in a mapping model had been taken.
      #expect(check.code == 1 && check.stdout.contains("error[MC4211]"), "\(check)")
      #expect(check.stdout.contains("warning[MC4201]: 2 policies were not tried: fearless.Multiasset"))
      // Names put the first version behind the one that it migrates to; its mapping model says otherwise.
      #expect(
        check.stdout.contains(
          "leads from 'UserDataModel' to 'MultiassetUserDataModel', which does not follow"))
      #expect(check.stdout.contains("2 mapping models\n"))
    }
  }

  @Test func `a modelc.yaml says what may go, what is allowed and what a migration may cost`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ attributes: String) -> String {
        #"<model><entity name="Task">\#(attributes)</entity></model>"#
      }
      let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
      let phone = #"<attribute name="phone" optional="YES" attributeType="String"/>"#
      try place.write(version(title + phone), to: "App/A.xcdatamodeld/A.xcdatamodel/contents")
      try place.write(version(title), to: "App/A.xcdatamodeld/A 2.xcdatamodel/contents")
      let run = try place.modelc("check")
      #expect(run.code == 1, "\(run)")
      #expect(run.stdout.contains("list 'Task.phone' under `retired:` in a modelc.yaml next to the package"))
      #expect(
        run.stdout.contains("set the Renaming ID of 'the new name' to phone")
          || run.stdout.contains("Renaming ID"))
      try place.write("retired: [Task.phone]\n", to: "App/modelc.yaml")
      #expect(try place.modelc("check").code == 0)
      try place.write(
        "allow: [{code: MC7008, of: Task.phone, reason: never filled}]\n", to: "App/modelc.yaml")
      let allowed = try place.modelc("check")
      #expect(allowed.code == 0, "\(allowed)")
      try place.write(
        "retired: [Task.phone]\nallow: [{code: MC7008, of: Task.fax, reason: x}]\n", to: "App/modelc.yaml")
      let unused = try place.modelc("check", "--fail-on", "warning")
      #expect(unused.code == 1 && unused.stdout.contains("MC7016"), "\(unused)")
      #expect(unused.stdout.contains("App/modelc.yaml:2:"))
      try place.write("retired: [Task.fone]\n", to: "App/modelc.yaml")
      let wrong = try place.modelc("check")
      #expect(wrong.code != 0 && wrong.stdout.contains("MC2111"), "\(wrong)")
      // A wrong file keeps a store from being migrated: it could say how.
      try place.write("retired: [Task.phone]\n", to: "App/modelc.yaml")
      expectSuccess(try place.modelc("fixture", "A", "--rows", "3", "-o", "old.sqlite"))
      try place.write("retired: [Task.fone]\n", to: "App/modelc.yaml")
      let plan = try place.modelc("plan", "old.sqlite")
      #expect(plan.code != 0 && plan.stderr.contains("MC2111"), "\(plan)")
      try place.write("retired: [Task.phone]\nbudget: {seconds: 0.000001}\n", to: "App/modelc.yaml")
      expectSuccess(try place.modelc("release", "A", "--fixture", "5"))
      let slow = try place.modelc("check", "--no-cache")
      #expect(slow.code == 1 && slow.stdout.contains("MC7005"), "\(slow)")
    }
  }
}
