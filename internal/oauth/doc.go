// Package oauth obtains tokens for connections to MCP servers: the authorization
// code flow with PKCE, found by the metadata of the server and of who authorizes
// for it. Tokens are kept encrypted, each bound to one connection and its URL, and
// renewed when they run out.
package oauth
