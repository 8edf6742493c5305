#include "CSHA2.h"
#include <zlib.h>
