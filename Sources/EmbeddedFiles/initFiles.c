#include "EmbeddedFiles.h"

static const unsigned char agents[] = {
#embed "Init/agents-section.md"
};
static const unsigned char package[] = {
#embed "Init/Package.swift.txt"
};
static const unsigned char skill[] = {
#embed "Init/SKILL.md"
};
static const unsigned char firstVersion[] = {
#embed "Init/V1.yaml"
};
static const unsigned char check[] = {
#embed "Init/check.sh"
};
static const unsigned char doctor[] = {
#embed "Init/doctor.md"
};
static const unsigned char gitHubSteps[] = {
#embed "Init/github-steps.yml"
};
static const unsigned char gitHub[] = {
#embed "Init/github.yml"
};
static const unsigned char gitLabRelease[] = {
#embed "Init/gitlab-release.yml"
};
static const unsigned char gitLab[] = {
#embed "Init/gitlab.yml"
};
static const unsigned char install[] = {
#embed "Init/install.sh"
};
static const unsigned char program[] = {
#embed "Init/main.swift.txt"
};
static const unsigned char policies[] = {
#embed "Init/policies.swift.txt"
};
static const unsigned char policy[] = {
#embed "Init/policy.swift.txt"
};
static const unsigned char preCommit[] = {
#embed "Init/pre-commit.sh"
};
static const unsigned char reference[] = {
#embed "Init/reference.md"
};
static const unsigned char versions[] = {
#embed "Init/versions.yaml"
};

static const EmbeddedFile initFilesList[] = {
    {"agents-section.md", agents, sizeof agents},
    {"Package.swift.txt", package, sizeof package},
    {"SKILL.md", skill, sizeof skill},
    {"V1.yaml", firstVersion, sizeof firstVersion},
    {"check.sh", check, sizeof check},
    {"doctor.md", doctor, sizeof doctor},
    {"github-steps.yml", gitHubSteps, sizeof gitHubSteps},
    {"github.yml", gitHub, sizeof gitHub},
    {"gitlab-release.yml", gitLabRelease, sizeof gitLabRelease},
    {"gitlab.yml", gitLab, sizeof gitLab},
    {"install.sh", install, sizeof install},
    {"main.swift.txt", program, sizeof program},
    {"policies.swift.txt", policies, sizeof policies},
    {"policy.swift.txt", policy, sizeof policy},
    {"pre-commit.sh", preCommit, sizeof preCommit},
    {"reference.md", reference, sizeof reference},
    {"versions.yaml", versions, sizeof versions},
    {0},
};
const EmbeddedFile *const initFiles = initFilesList;
