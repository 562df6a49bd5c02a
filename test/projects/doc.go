// Package projects holds sample projects of our own and the test that loads them
// and calls their tools.
package projects
