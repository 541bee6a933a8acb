#ifndef CRECORDER_H
#define CRECORDER_H

#include <stdint.h>

/// What was done. The numbers are in `Recording.swift` too.
enum recorder_kind {
    /// A file appeared; its name follows.
    RECORDER_CREATE = 1,
    /// Bytes were written at an offset; they follow.
    RECORDER_WRITE = 2,
    /// A file got the size in `offset`.
    RECORDER_TRUNCATE = 3,
    /// All of a file's earlier changes are on the disk.
    RECORDER_SYNC = 4,
    /// All names of the folder are on the disk.
    RECORDER_SYNC_FOLDER = 5,
    /// A name went; it follows.
    RECORDER_UNLINK = 6,
    /// A file got another name; the old one, a zero byte and the new one follow.
    RECORDER_RENAME = 7,
    /// The program wrote to standard output; the text follows.
    RECORDER_OUTPUT = 8,
};

/// One entry of the recording, followed by `length` bytes. All numbers are little-endian, as on all machines that Swift
/// runs on.
struct recorder_entry {
    uint32_t kind;
    uint32_t file;
    int64_t offset;
    uint64_t length;
};

#endif
