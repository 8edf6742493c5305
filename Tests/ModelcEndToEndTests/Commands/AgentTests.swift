import Foundation
import TestSupport
import Testing

@Suite("What agents are given") struct AgentTests {
  /// The sample with a store, in a folder beside a file that is nobody's business.
  private func withProject(_ body: (Workplace) throws -> Void) throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "-C", "P", "--rows", "20", "-o", "P/old.sqlite"))
      try place.write("entities: {Hush4711: {}}\n", to: "secret.yaml")
      try FileManager.default.createSymbolicLink(
        at: place.url("P/link.yaml"), withDestinationURL: place.url("secret.yaml"))
      try body(place)
    }
  }

  /// The answers to messages, in their order.
  private func ask(_ place: Workplace, _ messages: [String], ending: String = "\n") throws -> [[String: Any]]
  {
    try place.write(messages.joined(separator: "\n") + ending, to: "messages")
    let run = try Modelc.run(["mcp", "-C", "P"], in: place.folder, input: place.url("messages"))
    #expect(run.code == 0 && run.stderr.isEmpty, "\(run)")
    return try run.stdout.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func call(_ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  private func result(_ answer: [String: Any]) -> (isError: Bool?, texts: [String]) {
    let result = answer["result"] as? [String: Any]
    let content = result?["content"] as? [[String: Any]] ?? []
    return (result?["isError"] as? Bool, content.compactMap { $0["text"] as? String })
  }

  @Test func `each tool gives what the command prints as JSON`() throws {
    try withProject { place in
      let calls = [
        ("diff", #"{"from":"V1","to":"V2"}"#, ["diff", "V1", "V2"]),
        ("inspect", #"{"path":"old.sqlite"}"#, ["inspect", "old.sqlite"]),
        ("explain", #"{"codes":["MC3101","134110"]}"#, ["explain", "MC3101", "134110"]),
        ("versions", "{}", ["version", "list"]),
      ]
      let answers = try ask(place, calls.map { call($0.0, $0.1) })
      try #require(answers.count == calls.count)
      for (answer, (name, _, command)) in zip(answers, calls) {
        let run = try Modelc.run(command + ["--format", "json"], in: place.url("P"))
        let (isError, texts) = result(answer)
        #expect(isError == false && texts.count == 2 && texts.last == "exit code 0: done", "\(name)")
        #expect(
          texts.first?.replacing(/"seconds": [0-9.]+/, with: "")
            == run.stdout.replacing(/"seconds": [0-9.]+/, with: ""))
      }
    }
  }

  @Test func `a path that leads out is refused, also by a link, a revision, or a name with an option in it`()
    throws
  {
    try withProject { place in
      let before = try place.snapshot(".")
      let paths = [
        "/etc/passwd", "../secret.yaml", "link.yaml", "HEAD:../../secret.yaml", "P/../../secret.yaml#secret",
      ]
      let calls =
        paths.map { call("inspect", #"{"path":"\#($0)"}"#) }
        + [
          call("check", #"{"models":"../.."}"#), call("show", #"{"names":["../secret.yaml"]}"#),
          call("show", #"{"names":["V3","/etc/x\u0000"]}"#),
          call("plan", #"{"from":"../secret.yaml","to":"V2"}"#),
          call("diff", #"{"from":"V1","to":"../secret.yaml"}"#),
          call("verify", "{}"),
          call("verify", #"{"store":["old.sqlite"]}"#),
        ]
        + [
          call("verify", #"{"store":"old.sqlite","apply":true}"#), call("nothing", "{}"), call("show", "[]"),
        ]
      let answers = try ask(place, calls)
      #expect(answers.count == calls.count)
      for answer in answers {
        #expect(result(answer).isError == true || answer["error"] != nil, "\(answer)")
        #expect(!"\(answer)".contains("Hush4711"), "\(answer)")
      }
      let options = try ask(place, [call("query", #"{"store":"old.sqlite","query":"--explain"}"#)])
      #expect(options.map { result($0).texts.last } == ["exit code 1: findings"])
      try FileManager.default.removeItem(at: place.url("messages"))
      #expect(try place.snapshot(".") == before)
    }
  }

  @Test func `nonsense is answered as the protocol has it, and a client that closes early ends the server`()
    throws
  {
    try withProject { place in
      let hello = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#
      let messages = [
        "", "nonsense", "[]", "null", #"{"id":1}"#,
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, hello,
        #"{"jsonrpc":"2.0","id":"x","method":"resources/list"}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        String(repeating: "[", count: 100_000), "\u{0}\u{FFFF}", String(repeating: "a", count: 9 << 20),
        hello,
      ]
      let answers = try ask(place, messages, ending: "")
      let codes = answers.map { ($0["error"] as? [String: Any])?["code"] as? Int ?? 0 }
      #expect(codes == [-32700, -32600, -32600, -32600, 0, -32601, 0, -32700, -32700, -32700, 0])
      #expect((answers[4]["result"] as? [String: Any])?["protocolVersion"] as? String == "2025-03-26")
      #expect(try ask(place, [], ending: "").isEmpty)
    }
  }

  @Test func `the skill's commands exist, and AGENTS.md keeps what is in it`() throws {
    try withProject { place in
      let own = "# Our rules\n\nBe kind."
      try place.write(own, to: "P/AGENTS.md")
      expectSuccess(try place.modelc("init", "--agents", "-C", "P"))
      let skill = try String(contentsOf: place.url("P/.agents/skills/modelc/SKILL.md"), encoding: .utf8)
      let agents = try String(contentsOf: place.url("P/AGENTS.md"), encoding: .utf8)
      #expect(
        agents.hasPrefix(own + "\n\n<!-- modelc: begin -->\n") && skill.hasPrefix("---\nname: modelc\n"))
      try place.write(
        agents.replacing("## Core Data", with: "## Old Core Data") + "\nMore.\n", to: "P/AGENTS.md")
      expectSuccess(try place.modelc("init", "--agents", "P"))
      #expect(try String(contentsOf: place.url("P/AGENTS.md"), encoding: .utf8) == agents + "\nMore.\n")
      // A link leads to another agent's file: that one is written, and text that is not UTF-8 is left alone.
      try FileManager.default.moveItem(at: place.url("P/AGENTS.md"), to: place.url("P/CLAUDE.md"))
      try FileManager.default.createSymbolicLink(
        atPath: place.url("P/AGENTS.md").path, withDestinationPath: "CLAUDE.md")
      expectSuccess(try place.modelc("init", "--agents", "P"))
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: place.url("P/AGENTS.md").path)
          == "CLAUDE.md")
      #expect(try String(contentsOf: place.url("P/CLAUDE.md"), encoding: .utf8) == agents + "\nMore.\n")
      try Data([0x66, 0xFC, 0x72]).write(to: place.url("P/CLAUDE.md"))
      expectRefusal(try place.modelc("init", "--agents", "P"), "MC0009", exit: 2)
      #expect(try Data(contentsOf: place.url("P/CLAUDE.md")) == Data([0x66, 0xFC, 0x72]))
      let commands = skill.matches(of: /`modelc ([a-z]+( (list|new))?)/).map { String($0.output.1) }
      #expect(Set(commands).count >= 15)
      for command in Set(commands) {
        let words = command.split(separator: " ").map(String.init)
        #expect(
          try Modelc.run(words + ["--help"], in: place.folder).stdout.contains("USAGE: modelc \(command)"),
          "\(command)")
      }
    }
  }
}
