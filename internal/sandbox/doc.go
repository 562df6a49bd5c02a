// Package sandbox runs programs for tools: in a process group of their own that is
// ended as a whole, with a clean environment, bounds on time, output and resources,
// and, where the kernel can, without the right to write outside of given folders.
//
// It is a guard against accidents, not a prison: a program may read what the host's
// user may read, may use the network, and may change modes and owners of files. What
// is confined does not see into the host: its memory, its environment, its descriptors.
package sandbox
