// modelc-faults: runs a command, numbers the calls by which it changes files below one folder, and lets one of them
// come to grief: the process is killed instead of it, or it fails, or writes half.
//
//   modelc-faults --below FOLDER --log FILE [--at NUMBER --do FAULT] -- COMMAND…
//
// A FAULT is kill, short, EIO, ENOSPC, EDQUOT, EACCES, or one of SIGINT, SIGTERM and SIGHUP, which the process gets
// while the call passes.
//
// The calls are seen where they enter the kernel (ptrace(2), seccomp(2)), so none is missed, whichever library makes
// it, and the command is the very binary that users run. The log has a line for each: number, name, path. A full disk
// stays full: after ENOSPC, EDQUOT and a short write every later call that takes room fails too, but not one that writes
// where the file has its blocks already, or makes an empty file. Exits as the command does; with 128 and the signal's
// number where it was killed.
#define _GNU_SOURCE
#include <stdio.h>

#ifndef __linux__
int main(void) {
  fprintf(stderr, "modelc-faults: system calls can be traced on Linux only\n");
  return 2;
}
#else
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// What a call says of the file it changes.
enum argument { DESCRIPTOR, PATH, FOLDER_AND_PATH };

struct call {
  long number;
  const char *name;
  enum argument argument;
  int index;      // of the descriptor, the path, or the folder before it
  int takesRoom;  // whether a full disk refuses it
  int count;      // index of the argument with the number of bytes, or -1
};

static const struct call calls[] = {
    {SYS_write, "write", DESCRIPTOR, 0, 1, 2},
    {SYS_pwrite64, "pwrite", DESCRIPTOR, 0, 1, 2},
    {SYS_writev, "writev", DESCRIPTOR, 0, 1, -1},
    {SYS_pwritev, "pwritev", DESCRIPTOR, 0, 1, -1},
    {SYS_sendfile, "sendfile", DESCRIPTOR, 0, 1, 3},
    {SYS_copy_file_range, "copy_file_range", DESCRIPTOR, 2, 1, 4},
    {SYS_fallocate, "fallocate", DESCRIPTOR, 0, 1, -1},
    {SYS_ftruncate, "ftruncate", DESCRIPTOR, 0, 0, -1},
    {SYS_fsync, "fsync", DESCRIPTOR, 0, 0, -1},
    {SYS_fdatasync, "fdatasync", DESCRIPTOR, 0, 0, -1},
    {SYS_fchmod, "fchmod", DESCRIPTOR, 0, 0, -1},
    {SYS_fchown, "fchown", DESCRIPTOR, 0, 0, -1},
    {SYS_fsetxattr, "fsetxattr", DESCRIPTOR, 0, 1, -1},
    {SYS_utimensat, "utimensat", FOLDER_AND_PATH, 0, 0, -1},
    {SYS_openat, "open", FOLDER_AND_PATH, 0, 1, -1},
    {SYS_mkdirat, "mkdir", FOLDER_AND_PATH, 0, 1, -1},
    {SYS_unlinkat, "unlink", FOLDER_AND_PATH, 0, 0, -1},
    {SYS_renameat2, "rename", FOLDER_AND_PATH, 0, 0, -1},
    {SYS_linkat, "link", FOLDER_AND_PATH, 2, 1, -1},
    {SYS_fchmodat, "chmod", FOLDER_AND_PATH, 0, 0, -1},
    {SYS_fchownat, "chown", FOLDER_AND_PATH, 0, 0, -1},
#ifdef SYS_open
    {SYS_open, "open", PATH, 0, 1, -1},
    {SYS_creat, "creat", PATH, 0, 1, -1},
    {SYS_mkdir, "mkdir", PATH, 0, 1, -1},
    {SYS_rmdir, "rmdir", PATH, 0, 0, -1},
    {SYS_unlink, "unlink", PATH, 0, 0, -1},
    {SYS_rename, "rename", PATH, 0, 0, -1},
    {SYS_link, "link", PATH, 1, 1, -1},
    {SYS_chmod, "chmod", PATH, 0, 0, -1},
    {SYS_chown, "chown", PATH, 0, 0, -1},
    {SYS_truncate, "truncate", PATH, 0, 0, -1},
#endif
#ifdef SYS_renameat
    {SYS_renameat, "rename", FOLDER_AND_PATH, 0, 0, -1},
#endif
};
// As ptrace(2) has it; C libraries disagree about its name.
struct syscallStop {
  unsigned char kind;
  unsigned char padding[3];
  unsigned architecture;
  unsigned long long instruction, stack;
  unsigned long long number;
  unsigned long long arguments[6];
  unsigned data;
};
static const int getSyscallStop = 0x420e;

