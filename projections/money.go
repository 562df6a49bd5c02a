package projections

import "math"

// An amount is money in units of 1e-12 US dollars: sums of it are exact, and it
// is rounded once, when it is shown.
type amount int64

const (
	amountsPerUSD = 1e12
	maxUSD        = 1e6
)

// amountOf is false for what is no price: negative, not a number, or beyond a million dollars.
func amountOf(usd float64) (amount, bool) {
	if !(usd >= 0 && usd <= maxUSD) {
		return 0, false
	}
	return amount(math.Round(usd * amountsPerUSD)), true
}

// plus stops at the largest amount that there is, some 9.2 million dollars.
func (a amount) plus(b amount) amount {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (a amount) usd() float64 { return float64(a) / amountsPerUSD }
