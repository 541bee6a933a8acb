#ifndef CSYNCOFF_H
#define CSYNCOFF_H

// Nothing to call: the library takes the place of functions of SQLite.

#endif
