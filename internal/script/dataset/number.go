package dataset

import (
	"strconv"
	"strings"
)

// carries gives a decimal number as JavaScript has it, or says why it cannot carry it: it
// is too large, or a whole one whose digits it would change. Fractions are rounded
// everywhere, and pass.
func carries(text string) (n float64, fault string) {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		fault = "has the number " + text + ", which is too large for JavaScript: put quotes around it"
	case !KeepsDigits(text, n):
		fault = "has the number " + text + ", which JavaScript would round to " + strconv.FormatFloat(n, 'f', -1, 64) + ": put quotes around it"
	}
	return n, fault
}

// KeepsDigits says whether JavaScript writes a whole decimal number, whose value is n,
// with the same digits. Fractions are rounded everywhere, and pass.
func KeepsDigits(text string, n float64) bool {
	digits, power := normal(text)
	if power < 0 {
		return true
	}
	same, samePower := normal(strconv.FormatFloat(n, 'e', -1, 64))
	return digits == same && power == samePower
}

// normal writes a number as digits without zeros at either end, and the power of ten that
// they are multiplied with. The sign is left out; so is that of zero.
func normal(text string) (digits string, power int) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimLeft(text, "+-")), "e")
	power, _ = strconv.Atoi(exponent) // absent: 0
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits = strings.TrimRight(all, "0")
	if digits == "" {
		return "", 0
	}
	return digits, power - len(fraction) + len(all) - len(digits)
}
