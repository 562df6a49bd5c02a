package journal

import (
	"errors"
	"slices"
	"testing"
)

func keys(t *testing.T, s *Space) (out []string) {
	t.Helper()
	for kv, err := range s.Scan(nil, nil, false) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(kv.Key)+"="+string(kv.Value))
	}
	return out
}

// Spaces do not see each other, whatever their names and keys are.
func TestSpace_KeepsApart(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	names := []string{"a", "ab", "a\x01", "", "b", "\xff", "я"}
	for _, name := range names {
		b := j.Space(name).NewBatch()
		for _, k := range []string{"", "\x00", "k", "\xff\xff"} {
			b.Set([]byte(k), []byte(name))
		}
		if err := b.Commit(false); err != nil {
			t.Fatal(err)
		}
	}
	b := j.Space("a").NewBatch()
	b.Clear()
	b.Set([]byte("new"), nil)
	if err := b.Commit(true); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		want := []string{"=" + name, "\x00=" + name, "k=" + name, "\xff\xff=" + name}
		if name == "a" {
			want = []string{"new="}
		}
		if got := keys(t, j.Space(name)); !slices.Equal(got, want) {
			t.Errorf("space %q holds %q, want %q", name, got, want)
		}
	}
	if v, ok, err := j.Space("a").Get([]byte("new")); v == nil || len(v) != 0 || !ok || err != nil {
		t.Errorf("an empty value is %q, %v, %v", v, ok, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name with NUL was taken")
		}
	}()
	j.Space("a\x00b")
}

// "all or nothing": what is not committed is not seen, and a batch is spent once.
func TestBatch_Spent(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	s := j.Space("s")
	b := s.NewBatch()
	b.Set([]byte("k"), []byte("v"))
	if got := keys(t, s); len(got) != 0 {
		t.Errorf("an open batch shows %q", got)
	}
	if err := errors.Join(b.Commit(false), b.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(false); err == nil {
		t.Error("a batch was committed twice")
	}
	b.Set([]byte("k2"), nil)
	if _, _, err := b.Get([]byte("k")); err == nil {
		t.Error("a committed batch was read")
	}
	dropped := s.NewBatch()
	dropped.Delete([]byte("k"))
	if err := dropped.Close(); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, s); !slices.Equal(got, []string{"k=v"}) {
		t.Errorf("the space holds %q", got)
	}
	for range 2 {
		empty := s.NewBatch()
		if err := empty.Commit(true); err != nil {
			t.Error(err)
		}
	}
}

// A scan is of one moment, and others may write and read meanwhile.
func TestSpace_ScanIsOfOneMoment(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	s := j.Space("s")
	set := func(k, v string) {
		t.Helper()
		b := s.NewBatch()
		b.Set([]byte(k), []byte(v))
		if err := b.Commit(false); err != nil {
			t.Fatal(err)
		}
	}
	set("a", "1")
	set("b", "1")
	var got []string
	for kv, err := range s.Scan(nil, nil, false) {
		if err != nil {
			t.Fatal(err)
		}
		set("b", "2")
		set("c", "2")
		mustAppend(t, j, Append{Stream: "ses_" + string(kv.Key), Events: texts("x")})
		got = append(got, string(kv.Key)+"="+string(kv.Value))
	}
	if !slices.Equal(got, []string{"a=1", "b=1"}) {
		t.Errorf("the scan gave %q", got)
	}
	if got := keys(t, s); !slices.Equal(got, []string{"a=1", "b=2", "c=2"}) {
		t.Errorf("the space holds %q", got)
	}
}

func TestSpace_AfterClose(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	s := j.Space("s")
	b := s.NewBatch()
	b.Set([]byte("k"), nil)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, getErr := s.Get([]byte("k"))
	_, _, batchErr := b.Get([]byte("k"))
	if commitErr := b.Commit(true); !errors.Is(getErr, ErrClosed) || !errors.Is(batchErr, ErrClosed) || !errors.Is(commitErr, ErrClosed) {
		t.Errorf("after Close: %v, %v, %v", getErr, batchErr, commitErr)
	}
	for _, err := range s.Scan(nil, nil, false) {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("a scan gave %v", err)
		}
	}
}
