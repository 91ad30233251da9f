/*
 * Random operations on files and directories, from a seed: what each of them returned goes to standard output.
 * The same program runs on the operating system and as WebAssembly; outputs and files must be equal.
 *
 * ops SEED COUNT [NAMES]: only the first NAMES names, of which 12 are plain
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state;

static unsigned pick(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static const char *names[] = {
    "a", "b", "c", "d1", "d1/x", "d1/y", "d2", "d2/z", "d1/sub", "d1/sub/deep", "a/x", "missing/x", "d1/../b",
    "./c", ".", "d1/", "a/", "d2/../d1/./x", "d2//z", "a/../b", "missing/../b", "d1/sub/..",
};
static unsigned name_count = sizeof names / sizeof *names;
#define NAME names[pick(name_count)]

static const char *why(void) {
  switch (errno) {
    case ENOENT: return "ENOENT";
    case EEXIST: return "EEXIST";
    case ENOTDIR: return "ENOTDIR";
    case EISDIR: return "EISDIR";
    case ENOTEMPTY: return "ENOTEMPTY";
    case EBADF: return "EBADF";
    case EINVAL: return "EINVAL";
    case EBUSY: return "EBUSY";
    case EPERM: return "EPERM";
    case EACCES: return "EACCES";
    case ENOSYS: return "ENOSYS";
    case ENOTSUP: return "ENOTSUP";
#ifdef __wasi__
    case ENOTCAPABLE: return "EINVAL"; /* rights of WASI: ftruncate of a file that was opened to read */
#endif
    default: return strerror(errno);
  }
}

static void say(const char *what, const char *name, long long result) {
  if (result < 0) printf("%s %s: %s\n", what, name, why());
  else printf("%s %s: %lld\n", what, name, result);
}

#define FILES 5
static int fds[FILES] = {-1, -1, -1, -1, -1};
static unsigned char buffer[5000];

static unsigned checksum(size_t count) {
  unsigned sum = 1;
  for (size_t i = 0; i < count; i++) sum = sum * 31 + buffer[i];
  return sum;
}

static void fill(size_t count) {
  for (size_t i = 0; i < count; i++) buffer[i] = (unsigned char)('a' + pick(26));
}

static size_t length(void) { return pick(4) ? pick(40) : pick(sizeof buffer); }

static void do_open(void) {
  static const int access[] = {O_RDONLY, O_WRONLY, O_RDWR};
  unsigned kind = pick(3);
  int flags = access[kind];
  if (pick(2)) flags |= O_CREAT;
  if (!pick(5)) flags |= O_EXCL;
  if (!(flags & O_CREAT)) flags &= ~O_EXCL;
  if (!pick(4) && kind > 0) flags |= O_TRUNC;
  if (!pick(4)) flags |= O_APPEND;
  if (!pick(8) && !(flags & O_CREAT)) flags |= O_DIRECTORY;
  int slot = (int)pick(FILES);
  const char *name = NAME;
  if (fds[slot] >= 0) close(fds[slot]);
  fds[slot] = open(name, flags, 0644);
  printf("%u %d %d %d %d ", kind, !!(flags & O_CREAT), !!(flags & O_EXCL), !!(flags & O_TRUNC), !!(flags & O_APPEND));
  say("open", name, fds[slot] < 0 ? -1 : 0);
  struct stat st;
  if (fds[slot] >= 0 && fstat(fds[slot], &st) == 0 && S_ISDIR(st.st_mode)) {
    close(fds[slot]);
    fds[slot] = -1;
  }
}

static void do_list(void) {
  const char *name = NAME;
  DIR *dir = opendir(name);
  if (!dir) return say("opendir", name, -1);
  unsigned count = 0, sum = 0;
  struct dirent *entry;
  while ((entry = readdir(dir))) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    unsigned hash = entry->d_type == DT_DIR ? 7 : entry->d_type == DT_REG ? 11 : 13;
    for (const char *c = entry->d_name; *c; c++) hash = hash * 31 + (unsigned char)*c;
    sum += hash; /* the order is not the same everywhere */
    count++;
  }
  closedir(dir);
  printf("list %s: %u %u\n", name, count, sum);
}

