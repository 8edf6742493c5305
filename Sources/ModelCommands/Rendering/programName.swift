import Foundation
import ManagedModel

/// How the user called this program, for commands that are to be pasted back: under the package's `.build` it was
/// `swift run`.
let programName: String = {
  let called = CommandLine.arguments.first ?? "modelc"
  let build = FileManager.default.currentDirectoryPath + "/.build/"
  if called.hasPrefix(build) || called.hasPrefix(".build/") { return "swift run modelc" }
  return called.utf8.contains(UInt8(ascii: "/")) ? shellWord(called) : "modelc"
}()

/// As `--version` says it, and the lines of a CI file that pin it.
let programVersion = "0.2.0"
