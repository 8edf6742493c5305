import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("Streams that are closed or full, files that may not grow") struct StandardStreamsTests {
    private static let redirections = [
      ">/dev/full", ">&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full",
    ]

    private func run(_ command: String, _ redirection: String, at place: Workplace) throws -> CommandOutput {
      let line = "cd '\(place.url("T").path)' && '\(Modelc.executable.path)' \(command) \(redirection)"
      return try CommandOutput(of: ["sh", "-c", line])
    }

    @Test(arguments: redirections) func `a result that cannot be written is 6, and no file has it`(
      _ redirection: String
    )
      throws
    {
      try Workplace.withDemo { place, store in
        let before = (try place.snapshot(), try place.snapshot("T"))
        let commands = [
          "--version", "help", "inspect ../\(store)", "plan ../\(store)", "check", "doctor", "diff V1 V2",
          "query ../\(store) Hut", "export ../\(store) --as jsonl",
        ]
        for command in commands {
          let output = try run(command, redirection, at: place)
          #expect(output.code == 6, "\(command) \(redirection): \(output)")
          if !redirection.contains("2>") {
            #expect(output.text.contains("standard output cannot be written"), "\(output.text)")
          }
        }
        #expect(before == (try place.snapshot(), try place.snapshot("T")))
      }
    }

    @Test(arguments: redirections) func `a migration that cannot report is done all the same`(
      _ redirection: String
    ) throws {
      try Workplace.withDemo { place, store in
        let before = try Data(contentsOf: place.url(store))
        #expect(try run("migrate ../\(store)", redirection, at: place).code == 6)
        #expect(try Data(contentsOf: place.url(store + ".V1.backup")) == before)
        expectSuccess(try place.modelc("verify", store, "-C", "T"))
        #expect(try place.modelc("inspect", store, "-C", "T").stdout.contains("V3 of Trails"))
      }
    }

    @Test func `a reader that ends early ends no migration`() throws {
      try Workplace.withDemo { place, store in
        for command in ["plan ../\(store)", "migrate ../\(store)", "export ../\(store) --as jsonl"] {
          let line = "{ sleep 0.2; '\(Modelc.executable.path)' \(command) -C T 2>&1; echo $? > code; } | true"
          _ = try CommandOutput(of: [
            "sh", "-c", "cd '\(place.folder.path)' && " + line.replacing("../", with: ""),
          ])
          #expect(try String(contentsOf: place.url("code"), encoding: .utf8) == "0\n", "\(command)")
        }
        #expect(try place.modelc("inspect", store, "-C", "T").stdout.contains("V3 of Trails"))
      }
    }

    /// What is written there at once is refused for the time being.
    @Test(.needsPython) func `a pipe that does not wait gets all of it`() throws {
      let script = """
        import fcntl, os, subprocess, sys, time
        end, start = os.pipe()
        fcntl.fcntl(start, 1031, 4096)  # F_SETPIPE_SZ
        os.set_blocking(start, False)
        process = subprocess.Popen([sys.argv[1], "help", "--all"], stdout=start)
        os.close(start)
        time.sleep(0.5)
        data = open(end, "rb").read()
        print(process.wait(), len(data))
        """
      let whole = try withTemporaryFolder { try Modelc.run("help", "--all", in: $0) }
      #expect(whole.stdout.utf8.count > 4096, "it fills no pipe")
      let output = try Python.run(["-c", script, Modelc.executable.path])
      #expect(output.text == "0 \(whole.stdout.utf8.count)\n")
    }

    @Test func `a working folder that is gone is told`() throws {
      try withTemporaryFolder { folder in
        for command in ["doctor", "check", "init", "diff V1 HEAD:V1"] {
          let line = "mkdir gone && cd gone && rmdir ../gone && '\(Modelc.executable.path)' \(command)"
          let output = try CommandOutput(of: ["sh", "-c", "cd '\(folder.path)' && " + line])
          #expect(
            output.code == 2 && output.text.hasPrefix("error[MC0009]: the folder that this runs in"),
            "\(command): \(output)")
        }
      }
    }

    /// In blocks of 512 bytes: less than the store, less than what comes of it.
    @Test(arguments: [40, 200, 330]) func `a file that may not grow leaves the store as it was`(_ limit: Int)
      throws
    {
      try Workplace.withDemo { place, store in
        let before = try place.snapshot()
        let line = "ulimit -f \(limit); '\(Modelc.executable.path)' migrate \(store) -C T"
        let output = try CommandOutput(of: ["sh", "-c", "cd '\(place.folder.path)' && " + line])
        #expect(output.code == 4 && output.text.contains("the store is unchanged"), "\(output)")
        #expect(try place.snapshot() == before)
      }
    }
  }
#endif
