package model

// bytesPerToken is the rule of thumb behind every estimate here.
const bytesPerToken = 4

// TokensOf estimates a text of so many bytes: a token for four, rounded up.
func TokensOf(bytes int) int64 { return int64(bytes+bytesPerToken-1) / bytesPerToken }

// Bytes is the size of what a message says.
func (m *Message) Bytes() int {
	n := len(m.Text) + len(m.Output)
	for i := range m.Calls {
		n += len(m.Calls[i].Name) + len(m.Calls[i].Args)
	}
	return n
}

// BaseBytes is the size of what a request says besides its messages.
func (r *Request) BaseBytes() int {
	n := len(r.System)
	for i := range r.Tools {
		n += len(r.Tools[i].Name) + len(r.Tools[i].Description) + len(r.Tools[i].Schema)
	}
	return n
}

// Tokens estimates the whole request.
func (r *Request) Tokens() int64 {
	n := r.BaseBytes()
	for i := range r.Messages {
		n += r.Messages[i].Bytes()
	}
	return TokensOf(n)
}
