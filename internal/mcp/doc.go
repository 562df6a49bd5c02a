// Package mcp is the client side of the Model Context Protocol: a pool of clients
// for the connections of one agent. A client opens when it is first used, is shared
// by all sessions, comes back after a pause when it was lost, and closes when nobody
// uses it. What a server says of its tools is data: names are made safe, definitions
// are pinned, and one bad tool hides no other.
package mcp
