#include "testbed/opencl/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int address(const char *path, struct sockaddr_un *a, struct error *e)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a->sun_path)
        return error_at(e, ERROR_USAGE, path, 0, "the path of a socket has at most %zu bytes",
                        sizeof a->sun_path - 1);
    memcpy(a->sun_path, path, strlen(path));
    return 0;
}

int wire_connect(const char *path, struct error *e)
{
    struct sockaddr_un a;
    if (address(path, &a, e))
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof a))
        return fd;
    error_at(e, ERROR_ENVIRONMENT, path, 0, "the server cannot be reached: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int wire_listen(const char *path, struct error *e)
{
    struct sockaddr_un a;
    if (address(path, &a, e))
        return -1;
    unlink(path); /* that of a server that was killed */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a) && !listen(fd, 128))
        return fd;
    error_at(e, ERROR_ENVIRONMENT, path, 0, "no socket can be made: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int wire_send(int fd, const void *data, size_t n, const int *fds)
{
    struct iovec part = {.iov_base = (void *)data, .iov_len = n};
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fds) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_RIGHTS,
                              .cmsg_len = CMSG_LEN(WIRE_FDS * sizeof(int))};
        memcpy(CMSG_DATA(c), fds, WIRE_FDS * sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)n ? 0 : -1;
}

int wire_receive(int fd, void *data, size_t n, int *fds)
{
    struct iovec part = {.iov_base = data, .iov_len = n};
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    for (int i = 0; fds && i < WIRE_FDS; i++)
        fds[i] = -1;
    ssize_t got;
    do
        got = recvmsg(fd, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (c && c->cmsg_type == SCM_RIGHTS) {
        int came[WIRE_FDS];
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(came, CMSG_DATA(c), count * sizeof(int));
        for (size_t i = 0; i < count; i++)
            if (fds)
                fds[i] = came[i];
            else
                close(came[i]);
    }
    return got == (ssize_t)n ? 0 : -1;
}

static int transfer(int fd, char *at, size_t n, bool out)
{
    while (n) {
        ssize_t one = out ? send(fd, at, n, MSG_NOSIGNAL) : recv(fd, at, n, 0);
        if (one < 0 && errno == EINTR)
            continue;
        if (one <= 0)
            return -1;
        at += one;
        n -= (size_t)one;
    }
    return 0;
}

int wire_write(int fd, const void *data, size_t n)
{
    return transfer(fd, (char *)data, n, true);
}

int wire_read(int fd, void *data, size_t n)
{
    return transfer(fd, data, n, false);
}
