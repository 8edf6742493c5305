import Foundation
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

/// What an app contains, and models of one name.
@Suite("An app as the base of the gate") struct AppBaseTests {
  @Test func `each of an app's models of one name is checked, against the one that lay there`() throws {
    try withNotePackage { package in
      func build(_ app: String, _ core: String...) throws {
        for (place, name) in [("Core", core), ("Base", ["a"]), ("Widget", ["a"])] {
          try FileManager.default.createDirectory(
            atPath: package.project.file("\(app)/\(place).bundle"), withIntermediateDirectories: true)
          try package.write("App", "x", "y")
          try package.write("App 2", name.joined(separator: " "), "x", "y")
          #expect(package.modelc("compile", "-o", package.project.file("\(app)/\(place).bundle")) == 0)
        }
      }
      try build("Old.app", "a")
      try build("New.app", "b")
      func findings(_ app: String) throws -> [ReleasedProject.Found] {
        try package.project.check("--against", package.project.file("Old.app"), models: app).found
      }
      #expect(try !findings("Old.app").contains { $0.code == "MC7026" })
      let edits = try findings("New.app").filter { $0.code == "MC7026" && $0.state == "new" }
      #expect(edits.map { $0.place(in: package.project) } == ["New.app/Core.bundle/App.momd:1"])
      #expect(edits.first?.severity == "error")
    }
  }

  @Test func `an app's further model of a name is new, and one that is gone is told`() throws {
    try withNotePackage { package in
      let project = package.project
      func build(_ place: String, _ attributes: String...) throws {
        try FileManager.default.createDirectory(
          atPath: project.file(place), withIntermediateDirectories: true)
        try package.write("App", attributes.joined(separator: " "))
        #expect(package.modelc("compile", "-o", project.file(place)) == 0)
      }
      try build("Old.app", "a")
      try build("New.app", "a")
      try build("New.app/PlugIns/W.appex", "b")
      func findings(_ app: String, against base: String) throws -> [ReleasedProject.Found] {
        try project.check("--against", project.file(base), models: app).found.filter { $0.state == "new" }
      }
      #expect(try findings("New.app", against: "Old.app").map(\.code).sorted() == ["MC2207", "MC7050"])
      let gone = try findings("Old.app", against: "New.app")
      #expect(gone.map(\.code) == ["MC7054"])
      #expect(gone.first?.message.contains("New.app/PlugIns/W.appex/App.momd") == true)
      // The app's model again, in a plug-in, is no finding, whichever app has it.
      try FileManager.default.removeItem(atPath: project.file("New.app/PlugIns"))
      try build("New.app/PlugIns/W.appex", "a")
      #expect(try findings("New.app", against: "Old.app") == [])
      #expect(try findings("Old.app", against: "New.app") == [])
    }
  }

  @Test func `what an app has comes back into the package by the command that is printed`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "a")
      #expect(package.modelc("compile", "-o", project.file("Old.app")) == 0)
      try package.write("App", "b")
      func edits(_ models: String) throws -> [ReleasedProject.Found] {
        try project.check("--against", project.file("Old.app"), models: models).found
          .filter { $0.code == "MC7026" }
      }
      let help = try #require(edits("App.xcdatamodeld").first?.help.last)
      let words = try #require(help.split(separator: "`").last).replacing("'", with: "").split(separator: " ")
        .map(String.init)
      #expect(ModelcCommand.run(words.drop { $0 != "export" } + ["-q"]) == 0, "\(help)")
      #expect(try edits("App.xcdatamodeld") == [])
      // Of an app there is nothing to paste: its source is elsewhere.
      try package.write("App", "b")
      #expect(package.modelc("compile", "-o", project.file("New.app")) == 0)
      #expect(try edits("New.app").first?.help.contains { $0.contains("`") } == false)
    }
  }

  @Test func `two models of one name have a base each`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "title", in: "Models/App.xcdatamodeld")
      func compile() -> Int32 {
        ModelcCommand.run([
          "compile", project.file("Models/App.xcdatamodeld"), "-o", project.file("Models"), "-q",
        ])
      }
      #expect(compile() == 0)
      try project.repository.git("add", "Models/App.momd")
      try project.repository.git("commit", "-qm", "a bundle")
      try package.write("App", "title", "k", in: "Models/App.xcdatamodeld")
      #expect(compile() == 0)
      let found = try project.check("--against", "HEAD").found
      #expect(found.contains { $0.code == "MC7026" && $0.severity == "error" })
    }
  }
}
