/* Calls of WASI as they are, with arguments that no C library passes: raw; what each returns goes to standard output. */
#include <stdio.h>
#include <string.h>
#include <wasi/api.h>

static char text[8192];
static size_t used;

static void say(const char *name, int result) {
  used += (size_t)snprintf(text + used, sizeof text - used, "%s %d\n", name, result);
}

#define AT(address) ((void *)(uintptr_t)(address))
#define OUTSIDE AT(0xfffffff8u)
#define ROOT 3

static __wasi_errno_t open_at(const char *path, __wasi_oflags_t how, __wasi_rights_t rights, __wasi_fd_t *fd) {
  return __wasi_path_open(ROOT, 1, path, how, rights, 0, 0, fd);
}

static uint8_t bytes[1000];

static void pointers(__wasi_fd_t fd) {
  __wasi_size_t count;
  __wasi_iovec_t outside = {OUTSIDE, 100}, wide = {bytes, 0xffffffffu}, good = {bytes, 10}, empty = {OUTSIDE, 0};
  __wasi_iovec_t pair[2] = {{bytes, 4}, {OUTSIDE, 100}};
  say("read to outside", __wasi_fd_read(fd, &outside, 1, &count));
  say("read too wide", __wasi_fd_read(fd, &wide, 1, &count));
  say("read with a list outside", __wasi_fd_read(fd, OUTSIDE, 2, &count));
  say("read with a count outside", __wasi_fd_read(fd, &good, 1, OUTSIDE));
  say("read with too many pieces", __wasi_fd_read(fd, &good, 0x20000000u, &count));
  say("read of one good and one bad piece", __wasi_fd_read(fd, pair, 2, &count));
  __wasi_filesize_t place;
  say("the cursor has not moved", __wasi_fd_tell(fd, &place) || place);
  say("read of an empty piece outside", __wasi_fd_read(fd, &empty, 1, &count));
  say("read of no pieces", __wasi_fd_read(fd, &good, 0, &count) || count);
  say("write from outside", __wasi_fd_write(fd, (__wasi_ciovec_t *)&outside, 1, &count));
  say("args to outside", __wasi_args_get(OUTSIDE, bytes));
  say("clock to outside", __wasi_clock_time_get(0, 1, OUTSIDE));
  say("random to outside", __wasi_random_get(OUTSIDE, 100));
  say("stat to outside", __wasi_fd_filestat_get(fd, OUTSIDE));
  say("fdstat to outside", __wasi_fd_fdstat_get(fd, OUTSIDE));
  say("readdir to outside", __wasi_fd_readdir(ROOT, OUTSIDE, 100, 0, &count));
  say("prestat to outside", __wasi_fd_prestat_get(ROOT, OUTSIDE));
  say("seek to outside", __wasi_fd_seek(fd, 1, 0, OUTSIDE));
  say("the cursor has not moved", __wasi_fd_tell(fd, &place) || place);
  say("open to outside", __wasi_path_open(ROOT, 1, "f", 0, 2, 0, 0, OUTSIDE));
}

