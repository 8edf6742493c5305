import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore
import SwiftDataModels

/// modelc itself, the machine, and the libraries that it runs with.
func programChecks() -> [DoctorCheck] {
  [programCheck(), machineCheck(), sqliteCheck(.current), libraryCheck()]
}

private func programCheck() -> DoctorCheck {
  DoctorCheck(
    "modelc",
    "\(programVersion), built with Swift \(compilerVersion)\(isDebugBuild ? ", for debugging" : "")"
      + (parsesSwift ? ", reads SwiftData" : ", without SwiftData"),
    [
      "version": .string(programVersion), "swift": .string(compilerVersion), "debug": .boolean(isDebugBuild),
      "swiftData": .boolean(parsesSwift),
    ])
}

private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

/// Of the compiler that built this program, as far as it says.
private var compilerVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}

private func machineCheck() -> DoctorCheck {
  let process = ProcessInfo.processInfo
  let (system, kernel, architecture) = (
    process.operatingSystemVersionString, systemName(\.release), systemName(\.machine)
  )
  return DoctorCheck(
    "machine",
    "\(system), \(architecture), \(counted(process.processorCount, "CPU")), "
      + Int64(clamping: process.physicalMemory).humanSize,
    [
      "system": .string(system), "kernel": .string(kernel), "architecture": .string(architecture),
      "processors": JSONValue(process.processorCount),
      "memoryBytes": .integer(Int64(clamping: process.physicalMemory)),
    ])
}

/// A field of uname(2), other than the machine's own name.
private func systemName<Field>(_ field: KeyPath<utsname, Field>) -> String {
  var names = utsname()
  guard unsafe uname(&names) == 0 else { return "unknown" }
  return unsafe withUnsafeBytes(of: names[keyPath: field]) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

private func sqliteCheck(_ facts: SQLiteFacts) -> DoctorCheck {
  var check = DoctorCheck(
    "sqlite", "SQLite \(facts.version)" + (facts.isThreadSafe ? ", thread-safe" : ""),
    [
      "version": .string(facts.version), "threadSafe": .boolean(facts.isThreadSafe),
      "options": JSONValue(facts.options),
    ])
  if !facts.isThreadSafe {
    check.complain(
      .problem, "it was built without threads (THREADSAFE=0)", "install the system's own SQLite library")
  }
  // DROP COLUMN came with 3.35.
  if facts.number < 3_035_000 { check.complain(.problem, "it is too old", "install SQLite 3.35 or later") }
  let omitted = facts.options.filter { $0.hasPrefix("OMIT_") && neededParts.contains($0) }
  if !omitted.isEmpty {
    check.complain(
      .problem, "it lacks \(omitted.joined(separator: ", "))", "install the system's own SQLite library")
  }
  return check
}

/// What a library of SQLite may have been built without, and modelc uses.
private let neededParts: Set = [
  "OMIT_ALTERTABLE", "OMIT_ATTACH", "OMIT_CTE", "OMIT_PRAGMA", "OMIT_SUBQUERY", "OMIT_TRIGGER", "OMIT_VIEW",
  "OMIT_WAL", "OMIT_WINDOWFUNC", "OMIT_INTEGRITY_CHECK", "OMIT_TEMPDB",
]

private func libraryCheck() -> DoctorCheck {
  DoctorCheck(
    "libraries", "libyaml \(libyamlVersion), zlib \(zlibVersionInUse)",
    ["libyaml": .string(libyamlVersion), "zlib": .string(zlibVersionInUse)])
}
