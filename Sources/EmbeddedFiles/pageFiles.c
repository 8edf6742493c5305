#include "EmbeddedFiles.h"

static const unsigned char html[] = {
#embed "Page/page.html"
};
static const unsigned char css[] = {
#embed "Page/page.css"
};
static const unsigned char js[] = {
#embed "Page/page.js"
};
static const unsigned char siteHTML[] = {
#embed "Page/site.html"
};
static const unsigned char siteCSS[] = {
#embed "Page/site.css"
};

static const EmbeddedFile pageFilesList[] = {
    {"page.html", html, sizeof html},
    {"page.css", css, sizeof css},
    {"page.js", js, sizeof js},
    {"site.html", siteHTML, sizeof siteHTML},
    {"site.css", siteCSS, sizeof siteCSS},
    {0},
};
const EmbeddedFile *const pageFiles = pageFilesList;