static void rights(void) {
  __wasi_fd_t fd, other;
  __wasi_fdstat_t stat;
  __wasi_size_t count;
  __wasi_filesize_t place;
  __wasi_iovec_t good = {bytes, 10};
  say("open to read", open_at("f", 0, __WASI_RIGHTS_FD_READ | __WASI_RIGHTS_FD_SEEK, &fd));
  say("write", __wasi_fd_write(fd, (__wasi_ciovec_t *)&good, 1, &count));
  say("tell without the right", __wasi_fd_tell(fd, &place));
  say("seek with it", __wasi_fd_seek(fd, 2, __WASI_WHENCE_SET, &place));
  say("seek before the start", __wasi_fd_seek(fd, -3, __WASI_WHENCE_CUR, &place));
  say("seek by a wrong whence", __wasi_fd_seek(fd, 0, 3, &place));
  say("seek beyond all files", __wasi_fd_seek(fd, INT64_MAX, __WASI_WHENCE_SET, &place));
  say("set size", __wasi_fd_filestat_set_size(fd, 1));
  say("fdstat", __wasi_fd_fdstat_get(fd, &stat));
  say(" rights", (int)stat.fs_rights_base);
  say(" type", stat.fs_filetype);
  say("more rights", __wasi_fd_fdstat_set_rights(fd, ~0ull, 0));
  say("fewer rights", __wasi_fd_fdstat_set_rights(fd, __WASI_RIGHTS_FD_SEEK, 0));
  say("read without the right", __wasi_fd_read(fd, &good, 1, &count));
  say("wrong flags", __wasi_fd_fdstat_set_flags(fd, 1 << 6));
  say("open below a file", __wasi_path_open(fd, 1, "f", 0, 2, 0, 0, &other));
  say("close", __wasi_fd_close(fd));
  say("close again", __wasi_fd_close(fd));
  say("close a number that never was", __wasi_fd_close(1000000));
  say("all bits of rights", open_at("f", 0, ~0ull, &fd));
  say("close", __wasi_fd_close(fd));
  say("fewer rights for the root", __wasi_fd_fdstat_set_rights(ROOT, ~0ull & ((1 << 30) - 1) & ~__WASI_RIGHTS_PATH_CREATE_DIRECTORY, 0));
}

static void paths(void) {
  __wasi_fd_t fd;
  __wasi_filestat_t stat;
  static const char *names[] = {"", "/etc/passwd", "..", "../x", "d/../../x", "d/..", "f/", "f/x", ".", "d", "link/x", "link"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    say(names[i], open_at(names[i], 0, __WASI_RIGHTS_FD_READ, &fd));
    say(" stat", __wasi_path_filestat_get(ROOT, 1, names[i], &stat));
  }
  say("invalid UTF-8", open_at("\xff\xfe", 0, 2, &fd));
  static char longest[3000];
  memset(longest, 'a', sizeof longest - 1);
  say("a long path", open_at(longest, 0, 2, &fd));
  say("create and directory", open_at("n", __WASI_OFLAGS_CREAT | __WASI_OFLAGS_DIRECTORY, 2, &fd));
  say("wrong open flags", open_at("f", 1 << 7, 2, &fd));
  say("make in the root's parent", __wasi_path_create_directory(ROOT, "../evil"));
  say("rename out", __wasi_path_rename(ROOT, "f", ROOT, "../f"));
  say("remove the root", __wasi_path_remove_directory(ROOT, "."));
  say("link", __wasi_path_link(ROOT, 0, "f", ROOT, "g"));
  say("symlink", __wasi_path_symlink("f", ROOT, "g"));
  __wasi_size_t count;
  say("readlink of a file", __wasi_path_readlink(ROOT, "f", bytes, 10, &count));
  say("readlink of nothing", __wasi_path_readlink(ROOT, "none", bytes, 10, &count));
  say("times", __wasi_path_filestat_set_times(ROOT, 1, "f", 0, 0, 0));
}

static void directories(void) {
  __wasi_fd_t fd;
  __wasi_size_t count;
  __wasi_dircookie_t cookie = 0;
  int entries = 0;
  say("open a directory", open_at("d", __WASI_OFLAGS_DIRECTORY, __WASI_RIGHTS_FD_READDIR, &fd));
  for (;;) { /* room for one entry at a time: the rest is cut off and asked for again */
    if (__wasi_fd_readdir(fd, bytes, 40, cookie, &count) || count < sizeof(__wasi_dirent_t)) break;
    __wasi_dirent_t entry;
    memcpy(&entry, bytes, sizeof entry);
    if (count < sizeof entry + entry.d_namlen) break;
    if (count < 40 && cookie + 1 != entry.d_next) say("wrong cookie", (int)entry.d_next);
    cookie = entry.d_next;
    entries++;
  }
  say("entries", entries);
  say("a cookie that is none", __wasi_fd_readdir(fd, bytes, 100, 99, &count));
  say("read a directory", __wasi_fd_read(fd, &(__wasi_iovec_t){bytes, 1}, 1, &count));
  say("readdir of a file", open_at("f", 0, 2, &fd) || __wasi_fd_readdir(fd, bytes, 100, 0, &count));
}

