import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Stores of users, and where their schema stands") struct UserStoresTests {
  @Test(arguments: ["V1.swift", "v1:V1.swift", "v1:/V1.swift"])
  func `a file of a revision is called as git calls it`(_ file: String) {
    var version = versionOf("V1", "Trip")
    version.sourceMap = SourceMap(file: file)
    let stores = UserStores(label: "", version: version, revision: "v1", severity: .error)
    #expect(stores.here(ModelSubject()).map { $0.place?.file } == ["v1:V1.swift"])
  }
}
