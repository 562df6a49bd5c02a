package transport

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

// "`at` is RFC 3339 UTC with milliseconds": three digits of them, also where they are 0.
func TestInstant_OneForm(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*3600)
	for want, at := range map[string]time.Time{
		"2026-11-30T13:29:08.150Z": time.Date(2026, 11, 30, 13, 29, 8, 150e6, time.UTC),
		"2026-11-30T13:29:08.000Z": time.Date(2026, 11, 30, 15, 29, 8, 0, zone),
		"2026-11-30T13:29:08.999Z": time.Date(2026, 11, 30, 15, 29, 8, 999_999_999, zone),
		"0001-01-01T00:00:00.000Z": {},
	} {
		if got := encode(Instant(at)); got != `"`+want+`"` {
			t.Errorf("%v is written %s, want %s", at, got, want)
		}
	}
	e := events.New("", time.Date(2026, 3, 1, 9, 0, 0, 120e6, zone), &events.SessionWaiting{})
	line, err := events.AppendLine(nil, &e)
	if err != nil || !strings.Contains(string(line), `"at":`+encode(Instant(e.At))) {
		t.Errorf("an event writes its time otherwise: %s, %v", line, err)
	}
}

// What a view knows is in the reply, under the same name and in the same order.
func TestRows_NothingIsLost(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 9, 0, 0, 123e6, time.UTC) // written alike by both
	approval := projections.Approval{RequestedAt: at, ExpiresAt: &at}
	row := projections.SessionRow{CreatedAt: at, UpdatedAt: at.Add(time.Second)}
	line := LogLine{At: at}
	fill(reflect.ValueOf(&approval).Elem())
	fill(reflect.ValueOf(&row).Elem())
	fill(reflect.ValueOf(&line).Elem())
	for got, want := range map[string]string{
		encode(NewSessionRow(&row)):       encode(row),
		encode(newApprovalRow(&approval)): encode(approval),
		encode(NewLogRow(&line)):          encode(line),
	} {
		if got != want {
			t.Errorf("the reply has\n%s\nand the view\n%s", got, want)
		}
	}
}

// fill puts something into every field that is empty.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if !f.IsZero() {
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString(name)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i + 1))
		case reflect.Float64:
			f.SetFloat(0.5)
		case reflect.Uint64:
			f.SetUint(uint64(i + 1))
		case reflect.Slice:
			f.SetBytes([]byte(`{"a":1}`))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]any{name: i}))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			fill(f.Elem())
		case reflect.Struct:
			fill(f)
		default:
			panic("fill does not know " + name)
		}
	}
}

// Every time in every reply has the one form.
func TestReplies_Times(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.Logs = lines{{N: 1, At: time.Date(2026, 3, 1, 9, 0, 0, 5e8, time.UTC)}} })
	base, _ := c.parked()
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	for path, want := range map[string]int{base: 2, "/bot/v1/sessions": 2, base + "/approvals": 1, "/bot/v1/logs": 1, "/bot/v1/info": 0, base + "/cost": 0} {
		var v any
		if err := json.Unmarshal([]byte(c.do("GET", path, "").body), &v); err != nil {
			t.Fatal(err)
		}
		found := times(v)
		if len(found) != want {
			t.Errorf("%s has %d times: %v", path, len(found), found)
		}
		for _, s := range found {
			if !form.MatchString(s) {
				t.Errorf("%s writes a time as %s", path, s)
			}
		}
	}
}

// times lists the strings of a value that are instants.
func times(v any) (found []string) {
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil {
			found = append(found, v)
		}
	case []any:
		for _, x := range v {
			found = append(found, times(x)...)
		}
	case map[string]any:
		for _, x := range v {
			found = append(found, times(x)...)
		}
	}
	return found
}
