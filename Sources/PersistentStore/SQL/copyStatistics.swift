package import GRDB

/// Takes over what `ANALYZE` once found about the tables of the attached source, where it was run.
package func copyStatistics(in db: Database) throws {
  let found = try Row.fetchOne(db, sql: "SELECT 1 FROM source.sqlite_master WHERE name = 'sqlite_stat1'")
  guard found != nil else { return }
  // The table cannot be made by name; this makes it, and looks at nothing.
  try db.execute(sql: "ANALYZE main.sqlite_master")
  try db.execute(
    sql: """
      INSERT INTO main.sqlite_stat1 SELECT * FROM source.sqlite_stat1
      WHERE tbl IN (SELECT name FROM main.sqlite_master)
      """)
}
