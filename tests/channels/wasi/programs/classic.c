/* Classical uses of the C library with files: what each gives goes to standard output, to be compared with a native run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHOW(call) printf("%s: %lld\n", #call, (long long)(call))

static void writes(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) printf("cannot write %s\n", name);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort_lines(void) { /* as sort(1): read all lines, write them in order */
  char *lines[100], line[80];
  int count = 0;
  writes("lines", "pear\napple\nfig\n\nquince\nlast without an end");
  FILE *in = fopen("lines", "r"), *out = fopen("sorted", "w");
  while (fgets(line, sizeof line, in)) lines[count++] = strdup(line);
  qsort(lines, (size_t)count, sizeof *lines, by_name);
  for (int i = 0; i < count; i++) fputs(lines[i], out);
  SHOW(ferror(in));
  SHOW(feof(in) != 0);
  fclose(in);
  fclose(out);
}

static void large_offsets(void) {
  int fd = open("large", O_RDWR | O_CREAT | O_TRUNC, 0644);
  int64_t far = 5000000000, value = 0x0123456789abcdef, back = 0;
  SHOW(lseek(fd, 0, SEEK_END));
  SHOW(pwrite(fd, &value, 8, far));
  SHOW(lseek(fd, 0, SEEK_END));
  SHOW(pread(fd, &back, 8, far) == 8 && back == value);
  SHOW(pread(fd, &back, 8, far - 4));
  printf("%llx\n", (long long)back);
  SHOW(lseek(fd, -3, SEEK_END));
  SHOW(read(fd, &back, 8));
  SHOW(ftruncate(fd, 10));
  SHOW(lseek(fd, -11, SEEK_END) < 0 && errno == EINVAL);
  SHOW(close(fd));
  SHOW(close(fd) < 0 && errno == EBADF);
}

static void scattered(void) {
  char a[3], b[1], c[100] = {0};
  struct iovec out[3] = {{"one", 3}, {"", 0}, {" and two", 8}}, in[3] = {{a, 3}, {b, 1}, {c, 100}};
  int fd = open("pieces", O_RDWR | O_CREAT, 0644);
  SHOW(writev(fd, out, 3));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(readv(fd, in, 3));
  printf("%.3s|%.1s|%s\n", a, b, c);
  close(fd);
}

static void big_blocks(void) { /* larger than any buffer on the way */
  size_t size = 300000;
  unsigned char *block = malloc(size), *back = malloc(size);
  for (size_t i = 0; i < size; i++) block[i] = (unsigned char)(i * i >> 3);
  int fd = open("block", O_RDWR | O_CREAT, 0644);
  SHOW(write(fd, block, size));
  SHOW(lseek(fd, 1, SEEK_SET));
  SHOW(read(fd, back, size));
  SHOW(memcmp(block + 1, back, size - 1));
  close(fd);
  free(block);
  free(back);
}

static void streams(void) {
  FILE *file = fopen("stream", "w+");
  setvbuf(file, NULL, _IOFBF, 64);
  for (int i = 0; i < 50; i++) fprintf(file, "%d,%c;", i, 'a' + i % 26);
  fpos_t place;
  fseek(file, 20, SEEK_SET);
  fgetpos(file, &place);
  int number = 0;
  char letter = 0;
  SHOW(fscanf(file, "%d,%c;", &number, &letter));
  printf("%d %c\n", number, letter);
  fsetpos(file, &place);
  SHOW(getc(file));
  SHOW(ungetc('#', file));
  SHOW(getc(file));
  SHOW(ftell(file));
  fseek(file, -4, SEEK_END);
  char last[10] = {0};
  SHOW(fread(last, 1, 10, file));
  printf("%s\n", last);
  SHOW(feof(file) != 0);
  fseek(file, 2, SEEK_SET);
  fputs("XY", file);
  SHOW(fflush(file));
  rewind(file);
  printf("%s\n", fgets(last, 8, file));
  SHOW(fclose(file));
  file = fopen("stream", "a+");
  fputs("end", file);
  fseek(file, 0, SEEK_SET);
  SHOW(getc(file));
  SHOW(fclose(file));
  struct stat st;
  SHOW(stat("stream", &st));
  SHOW(st.st_size);
}

