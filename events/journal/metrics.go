package journal

import dto "github.com/prometheus/client_model/go"

// Metrics are counts since Open.
type Metrics struct {
	// Appends and Events are those that are on disk.
	Appends uint64
	Events  uint64
	// Syncs are syncs of the write-ahead log; appends of all streams share them.
	Syncs uint64
}

// Metrics are counts since Open. A closed journal counts no syncs.
func (j *Journal) Metrics() Metrics {
	m := Metrics{Appends: j.appends.Load(), Events: j.events.Load()}
	if !j.gate.enter() {
		return m
	}
	defer j.gate.leave()
	var h dto.Metric
	if j.db.Metrics().LogWriter.FsyncLatency.Write(&h) == nil {
		m.Syncs = h.GetHistogram().GetSampleCount()
	}
	return m
}
