// Package events is what can happen in a session: the envelope, the payload of
// every event type, and the NDJSON codec. An event is a fact in the past tense;
// once recorded it never changes. The package imports the standard library alone.
package events
