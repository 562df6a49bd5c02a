// Package mcp holds the host's MCP sides against software of others: the official
// conformance suite and the official TypeScript SDK. npm packages are pinned in
// package.json.
//
//	go test -count=1 ./test/mcp                       # all of it
//	go test -count=1 -v -run Conformance ./test/mcp   # the suite, with what it says
package mcp
