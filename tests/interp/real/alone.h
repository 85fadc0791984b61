#define ALONE restrict
