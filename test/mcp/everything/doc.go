// Package everything holds the client side of MCP against the protocol's own sample
// server, over each of its transports. The npm package is pinned in package.json.
//
//	go test -count=1 ./test/mcp/everything
package everything