static void streams(void) {
  __wasi_size_t count;
  __wasi_filesize_t place;
  __wasi_fdstat_t stat;
  __wasi_iovec_t good = {bytes, 3};
  say("seek in stdin", __wasi_fd_seek(0, 0, 0, &place));
  say("write to stdin", __wasi_fd_write(0, (__wasi_ciovec_t *)&good, 1, &count));
  say("read from stdout", __wasi_fd_read(1, &good, 1, &count));
  say("stdout is no terminal", __wasi_fd_fdstat_get(1, &stat) || stat.fs_filetype);
  say("read 3 of 4 bytes", __wasi_fd_read(0, &good, 1, &count) || count);
  say("read the last", __wasi_fd_read(0, &good, 1, &count) || count);
  say("read the end", __wasi_fd_read(0, &good, 1, &count) || count);
  __wasi_subscription_t both[2] = {{.userdata = 7, .u = {.tag = __WASI_EVENTTYPE_FD_READ, .u.fd_read = {0}}},
                                   {.userdata = 8, .u = {.tag = __WASI_EVENTTYPE_CLOCK, .u.clock = {1, 10000000000ull, 0, 0}}}};
  __wasi_event_t events[2];
  say("poll", __wasi_poll_oneoff(both, events, 2, &count));
  say(" events", (int)count);
  say(" userdata", (int)events[0].userdata);
  say(" hangup", events[0].fd_readwrite.flags);
  both[0].u.u.fd_read.file_descriptor = 77;
  say("poll a closed descriptor", __wasi_poll_oneoff(both, events, 2, &count) || events[0].error);
  say("poll nothing", __wasi_poll_oneoff(both, events, 0, &count));
  both[0] = both[1];
  both[0].u.u.clock.id = 9;
  say("poll a clock that is none", __wasi_poll_oneoff(both, events, 1, &count) || events[0].error);
}

static void others(void) {
  __wasi_timestamp_t time;
  __wasi_fd_t a = 0, b = 0;
  __wasi_size_t count;
  say("a clock that is none", __wasi_clock_time_get(9, 0, &time));
  say("the time of the processor", __wasi_clock_time_get(2, 0, &time));
  say("resolution", __wasi_clock_res_get(1, &time) || time == 0);
  say("this century", __wasi_clock_time_get(0, 0, &time) || time < 1600000000000000000ull);
  say("yield", __wasi_sched_yield());
  say("socket", __wasi_sock_shutdown(3, 0));
  memset(bytes, 0, sizeof bytes);
  say("random", __wasi_random_get(bytes, sizeof bytes));
  int different = 0;
  for (int i = 1; i < 1000; i++) different += bytes[i] != bytes[0];
  say(" is random", different > 900);
  say("open two", open_at("f", 0, 2, &a) || open_at("f", 0, 2, &b));
  say("renumber", __wasi_fd_renumber(a, b));
  say(" the first is gone", __wasi_fd_close(a));
  say(" the second is there", __wasi_fd_read(b, &(__wasi_iovec_t){bytes, 1}, 1, &count));
  say("renumber to a closed one", __wasi_fd_renumber(b, 500));
  say("advise", __wasi_fd_advise(b, 0, 0, 3));
  say("prestat of a file", __wasi_fd_prestat_get(b, (__wasi_prestat_t *)bytes));
  say("a short name of the root", __wasi_fd_prestat_dir_name(ROOT, bytes, 0));
  while (open_at("f", 0, 2, &a) == 0 && a < 5000) {}
  say("too many descriptors", open_at("f", 0, 2, &a));
}

int main(void) {
  __wasi_fd_t fd;
  say("open", open_at("f", 0, ~0ull, &fd));
  pointers(fd);
  paths();
  directories();
  streams();
  rights();
  others();
  fwrite(text, 1, used, stdout);
  return 0;
}
