// Package surface is what the channels of chat platforms share: texts that are cut and
// split, a breaker against machines that answer each other, the reply of a turn, and why a
// platform did not answer.
package surface
