import Foundation
import ManagedModel

/// How the user called this program, for commands to paste. A program in the package's `.build` was called by
/// `swift run`.
let programName: String = {
  let called = CommandLine.arguments.first ?? "modelc"
  let build = FileManager.default.currentDirectoryPath + "/.build/"
  if called.hasPrefix(build) || called.hasPrefix(".build/") { return "swift run modelc" }
  return called.utf8.contains(UInt8(ascii: "/")) ? called.shellWord : "modelc"
}()

/// The version that `--version` prints and that CI files pin.
let programVersion = "0.2.0"
