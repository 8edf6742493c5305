import ManagedModel
import ModelCommands
import Testing

@Suite("Numbers and tables for people")
struct HumanTextTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (374_411, "374,411"), (-1_234_567, "-1,234,567"),
      (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)])
  func `thousands have a comma`(_ number: Int, _ text: String) {
    #expect(grouped(number) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1049, "1 kB"), (1050, "1.1 kB"), (9949, "9.9 kB"),
      (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (41_200_000, "41 MB"),
      (1_500_000_000, "1.5 GB"),
      (-2048, "-2 kB"), (.max, "9.2 EB"),
    ] as [(Int64, String)])
  func `sizes have two or three digits and a decimal unit`(_ bytes: Int64, _ text: String) {
    #expect(bytes.humanSize == text)
  }

  @Test(
    arguments: [
      (0, "0 ms"), (0.0002, "<1 ms"), (0.004, "4 ms"), (0.0994, "99 ms"), (0.0999, "0.1 s"),
      (0.31, "0.31 s"), (0.9, "0.9 s"), (0.999, "1 s"), (4.25, "4.3 s"), (9.96, "10 s"), (59.4, "59 s"),
      (59.6, "1 min"), (185, "3 min 5 s"), (3600, "1 h"), (7800, "2 h 10 min"), (.infinity, "0 ms"),
    ]
      as [(Double, String)])
  func `durations have the unit that fits`(_ seconds: Double, _ text: String) {
    #expect(seconds.humanDuration == text)
  }

  @Test func `a noun has its plural`() {
    #expect(counted(1, "row") == "1 row")
    #expect(counted(1200, "row") == "1,200 rows")
    #expect(counted(2, "entity", plural: "entities") == "2 entities")
  }

  @Test func `the summary names each severity that occurs`() {
    #expect(summary(of: []) == "no findings")
    let one = Diagnostic(Diagnostic.Code("MC1301"), .warning, "no")
    #expect(summary(of: [one]) == "1 warning")
  }

  @Test func `columns are aligned by what a terminal shows`() {
    let table = TextTable(
      .left, .right, .left, header: ["name", "rows", "table"],
      rows: [["Hut", "1,200", "ZHUT"], ["山小屋", "7", "Z\nX"], ["Person"]])
    #expect(
      table.lines(indent: 2) == [
        "  name     rows  table",
        "  Hut     1,200  ZHUT",
        "  山小屋      7  Z\\nX",
        "  Person",
      ])
  }

  @Test func `prose fits a narrow terminal, and what is to be pasted stays on its line`() {
    let note = "  = help: `modelc release V1 --fixture 1000` keeps stores that are tried"
    #expect(
      note.fitting(40)
        == "  = help:\n    `modelc release V1 --fixture 1000`\n    keeps stores that are tried")
    let pasted = [
      "`mkdir -p Old && git show HEAD:Old > x.new && mv x.new Old/x`", "`cp -Rp Hut.sqlite Kept.sqlite`",
      "`'/Users/me/my tools/modelc' check -C Trails`", "`sqlite3 Hut.sqlite 'PRAGMA integrity_check'`",
    ]
    for command in pasted {
      let help = "  = help: save it first by"
      #expect("\(help) \(command)".fitting(30) == "\(help)\n    \(command)")
    }
    #expect("a\u{A0}b and what follows it".fitting(22) == "a\u{A0}b and what follows\n  it")
    let colored = "\u{1B}[1;31merror[MC7009]:\u{1B}[0m \u{1B}[1mno store\u{1B}[0m"
    let code = ["      name: a line of YAML", "one  two  three", "  1 | hut: {}", "SELECT 1 FROM a;"]
    #expect(colored.fitting(24) == colored)
    for line in code { #expect(line.fitting(8) == line) }
  }
}
