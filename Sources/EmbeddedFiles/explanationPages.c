#include "EmbeddedFiles.h"

static const unsigned char mc0[] = {
#embed "MC0.md"
};
static const unsigned char mc1[] = {
#embed "MC1.md"
};
static const unsigned char mc2[] = {
#embed "MC2.md"
};
static const unsigned char mc3[] = {
#embed "MC3.md"
};
static const unsigned char mc4[] = {
#embed "MC4.md"
};
static const unsigned char mc5[] = {
#embed "MC5.md"
};
static const unsigned char mc6[] = {
#embed "MC6.md"
};
static const unsigned char mc7[] = {
#embed "MC7.md"
};

static const EmbeddedFile explanationPagesList[] = {
    {"MC0.md", mc0, sizeof mc0},
    {"MC1.md", mc1, sizeof mc1},
    {"MC2.md", mc2, sizeof mc2},
    {"MC3.md", mc3, sizeof mc3},
    {"MC4.md", mc4, sizeof mc4},
    {"MC5.md", mc5, sizeof mc5},
    {"MC6.md", mc6, sizeof mc6},
    {"MC7.md", mc7, sizeof mc7},
    {0},
};
const EmbeddedFile *const explanationPages = explanationPagesList;

static const unsigned char kinds[] = {
#embed "LogKinds.txt"
};
static const EmbeddedFile logKindsList[] = {{"LogKinds.txt", kinds, sizeof kinds}, {0}};
const EmbeddedFile *const logKindPages = logKindsList;

static const unsigned char pages[] = {
#embed "Pages.txt"
};
static const EmbeddedFile documentationPagesList[] = {{"Pages.txt", pages, sizeof pages}, {0}};
const EmbeddedFile *const documentationPages = documentationPagesList;
