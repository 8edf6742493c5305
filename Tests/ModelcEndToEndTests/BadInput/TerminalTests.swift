import Foundation
import GRDB
import TestSupport
import Testing

@Suite("What reaches the terminal") struct TerminalTests {
  private static let evil = "\u{1B}[31m\u{9B}2J\u{202E}\u{2066}\u{7F}\r\u{7}\u{85}"

  private func expectHarmless(_ run: Modelc.Run, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = run.stdout + run.stderr
    let steering = text.unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
          || (0x2066...0x2069).contains(scalar.value))
    }
    #expect(steering.isEmpty, "\(run.arguments): \(steering.map(\.value))", sourceLocation: sourceLocation)
    #expect(
      !text.unicodeScalars.split(separator: "\n").contains { String($0).hasPrefix("error: forged") },
      sourceLocation: sourceLocation)
  }

  @Test func `names of files, views and triggers move no cursor`() throws {
    try Workplace.withDemo { place, store in
      let path = "stores/\(Self.evil)\nerror: forged.sqlite"
      try FileManager.default.moveItem(at: place.url(store), to: place.url(path))
      for arguments in [
        ["inspect", path], ["plan", path], ["plan", "--sql", path], ["verify", path],
        ["migrate", "-n", path],
        ["recover", path], ["inspect", path + "x"], ["plan", path, "--to", Self.evil], ["migrate", path],
        ["migrate", path], ["plan", path], ["inspect", path, "--format", "json"],
        ["verify", path, "--format", "json"],
      ] {
        expectHarmless(try Modelc.run(arguments + ["-C", "T"], in: place.folder))
      }
    }
    try Workplace.withDemo { place, store in
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE VIEW "v\(Self.evil)" AS SELECT 1;
            CREATE TRIGGER "t\(Self.evil)" AFTER UPDATE ON ZHUT BEGIN SELECT '\(Self.evil)'; END;
            CREATE INDEX "i\(Self.evil)" ON ZHUT (ZNAME)
            """)
      }
      try queue.close()
      for arguments in [
        ["inspect", store], ["plan", store, "--sql"], ["verify", store], ["migrate", "-n", store],
      ] {
        expectHarmless(try Modelc.run(arguments + ["-C", "T"], in: place.folder))
      }
    }
  }

  /// Runs a program on a terminal of 60 columns.
  private static let narrow = """
    import fcntl, os, pty, struct, sys, termios
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 60, 0, 0))
        for name in ('NO_COLOR', 'COLUMNS'): os.environ.pop(name, None)
        os.execve(sys.argv[1], sys.argv[1:], dict(os.environ, TERM='xterm'))
    while True:
        try: data = os.read(terminal, 65536)
        except OSError: break
        if not data: break
        sys.stdout.buffer.write(data)
    """

  @Test(.needsPython) func `on a terminal findings fit and have colors, and a report in a file has none`()
    throws
  {
    try Workplace.withDemo { place, _ in
      let arguments = ["check", "-C", "T", "--all", "--report", "text=report.txt"]
      let process = Python.process(["-c", Self.narrow, Modelc.executable.path] + arguments)
      process.currentDirectoryURL = place.folder
      let shown = try CommandOutput(of: process).text
      #expect(shown.contains("\u{1B}[1m"), "\(shown)")
      let plain = shown.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").split(whereSeparator: \.isNewline)
      let helps = plain.filter { $0.contains("= help:") }
      #expect(!helps.isEmpty && helps.allSatisfy { $0.count <= 60 || $0.contains("`") }, "\(shown)")
      let report = try String(contentsOf: place.url("report.txt"), encoding: .utf8)
      #expect(report.contains("MC70") && !report.contains("\u{1B}"))
    }
  }

  @Test func `arguments and models move no cursor`() throws {
    try Workplace.withDemo { place, _ in
      let evil = Self.evil + "\nerror: forged"
      for arguments in [
        ["--\(evil)"], [evil], ["diff", evil, "V1", "-C", "T"], ["explain", evil],
        ["inspect", "\(evil).momd"],
        ["migrate", "x", "--route", evil], ["init", "--model", evil], ["check", "-C", evil],
        ["diff", "HEAD:\(evil)", "V1"], ["compile", evil, "-C", "T"], ["version", "new", evil, "-C", "T"],
      ] {
        expectHarmless(try Modelc.run(arguments, in: place.folder))
      }
      let text =
        "entities: {\"A\\e[31m\\u202e\\nerror: forged\": {attributes: {x: \"\\u009b\"}}} # \u{202E}\u{9B}\n"
      try place.write(text, to: "T/Models/Trails/V3.yaml")
      for format in ["text", "json", "github", "junit", "markdown", "sarif", "gitlab"] {
        expectHarmless(try Modelc.run("check", "-C", "T", "--format", format, in: place.folder))
      }
      for arguments in [["compile"], ["version", "list"], ["diff", "V2", "V3"]] {
        expectHarmless(try Modelc.run(arguments + ["-C", "T"], in: place.folder))
      }
    }
  }
}
