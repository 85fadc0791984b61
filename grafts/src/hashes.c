/* Checksums and hashes of small buffers. */
#include <stdint.h>

static const uint32_t crc_of_nibble[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
    0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
    0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t crc32_nibbles(const uint8_t *p, unsigned n)
{
    uint32_t crc = 0xFFFFFFFF;
    while (n--) {
        crc ^= *p++;
        crc = crc >> 4 ^ crc_of_nibble[crc & 15];
        crc = crc >> 4 ^ crc_of_nibble[crc & 15];
    }
    return ~crc;
}

uint16_t crc16_bitwise(const uint8_t *p, int n, uint16_t crc)
{
    for (int i = 0; i < n; i++) {
        crc ^= (uint16_t)(p[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc;
}

uint8_t crc8_step(uint8_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int i = 8; i > 0; --i)
        crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    return crc;
}

uint32_t adler(const unsigned char *s, unsigned n)
{
    uint32_t low = 1, high = 0;
    for (unsigned i = 0; i < n; i++) {
        low = (low + s[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

uint64_t fnv(const char *text)
{
    uint64_t h = 0xCBF29CE484222325u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001B3u;
    return h;
}

static uint32_t rotated(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

uint32_t mix_words(const uint32_t *w, int n, uint32_t seed)
{
    uint32_t h = seed;
    for (int i = 0; i < n; i++) {
        uint32_t k = w[i] * 0xCC9E2D51u;
        h ^= rotated(k, 15) * 0x1B873593u;
        h = rotated(h, 13) * 5 + 0xE6546B64u;
    }
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    return h ^ h >> 13;
}
