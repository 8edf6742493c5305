import Foundation
import TestSupport
import Testing

/// What git-lfs leaves where a file was not fetched.
@Suite("Pointers of git-lfs")
struct LargeFilePointerTests {
  private let pointer = """
    version https://git-lfs.github.com/spec/v1
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

    """

  @Test(
    arguments: [
      ("App.xcdatamodeld/App.xcdatamodel/contents", ["inspect", "App.xcdatamodeld"], "MC0202", 1),
      ("App.momd/App.mom", ["inspect", "App.momd"], "MC0202", 1),
      ("App.momd/VersionInfo.plist", ["inspect", "App.momd"], "MC0202", 1),
      ("App.mom", ["inspect", "App.mom"], "MC0202", 1),
      ("Models/App/versions.yaml", ["compile"], "MC0202", 1),
      ("Models/App/V1.yaml", ["compile"], "MC0202", 1),
      ("Store.sqlite", ["inspect", "Store.sqlite"], "MC5001", 3),
      ("Store.sqlite", ["migrate", "Store.sqlite"], "MC5001", 3),
    ] as [(String, [String], String, Int32)])
  func `a pointer is told from the file`(
    _ path: String, _ arguments: [String], _ code: String, _ exit: Int32
  ) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try place.write("entities: {A: {}}\n", to: "Models/App/V1.yaml")
      try place.write(pointer, to: path)
      let run = try Modelc.run(arguments, in: folder)
      expectRefusal(run, code, exit: exit)
      #expect(run.stderr.contains("git-lfs") && run.stderr.contains(#/`git (-C \. )?lfs pull`/#), "\(run)")
    }
  }
}
