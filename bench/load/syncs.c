/* Counts and times the syncs of a process from outside of it (LD_PRELOAD), so that the service
 * is measured as it is and checkpoints are counted like commits.
 *
 * BENCH_SYNCS names a file that is kept in step: a count, then the microseconds of the last
 * SYNCS_KEPT syncs in a ring; all are 8-byte numbers of the machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SYNCS_KEPT = 1 << 16 };

static struct {
  _Atomic uint64_t count;
  uint64_t microseconds[SYNCS_KEPT];
} *record;

__attribute__((constructor)) static void open_record(void) {
  const char *path = getenv("BENCH_SYNCS");
  if (!path) return;
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *record)) abort();
  record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (record == MAP_FAILED) abort();
  close(file);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static int timed(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  uint64_t begun = now();
  int result = real(file);
  if (record) {
    uint64_t number = atomic_fetch_add(&record->count, 1);
    record->microseconds[number % SYNCS_KEPT] = now() - begun;
  }
  return result;
}

int fsync(int file) { return timed("fsync", file); }

int fdatasync(int file) { return timed("fdatasync", file); }
