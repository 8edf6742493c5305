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
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// The C library shows this call only under _GNU_SOURCE, which Swift does not set.
extern long copy_file_range(int from, long long *from_offset, int to, long long *to_offset,
                            unsigned long count, unsigned int flags);

static inline long modelc_copy_file_range(int from, long long *from_offset, int to,
                                          long long *to_offset, long count) {
  return copy_file_range(from, from_offset, to, to_offset, (unsigned long)count, 0);
}

// The number by which Linux knows a kind of file system (statfs(2)); 0 where it says none.
static inline long modelc_file_system_number(const char *path) {
  struct statfs information;
  return statfs(path, &information) == 0 ? (long)information.f_type : 0;
}

// Lets a file share another one's blocks (ioctl_ficlone(2)); <linux/fs.h> cannot stand beside <sys/mount.h>.
static inline int modelc_clone_file(int source, int target) {
  return ioctl(target, _IOW(0x94, 9, int), source);
}
#endif

#endif
