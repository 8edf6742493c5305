#include "EmbeddedFiles.h"

static const unsigned char versions[] = {
#embed "../../Models/Trails/versions.yaml"
};
static const unsigned char v1[] = {
#embed "../../Models/Trails/V1.yaml"
};
static const unsigned char v2[] = {
#embed "../../Models/Trails/V2.yaml"
};
static const unsigned char v3[] = {
#embed "../../Models/Trails/V3.yaml"
};
static const unsigned char v4[] = {
#embed "../../Models/Trails/V4.yaml"
};
static const unsigned char v5[] = {
#embed "../../Models/Trails/V5.yaml"
};
static const unsigned char v6[] = {
#embed "../../Models/Trails/V6.yaml"
};
static const unsigned char v3tov4[] = {
#embed "../../Migrations/Trails/V3-V4.yaml"
};
static const unsigned char v4tov5[] = {
#embed "../../Migrations/Trails/V4-V5.yaml"
};
static const unsigned char v5tov6[] = {
#embed "../../Migrations/Trails/V5-V6.yaml"
};

static const EmbeddedFile sampleModelFilesList[] = {
    {"versions.yaml", versions, sizeof versions},
    {"V1.yaml", v1, sizeof v1},
    {"V2.yaml", v2, sizeof v2},
    {"V3.yaml", v3, sizeof v3},
    {"V4.yaml", v4, sizeof v4},
    {"V5.yaml", v5, sizeof v5},
    {"V6.yaml", v6, sizeof v6},
    {0},
};
const EmbeddedFile *const sampleModelFiles = sampleModelFilesList;

static const EmbeddedFile sampleMappingFilesList[] = {
    {"V3-V4.yaml", v3tov4, sizeof v3tov4},
    {"V4-V5.yaml", v4tov5, sizeof v4tov5},
    {"V5-V6.yaml", v5tov6, sizeof v5tov6},
    {0},
};
const EmbeddedFile *const sampleMappingFiles = sampleMappingFilesList;