static void do_stdio(void) {
  static const char *modes[] = {"r", "w", "a", "r+", "w+", "a+", "wx", "w+x"};
  const char *mode = modes[pick(8)], *name = NAME;
  FILE *file = fopen(name, mode);
  if (!file) return printf("%s ", mode), say("fopen", name, -1);
  struct stat st;
  if (fstat(fileno(file), &st) || S_ISDIR(st.st_mode)) {
    fclose(file);
    return;
  }
  printf("fopen %s %s\n", name, mode);
  if (*mode == 'a') fseek(file, 0, SEEK_END); /* where such a file begins differs between C libraries */
  for (int i = 0; i < 6; i++) {
    size_t count = length();
    switch (pick(6)) {
      case 0:
        fill(count);
        errno = 0;
        printf(" fwrite %zu\n", fwrite(buffer, 1, count, file));
        fseek(file, 0, SEEK_CUR);
        break;
      case 1:
        count = fread(buffer, 1, count, file);
        printf(" fread %zu %u %d\n", count, checksum(count), feof(file) != 0);
        fseek(file, 0, SEEK_CUR);
        break;
      case 2: {
        static const int whences[] = {SEEK_SET, SEEK_CUR, SEEK_END};
        int whence = whences[pick(3)];
        long offset = (long)pick(60) - 20;
        printf(" fseek %d %ld: %d", whence == SEEK_SET ? 0 : whence == SEEK_CUR ? 1 : 2, offset, fseek(file, offset, whence));
        printf(" %ld\n", ftell(file));
        break;
      }
      case 3: {
        int c = getc(file);
        if (c != EOF && ungetc(c, file) == c) printf(" ungetc %d\n", getc(file) == c);
        else printf(" getc %d\n", c);
        fseek(file, 0, SEEK_CUR);
        break;
      }
      case 4:
        printf(" fprintf %d\n", fprintf(file, "%d %s", (int)pick(100000), "line\n") > 0);
        fseek(file, 0, SEEK_CUR);
        break;
      case 5:
        rewind(file);
        printf(" fgets %s", fgets((char *)buffer, 30, file) ? (char *)buffer : "none\n");
        printf("\n");
        fseek(file, 0, SEEK_CUR);
        break;
    }
    clearerr(file);
  }
  printf(" fclose %d\n", fclose(file));
}

static void do_descriptor(void) {
  int fd = fds[pick(FILES)];
  size_t count = length();
  long long offset = (long long)pick(6000) - 500;
  switch (pick(10)) {
    case 0:
    case 1: {
      fill(count);
      ssize_t n = write(fd, buffer, count);
      say("write", "", n);
      break;
    }
    case 2:
    case 3: {
      ssize_t n = read(fd, buffer, count);
      say("read", "", n);
      if (n > 0) printf(" %u\n", checksum((size_t)n));
      break;
    }
    case 4: {
      ssize_t n = pread(fd, buffer, count, offset);
      say("pread", "", n);
      if (n > 0) printf(" %u\n", checksum((size_t)n));
      break;
    }
    case 5:
      fill(count);
      say("pwrite", "", pwrite(fd, buffer, count, offset));
      break;
    case 6: {
      static const int whences[] = {SEEK_SET, SEEK_CUR, SEEK_END};
      say("lseek", "", lseek(fd, offset, whences[pick(3)]));
      break;
    }
    case 7:
      say("ftruncate", "", ftruncate(fd, offset));
      break;
    case 8: {
      struct stat st;
      int result = fstat(fd, &st);
      say("fstat", "", result);
      if (!result) printf(" %lld %d\n", (long long)st.st_size, S_ISREG(st.st_mode));
      break;
    }
    case 9:
      say("fsync", "", fsync(fd));
      break;
  }
}

static void do_names(void) {
  const char *name = NAME, *other;
  struct stat st;
  int result;
  switch (pick(6)) {
    case 0:
      return say("mkdir", name, mkdir(name, 0755));
    case 1:
      return say("rmdir", name, rmdir(name));
    case 2:
      return say("unlink", name, unlink(name));
    case 3:
      other = NAME;
      printf("%s to ", name);
      return say("rename", other, rename(name, other));
    case 4:
      result = stat(name, &st);
      say("stat", name, result);
      if (!result) printf(" %d %lld\n", S_ISDIR(st.st_mode), S_ISDIR(st.st_mode) ? 0 : (long long)st.st_size);
      return;
    case 5:
      return say("access", name, access(name, F_OK));
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  if (argc > 3) name_count = (unsigned)atoi(argv[3]);
  state = strtoull(argv[1], NULL, 10) * 2862933555777941757u + 3037000493u;
  for (int i = atoi(argv[2]); i > 0; i--) {
    switch (pick(8)) {
      case 0: case 1: do_open(); break;
      case 2: case 3: case 4: do_descriptor(); break;
      case 5: do_names(); break;
      case 6: do_list(); break;
      case 7: do_stdio(); break;
    }
  }
  for (int i = 0; i < FILES; i++) if (fds[i] >= 0) close(fds[i]);
  printf("end\n");
  return 0;
}
