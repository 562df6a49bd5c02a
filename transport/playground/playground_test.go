package playground

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// "Sources in TypeScript and CSS of our own …, bundled by esbuild's Go API, … small
// (under 150 KB compressed)".
func TestSite_IsSmall(t *testing.T) {
	s := New()
	page, err := s.Page("/helper", "helper", "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.build()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for name, a := range b.Assets {
		if !strings.Contains(string(page), "/helper/playground/assets/"+name) {
			t.Errorf("the page does not load %s", name)
		}
		if _, err := z.Write(a.Body); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if n := packed.Len(); n > 150<<10 || n < 1000 {
		t.Errorf("the assets have %d bytes compressed", n)
	}
}
