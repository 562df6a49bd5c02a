package script

// nonblocking is nothing here: named pipes are no files.
const nonblocking = 0