static void folders(void) {
  SHOW(mkdir("folder", 0755));
  SHOW(mkdir("folder", 0755) < 0 && errno == EEXIST);
  SHOW(mkdir("none/folder", 0755) < 0 && errno == ENOENT);
  SHOW(mkdir("lines/folder", 0755) < 0 && errno == ENOTDIR);
  char name[40];
  for (int i = 0; i < 60; i++) {
    snprintf(name, sizeof name, "folder/a-rather-long-name-%03d", i);
    writes(name, "");
  }
  DIR *dir = opendir("folder");
  char *names[100];
  int count = 0;
  struct dirent *entry;
  while ((entry = readdir(dir))) if (entry->d_name[0] != '.') names[count++] = strdup(entry->d_name);
  qsort(names, (size_t)count, sizeof *names, by_name);
  for (int i = 0; i < count; i++) printf("%s\n", names[i]);
  rewinddir(dir);
  int again = 0;
  while ((entry = readdir(dir))) again += entry->d_name[0] != '.';
  SHOW(again);
  int fd = openat(dirfd(dir), "a-rather-long-name-007", O_RDONLY);
  SHOW(fd >= 0);
  struct stat st;
  SHOW(fstatat(dirfd(dir), "a-rather-long-name-008", &st, 0));
  close(fd);
  closedir(dir);
  SHOW(rmdir("folder") < 0 && errno == ENOTEMPTY);
  SHOW(opendir("lines") == NULL && errno == ENOTDIR);
  SHOW(opendir("none") == NULL && errno == ENOENT);
}

static void names(void) {
  SHOW(rename("sorted", "renamed"));
  SHOW(access("sorted", F_OK) < 0 && errno == ENOENT);
  writes("other", "other");
  SHOW(rename("renamed", "other"));
  SHOW(rename("none", "other") < 0 && errno == ENOENT);
  SHOW(rename("folder", "other") < 0 && errno == ENOTDIR);
  SHOW(unlink("folder") < 0);
  SHOW(rmdir("other") < 0 && errno == ENOTDIR);
  SHOW(remove("other"));
  SHOW(unlink("other") < 0 && errno == ENOENT);
  int fd = open("gone", O_RDWR | O_CREAT | O_EXCL, 0644);
  SHOW(open("gone", O_RDWR | O_CREAT | O_EXCL, 0644) < 0 && errno == EEXIST);
  SHOW(write(fd, "still there", 11));
  SHOW(unlink("gone")); /* an open file lives on without a name */
  SHOW(lseek(fd, 6, SEEK_SET));
  char there[6] = {0};
  SHOW(read(fd, there, 5));
  printf("%s\n", there);
  struct stat st;
  SHOW(fstat(fd, &st));
  SHOW(st.st_size);
  close(fd);
  writes("f\xc3\xa9", "a name in UTF-8");
  SHOW(access("f\xc3\xa9", F_OK));
}

static void flags(void) {
  int fd = open("appended", O_WRONLY | O_CREAT | O_APPEND, 0644), other = open("appended", O_WRONLY);
  SHOW(write(fd, "one", 3));
  SHOW(write(other, "O", 1));
  SHOW(write(fd, "two", 3));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW((fcntl(fd, F_GETFL) & O_APPEND) != 0);
  SHOW(fcntl(other, F_SETFL, O_APPEND));
  SHOW(write(other, "!", 1));
  SHOW(fcntl(other, F_SETFL, 0));
  SHOW(lseek(other, 2, SEEK_SET));
  SHOW(write(other, "?", 1));
  SHOW(fcntl(fd, F_SETFL, 0));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(write(fd, ".", 1));
  SHOW(posix_fallocate(other, 0, 100));
  struct stat st;
  SHOW(fstat(other, &st));
  SHOW(st.st_size);
  SHOW(S_ISREG(st.st_mode) != 0);
  SHOW(fsync(fd));
  SHOW(fdatasync(fd));
  close(fd);
  close(other);
  fd = open(".", O_RDONLY | O_DIRECTORY);
  SHOW(fstat(fd, &st));
  SHOW(S_ISDIR(st.st_mode) != 0);
  SHOW(read(fd, &st, 1) < 0);
  close(fd);
  SHOW(isatty(1));
}

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 4096);
  sort_lines();
  large_offsets();
  scattered();
  big_blocks();
  streams();
  folders();
  names();
  flags();
  return 42;
}