enum { callCount = sizeof calls / sizeof *calls };

static const char *folder;
static size_t folderLength;

static void fail(const char *what) {
  perror(what);
  exit(70);
}

static void watch(void) {
  struct sock_filter filter[2 + 2 * callCount];
  int length = 0;
  filter[length++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < callCount; i++) {
    filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = (unsigned short)length, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    fail("seccomp");
}

static void start(char **command) {
  if (ptrace(PTRACE_TRACEME, 0, 0, 0)) fail("ptrace");
  raise(SIGSTOP);
  watch();
  execvp(command[0], command);
  fail(command[0]);
}

// A text in the process's memory, up to a page's end at a time.
static void readText(pid_t process, unsigned long long address, char *text, size_t size) {
  size_t filled = 0;
  while (filled + 1 < size) {
    size_t count = 4096 - (address + filled) % 4096;
    if (count > size - 1 - filled) count = size - 1 - filled;
    struct iovec own = {text + filled, count}, other = {(void *)(address + filled), count};
    ssize_t done = process_vm_readv(process, &own, 1, &other, 1, 0);
    if (done <= 0) break;
    if (memchr(text + filled, 0, (size_t)done)) return;
    filled += (size_t)done;
  }
  text[filled] = 0;
}

static void readDescriptor(pid_t process, int descriptor, char *path, size_t size) {
  char link[64];
  if (descriptor == AT_FDCWD)
    snprintf(link, sizeof link, "/proc/%d/cwd", process);
  else
    snprintf(link, sizeof link, "/proc/%d/fd/%d", process, descriptor);
  ssize_t length = readlink(link, path, size - 1);
  path[length < 0 ? 0 : length] = 0;
}

static void findPath(pid_t process, const struct call *call, const unsigned long long *arguments, char *path, size_t size) {
  path[0] = 0;
  if (call->argument == DESCRIPTOR) return readDescriptor(process, (int)arguments[call->index], path, size);
  int index = call->argument == PATH ? call->index : call->index + 1;
  char name[PATH_MAX] = "";
  if (arguments[index]) readText(process, arguments[index], name, sizeof name);
  if (name[0] == '/') {
    snprintf(path, size, "%s", name);
    return;
  }
  readDescriptor(
      process, call->argument == PATH ? AT_FDCWD : (int)arguments[call->index], path, size);
  size_t length = strlen(path);
  if (name[0]) snprintf(path + length, size - length, "/%s", name);
}

// Whether a call changes something below the folder.
static int concerns(const struct call *call, const unsigned long long *arguments, const char *path) {
  if (strncmp(path, folder, folderLength) || (path[folderLength] && path[folderLength] != '/')) return 0;
  if (strcmp(call->name, "open")) return 1;
  int flags = (int)arguments[call->argument == PATH ? 1 : 2];
  return (flags & (O_CREAT | O_TRUNC)) || (flags & O_ACCMODE) != O_RDONLY;
}

#if defined(__x86_64__)
static void skip(pid_t process, int error) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, process, 0, &registers)) fail("registers");
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)-error;
  if (ptrace(PTRACE_SETREGS, process, 0, &registers)) fail("registers");
}

static void setArgument(pid_t process, int index, unsigned long long value) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, process, 0, &registers)) fail("registers");
  unsigned long long *const arguments[] = {&registers.rdi, &registers.rsi, &registers.rdx,
                                           &registers.r10, &registers.r8,  &registers.r9};
  *arguments[index] = value;
  if (ptrace(PTRACE_SETREGS, process, 0, &registers)) fail("registers");
}
#elif defined(__aarch64__)
static void changeRegister(pid_t process, int index, unsigned long long value) {
  struct user_regs_struct registers;
  struct iovec all = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, process, (void *)NT_PRSTATUS, &all)) fail("registers");
  registers.regs[index] = value;
  if (ptrace(PTRACE_SETREGSET, process, (void *)NT_PRSTATUS, &all)) fail("registers");
}

static void setArgument(pid_t process, int index, unsigned long long value) {
  changeRegister(process, index, value);
}

static void skip(pid_t process, int error) {
  int none = -1;
  struct iovec number = {&none, sizeof none};
  if (ptrace(PTRACE_SETREGSET, process, (void *)NT_ARM_SYSTEM_CALL, &number)) fail("registers");
  changeRegister(process, 0, (unsigned long long)-error);
}
#else
#error "the registers of this processor are not known here"
#endif

