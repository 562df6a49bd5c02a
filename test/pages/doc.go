// Package pages plays the samples of the documentation, each as it is printed.
//
// A page under transport/docs is a sample when it has files: fenced blocks that
// follow a line such as <!-- file: bot/agent.ts -->. Its console blocks are then
// typed in the folder of those files (called "sample", or as a line such as
// <!-- folder: reporter --> says), one after the other in one shell: a line
// that begins with "$ " is a command, what follows is what it prints to its
// standard output. An … stands for what differs from run to run, and on a line of
// its own for any lines. Where a host is started with "&", the next command waits
// until it answers.
package pages
