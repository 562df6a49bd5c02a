// Package store is the durable storage behind ctx.host: key-value pairs over the
// journal's store, files in a folder of the state root.
package store
