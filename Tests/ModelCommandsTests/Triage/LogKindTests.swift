import ArgumentParser
import Foundation
import ModelCommands
import StoreRepair
import Testing

/// A log, and the kinds of trouble that it tells of.
struct KindLog: Sendable, CustomTestStringConvertible {
  var kinds: [String]
  var text: String

  var testDescription: String { kinds.joined(separator: " ") }

  static let all: [KindLog] = ("\n" + kindLogs).components(separatedBy: "\n=== ").dropFirst().map { log in
    let parts = log.split(separator: "\n", maxSplits: 1).map(String.init)
    return KindLog(kinds: parts[0].split(separator: " ").map(String.init), text: parts[1])
  }
}

@Suite("Kinds of trouble in logs") struct LogKindTests {
  @Test(arguments: KindLog.all) func `a log tells of its kinds and of no others`(_ log: KindLog) {
    let triage = readLog(Data(log.text.utf8))
    #expect(triage.findings.map(\.kind.name) == log.kinds, "\(triage)")
    #expect(triage.unknownErrors.isEmpty || log.kinds == ["store-not-opened"])
  }

  @Test func `every kind has a log`() {
    let told = Set(KindLog.all.flatMap(\.kinds))
    #expect(Set(logKinds.map(\.name)).subtracting(told).sorted() == [])
    #expect(Set(logKinds.map(\.name)).count == logKinds.count)
    #expect(logKinds.count >= 40)
  }

  @Test func `every kind is told in full, and one error is of two`() {
    for kind in logKinds {
      let isMentioned = ![kind.title, kind.meaning, kind.loss].contains("") && !kind.advice.isEmpty
      #expect(isMentioned && !(kind.errors + kind.together).isEmpty || !kind.phrases.isEmpty, "\(kind.name)")
      #expect(kind.advice.contains { $0.contains("`modelc ") }, "\(kind.name) names no command")
      #expect(kind.codes.allSatisfy { explanation(of: $0) != nil }, "\(kind.name): \(kind.codes)")
    }
    let errors = logKinds.flatMap(\.errors)
    // 134504 is of the store's version, or of the app's: the text says which.
    #expect(Set(errors).count == errors.count - 1)
  }

  @Test func `what each says to type is a command line`() {
    let commands = Set(
      logKinds.flatMap(\.advice).flatMap { advice in
        advice.split(separator: "`").filter { $0.hasPrefix("modelc ") }.map(String.init)
      })
    for command in commands {
      let words = command.split(separator: " ").dropFirst().map(String.init)
      let parsed = try? ModelcCommand.parseAsRoot(words)
      #expect(parsed != nil, "\(command)")
    }
    #expect(commands.count >= 10)
  }

  @Test func `what is no error of a store is none`() {
    for text in [
      "", "\n\n", "everything is fine", "CocoaPods 1.11.3", "2026-11-20 13:41:00 started, code 200",
      "Code=404",
      "Error Domain=NSURLErrorDomain Code=-1009", "NSCocoaErrorDomain: 0x600001f4c180", "Cocoa 13410",
    ] {
      #expect(readLog(Data(text.utf8)).saysNothing, "\(text)")
    }
  }

  @Test func `an unknown number is told as unknown`() {
    let triage = readLog(Data("Error Domain=NSCocoaErrorDomain Code=134999 \"(null)\"".utf8))
    #expect(triage.unknownErrors == [ReportedError(.cocoa, 134_999)])
    #expect(triage.findings.isEmpty)
  }
}

/// Triage of data in one piece.
func readLog(_ data: Data, chunk size: Int = .max) -> LogTriage {
  var rest = data[...]
  return triageLog(kinds: logKinds, systemStores: systemStores) { count in
    let next = rest.prefix(min(count, size))
    rest = rest.dropFirst(next.count)
    return Data(next)
  }
}
