// Package faults plays what models and tools get wrong, against a whole host: a
// provider that is strict about what it is asked, a project in TypeScript, the log.
package faults
