package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// A table is printed in columns when it is flushed.
type table struct{ w *tabwriter.Writer }

func newTable(out io.Writer, title string, columns ...string) *table {
	fmt.Fprintln(out, title)
	t := &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
	fmt.Fprintln(t.w, strings.Join(columns, "\t")+"\t")
	return t
}

// row prints numbers with three digits that count.
func (t *table) row(cells ...any) {
	for _, c := range cells {
		if x, ok := c.(float64); ok {
			c = digits(x)
		}
		fmt.Fprintf(t.w, "%v\t", c)
	}
	fmt.Fprintln(t.w)
}

func (t *table) flush() error { return t.w.Flush() }

func digits(x float64) string {
	switch {
	case x >= 100 || x <= -100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10 || x <= -10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// median of an even number is the mean of the two in the middle; of nothing, 0.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}
