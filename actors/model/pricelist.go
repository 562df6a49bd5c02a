package model

// ListPricesDate is when the table was written. Prices change; what a project
// relies on belongs into its own PricesFile.
const ListPricesDate = "2026-11-30"

// listPrices are the standard rates that the providers publish on their price
// pages (openai.com/api/pricing, anthropic.com/pricing). Models whose rate depends
// on the length of the prompt are left out: an unknown price is better than a wrong
// one. OpenAI charges nothing more for writing to its cache.
var listPrices = map[string]Price{
	"openai/gpt-5":        dollars(1.25, 0.125, 1.25, 10),
	"openai/gpt-5-mini":   dollars(0.25, 0.025, 0.25, 2),
	"openai/gpt-5-nano":   dollars(0.05, 0.005, 0.05, 0.40),
	"openai/gpt-5.1":      dollars(1.25, 0.125, 1.25, 10),
	"openai/gpt-5.2":      dollars(1.75, 0.175, 1.75, 14),
	"openai/gpt-4.1":      dollars(2, 0.50, 2, 8),
	"openai/gpt-4.1-mini": dollars(0.40, 0.10, 0.40, 1.60),
	"openai/gpt-4.1-nano": dollars(0.10, 0.025, 0.10, 0.40),
	"openai/gpt-4o":       dollars(2.50, 1.25, 2.50, 10),
	"openai/gpt-4o-mini":  dollars(0.15, 0.075, 0.15, 0.60),
	"openai/o1":           dollars(15, 7.50, 15, 60),
	"openai/o3":           dollars(2, 0.50, 2, 8),
	"openai/o3-mini":      dollars(1.10, 0.55, 1.10, 4.40),
	"openai/o4-mini":      dollars(1.10, 0.275, 1.10, 4.40),

	"anthropic/claude-opus-4-1":  dollars(15, 1.50, 18.75, 75),
	"anthropic/claude-opus-4-5":  dollars(5, 0.50, 6.25, 25),
	"anthropic/claude-haiku-4-5": dollars(1, 0.10, 1.25, 5),
}

// dollars takes US dollars for a million tokens. All prices above are exact in
// thousandths, so that the rounding here changes none.
func dollars(input, cacheRead, cacheWrite, output float64) Price {
	units := func(d float64) int64 { return int64(d*1000+0.5) * 1000 }
	return Price{Input: units(input), CacheRead: units(cacheRead), CacheWrite: units(cacheWrite), Output: units(output)}
}
