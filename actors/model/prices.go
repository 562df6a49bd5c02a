package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"math/bits"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/plainfile"
)

// PricesFile is the file at a project's root that overrides or adds prices.
const PricesFile = "bdk.prices.json"

// A Price is in units of 1e-12 US dollars for one token, which is the same number
// as millionths of a dollar for a million tokens.
type Price struct {
	Input      int64
	CacheRead  int64
	CacheWrite int64
	Output     int64
}

// A PriceTable is Prices by full model id. It never changes.
type PriceTable struct {
	prices map[string]Price
}

var _ Prices = (*PriceTable)(nil)

// ListPrices are the prices that ship with this build, as of ListPricesDate.
func ListPrices() *PriceTable { return &PriceTable{prices: listPrices} }

// LoadPrices gives the list prices with those of dir's PricesFile over them; a
// missing file is none. An error names the file and the field.
func LoadPrices(dir string) (*PriceTable, error) {
	file := filepath.Join(dir, PricesFile)
	data, err := plainfile.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return ListPrices(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading prices: %w", err)
	}
	t, err := ListPrices().With(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// With gives a table with these prices over those of t. data is an object of
// objects, US dollars for a million tokens:
//
//	{"openai/gpt-5": {"input": 1.25, "cacheRead": 0.125, "output": 10}}
//
// input and output are required; cacheRead and cacheWrite default to input. A
// price has at most six decimals.
func (t *PriceTable) With(data []byte) (*PriceTable, error) {
	own, err := parsePrices(data)
	if err != nil {
		return nil, err
	}
	all := make(map[string]Price, len(t.prices)+len(own))
	for _, from := range []map[string]Price{t.prices, own} {
		for name, p := range from {
			all[name] = p
		}
	}
	return &PriceTable{prices: all}, nil
}

// dated is the end of a snapshot's name, which costs what the model costs.
var dated = regexp.MustCompile(`-20\d\d-\d\d-\d\d$`)

// Price gives ok=false for a model that the table has not, and for counts that
// make no sense. The scripted model costs nothing, nor does a replay, whatever usage
// was recorded.
func (t *PriceTable) Price(modelName string, u events.Usage) (picoUSD int64, ok bool) {
	if modelName == "scripted" || modelName == "replay" {
		return 0, true
	}
	p, ok := t.prices[modelName]
	if !ok {
		p, ok = t.prices[dated.ReplaceAllString(modelName, "")]
	}
	if !ok {
		return 0, false
	}
	for _, part := range [][2]int64{
		{u.InputTokens, p.Input}, {u.CacheReadTokens, p.CacheRead}, {u.CacheWriteTokens, p.CacheWrite}, {u.OutputTokens, p.Output},
	} {
		product, fits := multiply(part[0], part[1])
		sum := picoUSD + product
		if !fits || sum < picoUSD {
			return 0, false
		}
		picoUSD = sum
	}
	return picoUSD, true
}

// multiply says whether the numbers are not negative and their product fits.
func multiply(a, b int64) (int64, bool) {
	if a < 0 || b < 0 {
		return 0, false
	}
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int64(low), high == 0 && low <= 1<<63-1
}

func parsePrices(data []byte) (map[string]Price, error) {
	var models map[string]json.RawMessage
	if err := decodeOne(bytes.TrimPrefix(data, []byte("\uFEFF")), &models); err != nil {
		return nil, fmt.Errorf("must be an object of models: %w", err)
	}
	prices := map[string]Price{}
	names := make([]string, 0, len(models))
	for name := range models {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p, err := parsePrice(models[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		prices[name] = p
	}
	return prices, nil
}

func parsePrice(raw json.RawMessage) (Price, error) {
	var fields map[string]json.RawMessage
	if err := decodeOne(raw, &fields); err != nil || fields == nil {
		return Price{}, errors.New("must be an object with input, cacheRead, cacheWrite, output, each a number of US dollars for a million tokens")
	}
	var p Price
	into := map[string]*int64{"input": &p.Input, "cacheRead": &p.CacheRead, "cacheWrite": &p.CacheWrite, "output": &p.Output}
	for name, raw := range fields {
		if into[name] == nil {
			return Price{}, fmt.Errorf("unknown field %q; it may have input, cacheRead, cacheWrite, output", name)
		}
		units, err := parseUnits(string(raw))
		if err != nil {
			return Price{}, fmt.Errorf("%s: %w", name, err)
		}
		*into[name] = units
	}
	for _, name := range []string{"input", "output"} {
		if _, ok := fields[name]; !ok {
			return Price{}, fmt.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{"cacheRead", "cacheWrite"} {
		if _, ok := fields[name]; !ok {
			*into[name] = p.Input
		}
	}
	return p, nil
}

var plainNumber = regexp.MustCompile(`^-?[0-9]{1,12}(\.[0-9]{1,12})?$`)

// parseUnits turns dollars into millionths of a dollar, exactly.
func parseUnits(n string) (int64, error) {
	dollars, ok := new(big.Rat).SetString(n)
	if !ok || !plainNumber.MatchString(n) {
		return 0, fmt.Errorf("%.40s is no plain number", n)
	}
	units := dollars.Mul(dollars, big.NewRat(1_000_000, 1))
	switch {
	case units.Sign() < 0:
		return 0, fmt.Errorf("%s is negative", n)
	case !units.IsInt():
		return 0, fmt.Errorf("%s has more than six decimals", n)
	case units.Cmp(big.NewRat(1e12, 1)) > 0:
		return 0, fmt.Errorf("%s is more than a million dollars", n)
	}
	return units.Num().Int64(), nil
}

// decodeOne reads one JSON value in which each key of the outer object stands once.
func decodeOne(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind it")
	}
	return twice(data)
}

func twice(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if seen[name] {
			return fmt.Errorf("%q stands there twice", name)
		}
		seen[name] = true
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return err
		}
	}
	return nil
}
