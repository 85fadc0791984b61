/* The board, which the keeper of the servers and the tests share; nobody else includes this. */
#ifndef ASSAY_TESTBED_SERVER_INTERNAL_H
#define ASSAY_TESTBED_SERVER_INTERNAL_H

#include "testbed/server.h"

enum server_state {
    SERVER_DOWN,     /* not started yet, or dead */
    SERVER_STARTING, /* the keeper is at it */
    SERVER_READY,
    SERVER_FAILED, /* it did not start: `why`; the next wish tries again */
};

enum { SERVER_MOST = 16, SERVER_PATH = 512, SERVER_WHY = 700 };

struct server_slot {
    char compiler[SERVER_PATH]; /* whose server it is: path */
    char toolchain[64];
    /* Each is written by one side and read by the other; through the functions below. */
    int wishes;  /* by tests, which add to it: start it */
    int granted; /* by the keeper: so many wishes are answered */
    int state;
    unsigned generation; /* starts that succeeded */
    unsigned tests;      /* names given out */
    int worked;          /* a test got through */
    char why[SERVER_WHY];
};

struct server_board {
    int n;
    int stop; /* to the keeper: all is over */
    struct server_slot slots[SERVER_MOST];
};

#define server_get(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define server_set(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELEASE)

/* FOLDER/board; FOLDER/3 is {server} of slot 3, and log in it what it printed. */
void server_board_path(const char *folder, char *out, size_t out_size);
void server_slot_path(const char *folder, int slot, char *out, size_t out_size);

#endif
