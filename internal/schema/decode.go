package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a document.
const (
	maxDepth    = 100
	maxExponent = 10_000 // 1e1000000 as an exact fraction is a million digits
)

// decode reads strict JSON: UTF-8, each key once, nothing behind the value, at
// most maxDepth deep, numbers as json.Number. maxValues bounds the objects and
// arrays in it; 0 is no bound. Errors are messages for people.
func decode(raw []byte, maxValues int) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, errors.New("is empty, not JSON")
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("is not valid UTF-8")
	}
	if bytes.HasPrefix(raw, []byte("\uFEFF")) {
		return nil, errors.New("begins with a byte order mark (BOM), which JSON has not: send it without")
	}
	if err := syntax(raw); err != nil {
		return nil, err
	}
	d := decoder{json: json.NewDecoder(bytes.NewReader(raw)), left: maxValues, bounded: maxValues > 0}
	d.json.UseNumber()
	return d.value(0)
}

// CheckJSON says what is wrong with JSON that came from outside, in a few words such
// as "names \"a\" twice": it is UTF-8, has each key once, nothing behind the value,
// and is not nested without end.
func CheckJSON(raw []byte) error {
	_, err := decode(raw, 0)
	return err
}

// syntax finds what is no JSON, and where.
func syntax(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	var v json.RawMessage
	err := json.Unmarshal(raw, &v)
	var at *json.SyntaxError
	if errors.As(err, &at) {
		return fmt.Errorf("is not valid JSON: %s at byte %d", at.Error(), at.Offset)
	}
	return errors.New("is not valid JSON")
}

type decoder struct {
	json    *json.Decoder
	left    int
	bounded bool
}

func (d *decoder) value(depth int) (any, error) {
	token, err := d.json.Token()
	if err != nil {
		return nil, fmt.Errorf("is not valid JSON: %w", err)
	}
	switch t := token.(type) {
	case json.Delim:
		if depth == maxDepth {
			return nil, fmt.Errorf("is more than %d levels deep", maxDepth)
		}
		if d.left--; d.bounded && d.left < 0 {
			return nil, errors.New("has too many values")
		}
		if t == '{' {
			return d.object(depth + 1)
		}
		return d.array(depth + 1)
	case json.Number:
		return t, checkNumber(t.String())
	}
	return token, nil
}

func (d *decoder) object(depth int) (any, error) {
	m := map[string]any{}
	for d.json.More() {
		token, err := d.json.Token()
		if err != nil {
			return nil, fmt.Errorf("is not valid JSON: %w", err)
		}
		key := token.(string)
		if _, twice := m[key]; twice {
			return nil, fmt.Errorf("names %q twice", key)
		}
		if m[key], err = d.value(depth); err != nil {
			return nil, err
		}
	}
	_, err := d.json.Token()
	return m, err
}

func (d *decoder) array(depth int) (any, error) {
	a := []any{}
	for d.json.More() {
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
	_, err := d.json.Token()
	return a, err
}

// checkNumber refuses exponents that would be a bomb as exact fractions.
func checkNumber(s string) error {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+"))
	if err != nil || n > maxExponent || n < -maxExponent {
		return fmt.Errorf("has a number with an exponent beyond %d", maxExponent)
	}
	return nil
}
