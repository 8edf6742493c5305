// SHA-256 and SHA-512 of FIPS 180-4. In C, because builds for tests do not optimise Swift, and models have thousands of
// hashes; of our own, because a library for two functions took a quarter of a whole build.
#ifndef CSHA2_H
#define CSHA2_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  size_t filled;
  uint64_t count;
} csha256;

void csha256_begin(csha256 *hash);
void csha256_add(csha256 *hash, const void *bytes, size_t count);
/// Ends the message; nothing may be added afterwards.
void csha256_end(csha256 *hash, uint8_t digest[32]);

typedef struct {
  uint64_t state[8];
  uint8_t block[128];
  size_t filled;
  uint64_t count;
} csha512;

void csha512_begin(csha512 *hash);
void csha512_add(csha512 *hash, const void *bytes, size_t count);
/// Ends the message; nothing may be added afterwards.
void csha512_end(csha512 *hash, uint8_t digest[64]);

#endif