static int errorNamed(const char *name) {
  if (!strcmp(name, "EIO")) return EIO;
  if (!strcmp(name, "ENOSPC")) return ENOSPC;
  if (!strcmp(name, "EDQUOT")) return EDQUOT;
  if (!strcmp(name, "EACCES")) return EACCES;
  return 0;
}

static int signalNamed(const char *name) {
  if (!strcmp(name, "SIGINT")) return SIGINT;
  if (!strcmp(name, "SIGTERM")) return SIGTERM;
  if (!strcmp(name, "SIGHUP")) return SIGHUP;
  return 0;
}

static FILE *logFile;
static long wanted = -1, seen = 0;
static const char *action = "";
static int isFull = 0;  // the error that every call gets that takes room

// Whether a call writes within the file's length; a file without holes has its blocks there.
static int overwrites(const struct call *call, const unsigned long long *arguments, const char *path) {
  struct stat status;
  return call->number == SYS_pwrite64 && !stat(path, &status) &&
         arguments[3] + arguments[2] <= (unsigned long long)status.st_size;
}

// The process stands before a call; lets it pass, or not.
static void judge(pid_t process, pid_t main) {
  struct syscallStop info;
  if (ptrace(getSyscallStop, process, (void *)sizeof info, &info) < 0) fail("ptrace");
  const struct call *call = 0;
  for (int i = 0; i < callCount; i++)
    if (calls[i].number == (long)info.number) call = &calls[i];
  char path[2 * PATH_MAX];
  if (!call) return;
  findPath(process, call, info.arguments, path, sizeof path);
  if (!concerns(call, info.arguments, path)) return;
  seen++;
  fprintf(logFile, "%ld %s %s\n", seen, call->name, path);
  int takesRoom = call->takesRoom && strcmp(call->name, "open") && !overwrites(call, info.arguments, path);
  if (seen != wanted) {
    if (isFull && takesRoom) skip(process, isFull);
    return;
  }
  if (!strcmp(action, "kill")) {
    kill(main, SIGKILL);
  } else if (signalNamed(action)) {
    kill(main, signalNamed(action));
  } else if (!strcmp(action, "short")) {
    isFull = ENOSPC;
    if (call->count >= 0 && info.arguments[call->count] > 1)
      setArgument(process, call->count, info.arguments[call->count] / 2);
    else
      skip(process, ENOSPC);
  } else {
    int error = errorNamed(action);
    if (error == ENOSPC || error == EDQUOT) isFull = error;
    skip(process, error);
  }
}

static int trace(pid_t main) {
  int status;
  if (waitpid(main, &status, 0) != main || !WIFSTOPPED(status)) fail("waitpid");
  long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, main, 0, options)) fail("ptrace");
  ptrace(PTRACE_CONT, main, 0, 0);
  for (;;) {
    pid_t process = waitpid(-1, &status, __WALL);
    if (process < 0) fail("waitpid");
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (process != main) continue;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int signal = WSTOPSIG(status);
    int event = status >> 16;
    if (event == PTRACE_EVENT_SECCOMP) judge(process, main);
    // Stops that tracing itself causes are none of the process's signals.
    if (event || signal == SIGSTOP || signal == SIGTRAP) signal = 0;
    ptrace(PTRACE_CONT, process, 0, (void *)(long)signal);
  }
}

int main(int count, char **arguments) {
  int index = 1;
  const char *logPath = 0;
  for (; index + 1 < count && strcmp(arguments[index], "--"); index += 2) {
    const char *value = arguments[index + 1];
    if (!strcmp(arguments[index], "--below")) folder = value;
    else if (!strcmp(arguments[index], "--log")) logPath = value;
    else if (!strcmp(arguments[index], "--at")) wanted = atol(value);
    else if (!strcmp(arguments[index], "--do")) action = value;
    else break;
  }
  int isKnown = wanted < 0 || !strcmp(action, "kill") || !strcmp(action, "short") || errorNamed(action) ||
                signalNamed(action);
  if (!folder || !logPath || !isKnown || index + 1 >= count || strcmp(arguments[index], "--")) {
    fprintf(
        stderr,
        "usage: modelc-faults --below FOLDER --log FILE [--at NUMBER --do FAULT] -- COMMAND…\n"
        "FAULT: kill, short, EIO, ENOSPC, EDQUOT, EACCES, SIGINT, SIGTERM, SIGHUP\n");
    return 2;
  }
  folderLength = strlen(folder);
  if (!(logFile = fopen(logPath, "we"))) fail(logPath);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) start(arguments + index + 1);
  int code = trace(child);
  fclose(logFile);
  return code;
}
#endif
