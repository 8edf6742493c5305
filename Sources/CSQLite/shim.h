#ifndef MODELC_CSQLITE_SHIM_H
#define MODELC_CSQLITE_SHIM_H
#include <sqlite3.h>

// sqlite3_db_config and sqlite3_config are variadic, which Swift cannot call.
static inline int modelc_sqlite3_db_config_flag(sqlite3 *connection, int option, int value) {
  return sqlite3_db_config(connection, option, value, (int *)0);
}

static inline int modelc_sqlite3_config_uri(void) {
  return sqlite3_config(SQLITE_CONFIG_URI, 1);
}

#ifdef __linux__
#include <sys/file.h>
#include <sys/xattr.h>

// The C library shows this call only under _GNU_SOURCE, which Swift does not set.
extern long copy_file_range(int from, long long *from_offset, int to, long long *to_offset,
                            unsigned long count, unsigned int flags);

static inline long modelc_copy_file_range(int from, long long *from_offset, int to,
                                          long long *to_offset, long count) {
  return copy_file_range(from, from_offset, to, to_offset, (unsigned long)count, 0);
}
#endif

#endif
