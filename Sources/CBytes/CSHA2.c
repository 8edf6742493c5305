#include "CSHA2.h"

#include <string.h>

static const uint32_t k256[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
  0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
  0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
  0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t begin256[8] = {
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotate32(uint32_t value, int count) { return value >> count | value << (32 - count); }

static void mix256(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 16; i++) {
    w[i] = 0;
    for (int j = 0; j < 4; j++) w[i] = w[i] << 8 | block[i * 4 + j];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t low = rotate32(w[i - 15], 7) ^ rotate32(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t high = rotate32(w[i - 2], 17) ^ rotate32(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  for (int i = 0; i < 64; i++) {
    uint32_t high = rotate32(e, 6) ^ rotate32(e, 11) ^ rotate32(e, 25);
    uint32_t choice = (e & f) ^ (~e & g);
    uint32_t first = h + high + choice + k256[i] + w[i];
    uint32_t low = rotate32(a, 2) ^ rotate32(a, 13) ^ rotate32(a, 22);
    uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + low + majority;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

void csha256_begin(csha256 *hash) {
  memset(hash, 0, sizeof *hash);
  memcpy(hash->state, begin256, sizeof begin256);
}

void csha256_add(csha256 *hash, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  hash->count += count;
  while (count > 0) {
    if (hash->filled == 0 && count >= 64) {
      mix256(hash->state, next);
      next += 64;
      count -= 64;
      continue;
    }
    size_t part = 64 - hash->filled < count ? 64 - hash->filled : count;
    memcpy(hash->block + hash->filled, next, part);
    hash->filled += part;
    next += part;
    count -= part;
    if (hash->filled == 64) {
      mix256(hash->state, hash->block);
      hash->filled = 0;
    }
  }
}

void csha256_end(csha256 *hash, uint8_t digest[32]) {
  uint64_t bits = hash->count << 3;
  uint8_t ending[64 + 8] = {0x80};
  // The end of the last block, or of one more where there is no room.
  size_t padding = (hash->filled < 64 - 8 ? 64 - 8 : 128 - 8) - hash->filled;
  for (int i = 0; i < 8; i++) ending[padding + 8 - 1 - i] = (uint8_t)(bits >> 8 * i);
  csha256_add(hash, ending, padding + 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (32 - 8 - i % 4 * 8));
}

static const uint64_t k512[80] = {
  0x428a2f98d728ae22ull, 0x7137449123ef65cdull, 0xb5c0fbcfec4d3b2full, 0xe9b5dba58189dbbcull,
  0x3956c25bf348b538ull, 0x59f111f1b605d019ull, 0x923f82a4af194f9bull, 0xab1c5ed5da6d8118ull,
  0xd807aa98a3030242ull, 0x12835b0145706fbeull, 0x243185be4ee4b28cull, 0x550c7dc3d5ffb4e2ull,
  0x72be5d74f27b896full, 0x80deb1fe3b1696b1ull, 0x9bdc06a725c71235ull, 0xc19bf174cf692694ull,
  0xe49b69c19ef14ad2ull, 0xefbe4786384f25e3ull, 0x0fc19dc68b8cd5b5ull, 0x240ca1cc77ac9c65ull,
  0x2de92c6f592b0275ull, 0x4a7484aa6ea6e483ull, 0x5cb0a9dcbd41fbd4ull, 0x76f988da831153b5ull,
  0x983e5152ee66dfabull, 0xa831c66d2db43210ull, 0xb00327c898fb213full, 0xbf597fc7beef0ee4ull,
  0xc6e00bf33da88fc2ull, 0xd5a79147930aa725ull, 0x06ca6351e003826full, 0x142929670a0e6e70ull,
  0x27b70a8546d22ffcull, 0x2e1b21385c26c926ull, 0x4d2c6dfc5ac42aedull, 0x53380d139d95b3dfull,
  0x650a73548baf63deull, 0x766a0abb3c77b2a8ull, 0x81c2c92e47edaee6ull, 0x92722c851482353bull,
  0xa2bfe8a14cf10364ull, 0xa81a664bbc423001ull, 0xc24b8b70d0f89791ull, 0xc76c51a30654be30ull,
  0xd192e819d6ef5218ull, 0xd69906245565a910ull, 0xf40e35855771202aull, 0x106aa07032bbd1b8ull,
  0x19a4c116b8d2d0c8ull, 0x1e376c085141ab53ull, 0x2748774cdf8eeb99ull, 0x34b0bcb5e19b48a8ull,
  0x391c0cb3c5c95a63ull, 0x4ed8aa4ae3418acbull, 0x5b9cca4f7763e373ull, 0x682e6ff3d6b2b8a3ull,
  0x748f82ee5defb2fcull, 0x78a5636f43172f60ull, 0x84c87814a1f0ab72ull, 0x8cc702081a6439ecull,
  0x90befffa23631e28ull, 0xa4506cebde82bde9ull, 0xbef9a3f7b2c67915ull, 0xc67178f2e372532bull,
  0xca273eceea26619cull, 0xd186b8c721c0c207ull, 0xeada7dd6cde0eb1eull, 0xf57d4f7fee6ed178ull,
  0x06f067aa72176fbaull, 0x0a637dc5a2c898a6ull, 0x113f9804bef90daeull, 0x1b710b35131c471bull,
  0x28db77f523047d84ull, 0x32caab7b40c72493ull, 0x3c9ebe0a15c9bebcull, 0x431d67c49c100d4cull,
  0x4cc5d4becb3e42b6ull, 0x597f299cfc657e2aull, 0x5fcb6fab3ad6faecull, 0x6c44198c4a475817ull,
};

static const uint64_t begin512[8] = {
  0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull,
  0x510e527fade682d1ull, 0x9b05688c2b3e6c1full, 0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull,
};

static uint64_t rotate64(uint64_t value, int count) { return value >> count | value << (64 - count); }

static void mix512(uint64_t state[8], const uint8_t *block) {
  uint64_t w[80];
  uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 16; i++) {
    w[i] = 0;
    for (int j = 0; j < 8; j++) w[i] = w[i] << 8 | block[i * 8 + j];
  }
  for (int i = 16; i < 80; i++) {
    uint64_t low = rotate64(w[i - 15], 1) ^ rotate64(w[i - 15], 8) ^ w[i - 15] >> 7;
    uint64_t high = rotate64(w[i - 2], 19) ^ rotate64(w[i - 2], 61) ^ w[i - 2] >> 6;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  for (int i = 0; i < 80; i++) {
    uint64_t high = rotate64(e, 14) ^ rotate64(e, 18) ^ rotate64(e, 41);
    uint64_t choice = (e & f) ^ (~e & g);
    uint64_t first = h + high + choice + k512[i] + w[i];
    uint64_t low = rotate64(a, 28) ^ rotate64(a, 34) ^ rotate64(a, 39);
    uint64_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + low + majority;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

void csha512_begin(csha512 *hash) {
  memset(hash, 0, sizeof *hash);
  memcpy(hash->state, begin512, sizeof begin512);
}

void csha512_add(csha512 *hash, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  hash->count += count;
  while (count > 0) {
    if (hash->filled == 0 && count >= 128) {
      mix512(hash->state, next);
      next += 128;
      count -= 128;
      continue;
    }
    size_t part = 128 - hash->filled < count ? 128 - hash->filled : count;
    memcpy(hash->block + hash->filled, next, part);
    hash->filled += part;
    next += part;
    count -= part;
    if (hash->filled == 128) {
      mix512(hash->state, hash->block);
      hash->filled = 0;
    }
  }
}

void csha512_end(csha512 *hash, uint8_t digest[64]) {
  uint64_t bits = hash->count << 3;
  uint8_t length[16] = {0}, one = 0x80, zero = 0;
  for (int i = 0; i < 8; i++) length[16 - 1 - i] = (uint8_t)(bits >> 8 * i);
  length[7] = (uint8_t)(hash->count >> 61);
  csha512_add(hash, &one, 1);
  while (hash->filled != 128 - 16) csha512_add(hash, &zero, 1);
  csha512_add(hash, length, 16);
  for (int i = 0; i < 64; i++) digest[i] = (uint8_t)(hash->state[i / 8] >> (64 - 8 - i % 8 * 8));
}
