/*
 * Reads of a file as programs make them, timed by the program itself: reads WORK FILE COUNT
 *
 *   small   COUNT reads of 16 bytes, one after another, from the start again at the end of the file
 *   walk    COUNT reads of 8 bytes, each at the place that the one before has named
 *   blocks  COUNT reads of 1 MiB, one after another
 *
 * A file that is missing is made first: 2^20 numbers of 8 bytes. Prints the nanoseconds, and a sum of what was read.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NUMBERS (1 << 20)
#define BLOCK (1 << 20)

static uint64_t block[BLOCK / 8];

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int make(const char *name) {
  uint64_t state = 1;
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < NUMBERS; i += BLOCK / 8) {
    for (int j = 0; j < BLOCK / 8; j++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      block[j] = (state >> 33) % NUMBERS;
    }
    if (write(fd, block, BLOCK) != BLOCK) return 1;
  }
  return close(fd);
}

static uint64_t mixed(uint64_t sum, uint64_t value) { return (sum ^ value) * 1099511628211u; }

static uint64_t small(int fd, long count) {
  uint64_t pair[2], sum = 0;
  for (long i = 0; i < count; i++) {
    if (read(fd, pair, 16) != 16) {
      lseek(fd, 0, SEEK_SET);
      i--;
      continue;
    }
    sum = mixed(sum, pair[0] + pair[1]);
  }
  return sum;
}

static uint64_t walk(int fd, long count) {
  uint64_t place = 0, sum = 0;
  for (long i = 0; i < count; i++) {
    if (pread(fd, &place, 8, (off_t)place * 8) != 8) return 0;
    sum = mixed(sum, place);
  }
  return sum;
}

static uint64_t blocks(int fd, long count) {
  uint64_t sum = 0;
  for (long i = 0; i < count; i++) {
    if (read(fd, block, BLOCK) != BLOCK) {
      lseek(fd, 0, SEEK_SET);
      i--;
      continue;
    }
    sum = mixed(sum, block[0] + block[BLOCK / 8 - 1]);
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const char *work = argv[1], *name = argv[2];
  long count = atol(argv[3]);
  if (access(name, F_OK) && make(name)) return 3;
  int fd = open(name, O_RDONLY);
  if (fd < 0) return 4;
  uint64_t start = now();
  uint64_t sum = !strcmp(work, "small") ? small(fd, count) : !strcmp(work, "walk") ? walk(fd, count) : blocks(fd, count);
  uint64_t took = now() - start;
  printf("%llu %llx\n", (unsigned long long)took, (unsigned long long)sum);
  return close(fd);
}
