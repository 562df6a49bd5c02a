package oauth

import (
	"crypto/cipher"
	"net/http"
	"sync"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// A Keeper keeps what must survive the process. The journal's key spaces do.
type Keeper interface {
	Get(key string) (value string, ok bool, err error)
	Put(key, value string) error
	Delete(key string) error
}

// Options of a Manager. Secret and Keeper are required.
type Options struct {
	// Secret is 32 bytes that nobody else has; what was kept with another is forgotten.
	Secret []byte
	Keeper Keeper
	// Name is what servers tell people who asks. Defaults to "bdk".
	Name string
	// Transport reaches the address of a connection, which its author wrote. What a
	// server points at is reached through a guard. Defaults to http.DefaultTransport.
	Transport http.RoundTripper
	// Clock defaults to the machine's.
	Clock clock.Clock
}

// EnsureDefaults fills what was left out.
func (o *Options) EnsureDefaults() {
	if o.Name == "" {
		o.Name = "bdk"
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
}

// A Target is a connection that needs tokens.
type Target struct {
	// Agent is the slug, Connection the name.
	Agent, Connection string
	URL               string
	// ClientID, ClientSecret and Scopes are the author's; empty ones are found. A
	// ClientID that is an https URL is the address of a client's metadata document.
	ClientID, ClientSecret string
	Scopes                 []string
}

func (t *Target) key() string { return t.Agent + "/" + t.Connection }

// A NeededError says that nobody has authorized a connection, or not any more.
type NeededError struct{ Connection string }

// Error says what to do.
func (e *NeededError) Error() string { return "Reconnect " + e.Connection }

// NeedsGrant says to the clients of connections what the error means.
func (e *NeededError) NeedsGrant() {}

// A Manager obtains, keeps and renews the tokens of a host's connections. It is
// safe for concurrent use.
type Manager struct {
	o    Options
	seal cipher.AEAD

	mu    sync.Mutex
	holds map[string]*hold
	flows map[string]*flow // state → what was begun
	// failed are the newest returns that were of no use, by connection.
	failed map[string]Failure
}

// A hold is what is known of one connection. Whoever has its turn may change it.
type hold struct {
	turn  chan struct{} // holds one token
	grant *grant
	// url is the one for which grant is what is kept; empty: it was not read.
	url string
	// asked is the newest challenge of the server.
	asked challenge
	// changed is closed when somebody has authorized.
	changed chan struct{}
}

// New gives a manager.
func New(o *Options) (*Manager, error) {
	opts := *o
	opts.EnsureDefaults()
	seal, err := newSeal(opts.Secret)
	if err != nil {
		return nil, err
	}
	return &Manager{o: opts, seal: seal, holds: map[string]*hold{}, flows: map[string]*flow{}, failed: map[string]Failure{}}, nil
}

func (m *Manager) hold(t *Target) *hold {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.holds[t.key()]
	if h == nil {
		h = &hold{turn: make(chan struct{}, 1), changed: make(chan struct{})}
		m.holds[t.key()] = h
	}
	return h
}

func (m *Manager) now() time.Time { return m.o.Clock.Now() }
