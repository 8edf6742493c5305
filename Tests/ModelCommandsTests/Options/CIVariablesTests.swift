import Foundation
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Variables in files for CI") struct CIVariablesTests {
  @Test(arguments: [["Pay$App.xcdatamodeld"], ["Pay$App.xcdatamodeld", "Other.xcdatamodeld"]])
  func `a dollar in a package's name is no variable of GitLab's`(packages: [String]) throws {
    try withTemporaryFolder { folder in
      let project = CIProject(
        Project(folder: folder.path), packages: packages, models: nil, hasOwnModelc: false, sha256: nil)
      let (gitHub, gitLab) = (project.files(for: .github)[0].text, project.files(for: .gitlab)[0].text)
      #expect(gitLab.contains("Pay$$App.xcdatamodeld") && gitHub.contains("Pay$App.xcdatamodeld"))
    }
  }
}
