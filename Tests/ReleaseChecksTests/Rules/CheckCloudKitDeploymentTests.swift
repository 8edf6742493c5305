import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("What CloudKit's schema needs before a release") struct CheckCloudKitDeploymentTests {
  private func findings(_ notes: [String], base: [String]? = nil, profile: ModelProfile? = .cloudKit)
    -> [String]
  {
    func model(_ notes: [String]) -> VersionedModel {
      var versions = versionsOf(notes)
      if let profile { for index in versions.indices { versions[index].setProfile(profile) } }
      return VersionedModel(name: "Huts", versions: versions, currentVersionName: "V\(notes.count)")
    }
    var subject = CheckedModel(path: "/nowhere/Huts", model: model(notes), diagnostics: [])
    subject.base = base.map {
      BaseModel(name: "main", path: "/nowhere/Huts", model: model($0), diagnostics: [], lockText: nil)
    }
    return subject.checkCloudKitDeployment().flatMap(\.findings).flatMap { finding in
      ["\(finding.code) \(finding.severity)"] + finding.notes.map(\.message) + finding.help
    }
  }

  @Test func `is told of the step, or since the base`() {
    let (v1, v2, v3) = ("Hut", "Hut\n  a: string?", "Hut\n  a: string?\nArea\n  b: date?")
    #expect(
      findings([v1, v2, v3]) == [
        "MC7045 information", "deploy CD_Area before this release",
        "`modelc export --as ckdb Huts/V2-Huts/V3` writes them",
      ])
    #expect(
      findings([v1, v2, v3], base: [v1]) == [
        "MC7045 information", "deploy CD_Area before this release", "deploy CD_Hut.CD_a before this release",
        "`modelc export --as ckdb Huts/V3` writes all of it",
      ])
    #expect(findings([v1, v2, v3], base: [v1, v2, v3]) == [])
    #expect(findings([v1, v2], profile: nil) == [] && findings([v2]) == [] && findings([v2, v1]) == [])
  }

  @Test func `names twenty of many`() {
    let many = "Hut\n" + (1...30).map { "  a\($0): date?\n" }.joined()
    let told = findings(["Hut", many])
    #expect(told.count == 23 && told[21] == "and 10 more")
  }
}
