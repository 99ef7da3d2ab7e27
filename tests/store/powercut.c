/* A file layer between SQLite and the disk, preloaded into a test's child process.
 *
 * Every write, truncation, removal and sync of a file below POWERCUT_DIR is written down in POWERCUT_JOURNAL, in order
 * and with its bytes, so that a test can compute what a disk would hold after a power cut at any moment: what
 * was synced, and of what was not, any part. While the file POWERCUT_FULL exists, the disk is full.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define MAX_FD 1024

static char *names[MAX_FD];
static int journal = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void start(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_close = dlsym(RTLD_NEXT, "close");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_open = dlsym(RTLD_NEXT, "open64");
    const char *path = getenv("POWERCUT_JOURNAL");
    if (path) journal = real_open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
}

static const char *watched(int fd) { return fd >= 0 && fd < MAX_FD ? names[fd] : NULL; }

static int full(void) {
    const char *flag = getenv("POWERCUT_FULL");
    return flag && access(flag, F_OK) == 0;
}

static void note(char what, const char *name, long long at, const void *data, size_t size) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%c %s %lld %zu\n", what, name, at, data ? size : 0);
    if (real_write(journal, line, length) != length) abort();
    if (data && real_write(journal, data, size) != (ssize_t)size) abort();
}

static void opened(int fd, const char *path) {
    const char *dir = getenv("POWERCUT_DIR");
    char whole[PATH_MAX];
    if (fd < 0 || fd >= MAX_FD || journal < 0 || !dir || !realpath(path, whole)) return;
    if (strncmp(whole, dir, strlen(dir)) || strstr(whole, "-shm")) return;
    pthread_mutex_lock(&lock);
    free(names[fd]);
    names[fd] = strdup(strrchr(whole, '/') + 1);
    pthread_mutex_unlock(&lock);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int fd = real_open(path, flags, va_arg(more, mode_t));
    va_end(more);
    opened(fd, path);
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int fd = real_open(path, flags, va_arg(more, mode_t));
    va_end(more);
    opened(fd, path);
    return fd;
}

int close(int fd) {
    if (watched(fd)) {
        pthread_mutex_lock(&lock);
        free(names[fd]);
        names[fd] = NULL;
        pthread_mutex_unlock(&lock);
    }
    return real_close(fd);
}

static ssize_t put(int fd, const void *data, size_t size, off64_t at) {
    if (full()) {
        errno = ENOSPC;
        return -1;
    }
    pthread_mutex_lock(&lock);
    ssize_t done = real_pwrite(fd, data, size, at);
    if (done > 0) note('W', names[fd], at, data, done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return watched(fd) ? put(fd, data, size, at) : real_pwrite(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }

ssize_t write(int fd, const void *data, size_t size) {
    if (!watched(fd)) return real_write(fd, data, size);
    ssize_t done = put(fd, data, size, lseek64(fd, 0, SEEK_CUR));
    if (done > 0) lseek64(fd, done, SEEK_CUR);
    return done;
}

int ftruncate64(int fd, off64_t size) {
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(fd, size);
    if (result == 0 && watched(fd)) note('T', names[fd], size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int unlink(const char *path) {
    const char *dir = getenv("POWERCUT_DIR");
    char whole[PATH_MAX];
    int ours = journal >= 0 && dir && realpath(path, whole) && !strncmp(whole, dir, strlen(dir));
    pthread_mutex_lock(&lock);
    int result = real_unlink(path);
    if (result == 0 && ours) note('U', strrchr(whole, '/') + 1, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

static int synced(int fd, int (*real)(int)) {
    pthread_mutex_lock(&lock);
    int result = real(fd);
    if (result == 0 && watched(fd)) note('S', names[fd], 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }
