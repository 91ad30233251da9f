/* The size of a file, and what is in it: show NAME */
#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  struct stat st;
  if (argc < 2 || stat(argv[1], &st)) return perror("show"), 1;
  printf("%lld\n", (long long)st.st_size);
  FILE *file = fopen(argv[1], "r");
  if (!file) return perror("show"), 1;
  for (int c; (c = getc(file)) != EOF;) putchar(c);
  return fclose(file);
}
