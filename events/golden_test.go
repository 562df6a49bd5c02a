package events

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew: read the difference before you keep it")

var goldenAt = time.Date(2026, 7, 1, 12, 0, 0, 123_000_000, time.UTC)

// samples are two events of a type: nothing said, and everything said.
func samples(name string) []Event {
	empty, full := registry[name](), registry[name]()
	fill(reflect.ValueOf(full).Elem(), "value")
	var out []Event
	for i, p := range []Payload{empty, full} {
		e := New("turn_01K00000000000000000000000", goldenAt, p)
		e.Index, e.SessionID = uint64(i), "ses_01K00000000000000000000000"
		out = append(out, e)
	}
	out[0].TurnID = ""
	return out
}

// fill gives every field a value that says what it is.
func fill(v reflect.Value, name string) {
	switch x := v.Addr().Interface().(type) {
	case *json.RawMessage:
		*x = json.RawMessage(`{"b":1.50,"a":"é"}`)
		return
	case *time.Time:
		*x = goldenAt.Add(time.Hour)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			fill(v.Field(i), tag)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), name)
	case reflect.Map:
		e := reflect.New(v.Type().Elem()).Elem()
		fill(e, name)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("X-Key"), e)
	case reflect.String:
		v.SetString("a " + name)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.25)
	case reflect.Uint64:
		v.SetUint(7)
	default:
		v.SetInt(7)
	}
}

func goldenFile(name string) string { return filepath.Join("testdata", name+".ndjson") }

// "Wire names are constants": a log that was written once is read for ever, so
// the bytes of every type are kept here.
func TestGolden_EveryType(t *testing.T) {
	if *rewrite { // while the tests that read the files wait
		for _, name := range Types() {
			if err := os.WriteFile(goldenFile(name), goldenLines(t, name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Parallel()
	for _, name := range Types() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := goldenLines(t, name)
			want, err := os.ReadFile(goldenFile(name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func goldenLines(t *testing.T, name string) (lines []byte) {
	t.Helper()
	for _, e := range samples(name) {
		var err error
		if lines, err = AppendLine(lines, &e); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, '\n')
	}
	return lines
}

func TestGolden_RegistryAndFilesAgree(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(goldenFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".ndjson"))
	}
	slices.Sort(names)
	if !slices.Equal(names, Types()) {
		t.Errorf("golden files: %q\nregistry: %q\nafter a change run: go test ./events -rewrite", names, Types())
	}
	for _, name := range Types() {
		if got := registry[name]().EventType(); got != name {
			t.Errorf("%s is registered, but its payload says %s", name, got)
		}
	}
}

// Old lines are decoded to the same values, and written again they are the same bytes.
func TestGolden_DecodeAndEncodeAgain(t *testing.T) {
	t.Parallel()
	for _, name := range Types() {
		b, err := os.ReadFile(goldenFile(name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) {
			e, err := Decode(line)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if want := samples(name)[i]; !reflect.DeepEqual(*e, want) {
				t.Errorf("%s: decoded\n%+v, %+v\nwant\n%+v, %+v", name, *e, e.Data, want, want.Data)
			}
			if again, err := AppendLine(nil, e); err != nil || !bytes.Equal(again, line) {
				t.Errorf("%s: encoded again\n%s, %v\nwant\n%s", name, again, err, line)
			}
			if got := TypeOf(line); got != name {
				t.Errorf("%s: its line has the type %q", name, got)
			}
		}
	}
}
