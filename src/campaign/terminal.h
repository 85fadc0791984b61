/* The alternate screen of a terminal: frames are drawn over each other, and nothing of them is left
 * at the end.
 *
 * A frame is one write: home, each line with the rest of its row erased, then what is below. So no
 * frame is ever blank, and after a resize nothing of the last one stays. Lines never wrap. While it
 * is on, a signal that ends or stops the process leaves the alternate screen first. */
#ifndef ASSAY_CAMPAIGN_TERMINAL_H
#define ASSAY_CAMPAIGN_TERMINAL_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

struct line {
    const char *colour; /* an SGR sequence, "" for none */
    const char *text;   /* of anywhere: control characters are made visible */
};
typedef VEC(struct line) screen;

struct terminal {
    bool on, colour;
    int rows, columns; /* of the last frame */
};

/* Of standard output; 24 x 80 where it has none. */
void terminal_size(int *rows, int *columns);
/* Has the size changed since the last frame? */
bool terminal_is_resized(const struct terminal *t);
/* Draw a frame for a terminal of that size, of the lines that fit. The first one turns it on. */
void terminal_draw(struct terminal *t, const screen *lines, int rows, int columns);
/* Back to the normal screen, as it was. */
void terminal_off(struct terminal *t);
/* In a child process: its end is none of the terminal's business. */
void terminal_forget(void);

/* The text in at most `width` columns: its middle is left out where it must be. */
const char *terminal_shorten(struct arena *a, const char *text, int width);

#endif
