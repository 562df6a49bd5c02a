package oauth

import "time"

// A Failure is why the newest return from an authorization server was of no use.
type Failure struct {
	At    time.Time
	Cause error
}

// note remembers how a return ended, for as long as the process lives.
func (m *Manager) note(t *Target, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		delete(m.failed, t.key())
		return
	}
	m.failed[t.key()] = Failure{m.now(), err}
}

// Failed is the newest failure of a connection since somebody has authorized it; its
// zero value: there is none.
func (m *Manager) Failed(t Target) Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed[t.key()]
}
