package actors

import "io"

// Unwrap gives the body as the handler made it, for whoever wants to know how long it is.
func (b *body) Unwrap() io.Reader { return b.Reader }
