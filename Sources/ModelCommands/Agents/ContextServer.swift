import Foundation
import ManagedModel

/// A server of the Model Context Protocol over standard input and output: a line of JSON-RPC for each message.
///
/// Each call runs this program again with one of the questions' commands, so that a crash, a wrong model or a long query is
/// that call's own. Specification: modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25.
struct ContextServer {
  /// Options of the project that every call has.
  let options: [String]
  /// Where commands run.
  let folder: String
  /// Which no path of a client's may leave; absolute, links followed.
  let top: String
  let program: URL

  private static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  private static let longestMessage = 8 << 20
  private static let longestResult = 8 << 20

  /// Answers until the client closes its end.
  func run() {
    var lines = LineReader(of: STDIN_FILENO, limit: Self.longestMessage)
    while let line = lines.next() {
      guard let line else {
        send(.failure(nil, -32700, "the message has more than \(Self.longestMessage) bytes"))
        continue
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      if let answer = answer(to: Data(line)) { send(answer) }
    }
  }

  private func send(_ answer: JSONValue) {
    writeTerminal(answer.compact + "\n", to: .standardOutput, isData: true)
  }

  /// - Returns: nil for a notification, which has no answer.
  func answer(to message: Data) -> JSONValue? {
    guard let request = try? JSONDecoder().decode(JSONValue.self, from: message) else {
      return .failure(nil, -32700, "the message is not JSON")
    }
    guard case .object = request, request["jsonrpc"] == "2.0", case .string(let method)? = request["method"]
    else { return .failure(request["id"], -32600, "the message is not a request of JSON-RPC 2.0") }
    guard let id = request["id"], id != .null else { return nil }
    let parameters = request["params"] ?? [:]
    switch method {
    case "initialize": return .success(id, greeting(parameters))
    case "ping": return .success(id, [:])
    case "tools/list": return .success(id, ["tools": .array(AgentQuestion.all.map(\.tool))])
    case "tools/call":
      guard case .string(let name)? = parameters["name"],
        let question = AgentQuestion.all.first(where: { $0.name == name })
      else { return .failure(id, -32602, "there is no such tool; `tools/list` has them") }
      return .success(id, call(question, parameters["arguments"] ?? [:]))
    default: return .failure(id, -32601, "modelc has no '\(method)'")
    }
  }

  private func greeting(_ parameters: JSONValue) -> JSONValue {
    var revision = Self.revisions[0]
    if case .string(let asked)? = parameters["protocolVersion"], Self.revisions.contains(asked) {
      revision = asked
    }
    return [
      "protocolVersion": .string(revision), "capabilities": ["tools": [:]],
      "serverInfo": ["name": "modelc", "version": .string(programVersion)],
      "instructions": """
      Answers questions about Core Data and SwiftData models and stores of one project; writes nothing. Exit codes: \
      0 done, 1 findings, others a refusal.
      """,
    ]
  }

  private func call(_ question: AgentQuestion, _ given: JSONValue) -> JSONValue {
    do throws(ToolRefusal) {
      guard case .object(let members) = given else { throw ToolRefusal("'arguments' is an object") }
      let values = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
      var (arguments, input) = try question.arguments(values, isInside: isInside)
      let own = values["models"] == nil ? options : Array(options.prefix { $0 != "--models" })
      if question.isOfProject { arguments.insert(contentsOf: own, at: question.command.count) }
      return try run(arguments, input)
    } catch {
      return Self.content([error.reason], isError: true)
    }
  }

  private func run(_ arguments: [String], _ input: String) throws(ToolRefusal) -> JSONValue {
    do {
      return try withTemporaryFolder("mcp") { folder in
        let names = ["in", "out", "err"].map { folder.url.appending(path: $0) }
        try Data(input.utf8).write(to: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        let process = Process()
        (process.executableURL, process.arguments) = (program, arguments)
        process.currentDirectoryURL = URL(filePath: self.folder, directoryHint: .isDirectory)
        let handles =
          [try FileHandle(forReadingFrom: names[0])]
          + (try names.dropFirst().map(FileHandle.init(forWritingTo:)))
        defer { for handle in handles { try? handle.close() } }
        (process.standardInput, process.standardOutput, process.standardError) = (
          handles[0], handles[1], handles[2]
        )
        try process.run()
        process.waitUntilExit()
        let code = process.terminationStatus
        if process.terminationReason == .uncaughtSignal {
          throw ToolRefusal("modelc was stopped by the signal \(code)")
        }
        guard let size = FileFacts(ofFileAt: names[1].path)?.size, size <= Self.longestResult else {
          throw ToolRefusal("the result has more than \(Self.longestResult) bytes: make the request smaller")
        }
        let output = String(decoding: try Data(contentsOf: names[1]), as: UTF8.self)
        let errors = String(decoding: try Data(contentsOf: names[2]).prefix(64 << 10), as: UTF8.self)
        let meaning = exitCodes.first { $0.code == Int(code) }?.meaning ?? "unknown"
        return Self.content(
          [output.isEmpty ? errors : output, "exit code \(code): \(meaning)"], isError: code > 1)
      }
    } catch let refusal as ToolRefusal {
      throw refusal
    } catch {
      throw ToolRefusal("modelc could not be run: \(systemReason(of: error))")
    }
  }

  private static func content(_ texts: [String], isError: Bool) -> JSONValue {
    ["content": .array(texts.map { ["type": "text", "text": .string($0)] }), "isError": .boolean(isError)]
  }

  /// Whether an argument leads to nothing outside of the project. What is not a path there, a version or a revision, is
  /// looked up by the command, which does not leave the project for it.
  func isInside(_ argument: String) -> Bool {
    let path =
      argument.split(separator: "#", omittingEmptySubsequences: false).first.map(String.init) ?? argument
    // Of `REV:path` git keeps the path in the repository; a path of the same form is looked at all the same.
    let places = [path, path.split(separator: ":", maxSplits: 1).last.map(String.init) ?? path]
    let base = URL(filePath: folder, directoryHint: .isDirectory)
    return places.allSatisfy { place in
      let whole = URL(filePath: place, relativeTo: base).standardizedFileURL.resolvingSymlinksInPath().path
      return whole == top || whole.hasPrefix(top.hasSuffix("/") ? top : top + "/")
    }
  }
}

extension JSONValue: Decodable {
  fileprivate static func success(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  fileprivate static func failure(_ id: JSONValue?, _ code: Int64, _ message: String) -> JSONValue {
    ["jsonrpc": "2.0", "id": id ?? .null, "error": ["code": .integer(code), "message": .string(message)]]
  }

  /// Reads any JSON; the decoder bounds how deep it nests.
  package init(from decoder: any Decoder) throws {
    if let members = try? [String: JSONValue](from: decoder) {
      self = .object(members.map { Member($0.key, $0.value) })
    } else if let elements = try? [JSONValue](from: decoder) {
      self = .array(elements)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let truth = try? value.decode(Bool.self) {
        self = .boolean(truth)
      } else if let number = try? value.decode(Int64.self) {
        self = .integer(number)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .string(try value.decode(String.self))
      }
    }
  }
}
