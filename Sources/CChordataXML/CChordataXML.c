#include "CChordataXML.h"
