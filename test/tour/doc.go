// Package tour plays the README's five minutes as they are typed.
package tour
