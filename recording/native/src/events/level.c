#include "level.h"

bool ky_paused;
uint8_t ky_level = LEVEL_ALL;
