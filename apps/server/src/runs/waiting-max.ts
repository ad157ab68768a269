/**
 * What may wait for a reader: the largest event that a log takes, 4 MiB, and what comes with it.
 * Past that the reader is cut off, and reads the rest from the log when it can.
 */
export const waitingMax = 5 * 1024 * 1024
