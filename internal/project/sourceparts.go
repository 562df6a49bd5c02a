package project

import "strings"

// A span is a part of a text.
type span struct{ start, end int }

// elements are the objects that stand in the array which is the value of a key, or, with
// an empty key, in the array that is exported; none where there are not as many as
// wanted, since then the text makes them in another way.
func (s *source) elements(key string, want int) []span {
	list, ok := s.list(key)
	if !ok {
		return nil
	}
	var found []span
	depth, from := 0, list.start
	for at := list.start; at < list.end; at++ {
		switch s.masked[at] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				found = append(found, s.element(from, at))
				from = at + 1
			}
		}
	}
	if strings.TrimSpace(string(s.text[from:list.end])) != "" {
		found = append(found, s.element(from, list.end))
	}
	if len(found) != want {
		return nil
	}
	return found
}

// element is what stands between two commas: the object in it, or all of it.
func (s *source) element(from, end int) span {
	text := string(s.text[from:end])
	if i := strings.IndexByte(s.masked[from:end], '{'); i >= 0 {
		return span{from + i, end}
	}
	return span{from + len(text) - len(strings.TrimLeft(text, " \t\r\n")), end}
}

// list is the inside of the array that is the value of a key, or that is exported.
func (s *source) list(key string) (span, bool) {
	from := s.start
	if at := exportDefault.FindStringIndex(s.masked); at != nil && s.start == 0 {
		from = at[1]
	}
	if key != "" {
		at, ok := s.key(key, from)
		if !ok {
			return span{}, false
		}
		from = at + len(key)
	}
	rest := s.masked[from:]
	open := strings.IndexByte(rest, '[')
	if open < 0 || strings.Trim(rest[:open], ": \t\r\n") != "" {
		return span{}, false
	}
	depth := 0
	for at := from + open; at < len(s.masked); at++ {
		switch s.masked[at] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return span{from + open + 1, at}, true
			}
		}
	}
	return span{}, false
}

// part is the source of one of the elements, itself where they are not known.
func (s *source) part(elements []span, i int) *source {
	if elements == nil {
		return s
	}
	one := *s
	one.start, one.masked = elements[i].start, s.masked[:elements[i].end]
	return &one
}

// without is the source in which nothing of the array of a key is found, so that its
// fields are not taken for those of what it stands in.
func (s *source) without(key string) *source {
	list, ok := s.list(key)
	if !ok {
		return s
	}
	rest := *s
	rest.masked = s.masked[:list.start] + strings.Repeat(" ", list.end-list.start) + s.masked[list.end:]
	return &rest
}
