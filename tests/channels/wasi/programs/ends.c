/* Ways in which a program ends, or does not: ends WHAT [NUMBER] */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int deep(int n) {
  volatile char room[1000];
  room[n % 1000] = (char)n;
  return n < 0 ? 0 : deep(n + 1) + room[n % 1000];
}

static int (*volatile wrong)(double);
static int plain(void) { return 1; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "args";
  long number = argc > 2 ? atol(argv[2]) : 0;
  if (!strcmp(what, "exit")) exit((int)number);
  if (!strcmp(what, "return")) return (int)number;
  if (!strcmp(what, "args")) {
    for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);
    for (char **e = environ; e && *e; e++) printf("%s\n", *e);
  }
  if (!strcmp(what, "cat")) {
    static char block[3000];
    size_t n;
    while ((n = fread(block, 1, sizeof block, stdin)) > 0) fwrite(block, 1, n, stdout);
    fprintf(stderr, "end of input: %d\n", feof(stdin) != 0);
  }
  if (!strcmp(what, "abort")) {
    fprintf(stderr, "these are the last words\n");
    abort();
  }
  if (!strcmp(what, "assert")) assert(argc == 1);
  if (!strcmp(what, "outside")) printf("%d\n", *(volatile int *)(uintptr_t)0xfffffff0u);
  if (!strcmp(what, "deep")) return deep(1);
  if (!strcmp(what, "zero")) return 10 / (int)number;
  if (!strcmp(what, "wrong")) {
    wrong = (int (*)(double))(void *)plain;
    return wrong(1.0);
  }
  if (!strcmp(what, "spin")) for (volatile int i = 0;; i++) {}
  if (!strcmp(what, "calls")) for (;;) (void)time(NULL);
  if (!strcmp(what, "sleep")) {
    struct timespec start, end, wait = {number / 1000, number % 1000 * 1000000};
    clock_gettime(CLOCK_MONOTONIC, &start);
    nanosleep(&wait, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    long took = (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
    printf("%s\n", took >= number ? "slept" : "woke early");
  }
  if (!strcmp(what, "print")) for (long i = 0; i < number; i++) printf("%015ld\n", i);
  if (!strcmp(what, "memory")) {
    volatile char *block = malloc((size_t)number); /* volatile: a compiler may leave out memory that nobody reads */
    for (long i = 0; block && i < number; i++) block[i] = 1;
    printf("%s\n", block ? "enough" : "not enough");
  }
  if (!strcmp(what, "log")) { /* one line, appended by each of several instances */
    FILE *file = fopen("log", "a");
    if (!file) return 1;
    fprintf(file, "line of %ld\n", number);
    return fclose(file);
  }
  return 0;
}
