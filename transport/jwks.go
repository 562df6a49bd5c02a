package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
)

const (
	jwksTime  = 5 * time.Second  // for one fetch
	jwksBytes = 512 << 10        // of a set
	jwksKeys  = 100              // of a set; more are not looked at
	jwksFresh = 15 * time.Minute // after which a set is fetched again
	jwksPause = 10 * time.Second // between two fetches, whatever tokens name
	jwksHops  = 3                // redirects that are followed
)

// jwks is the set of keys at an address. It is fetched when a token asks for it, by
// one request while others wait, and an older set goes on where that fails.
type jwks struct {
	url    string
	client *http.Client
	logger zerolog.Logger
	now    func() time.Time

	fetching sync.Mutex // held while a set is fetched

	mu      sync.Mutex
	keys    *jwkSet // nil until a set was fetched
	fetched time.Time
	tried   time.Time
}

// A jwkSet is one set as it was fetched.
type jwkSet struct{ find jwt.Keyfunc }

func newJWKS(url string, logger zerolog.Logger, now func() time.Time) *jwks {
	return &jwks{url: url, logger: logger, now: now, client: &http.Client{
		Timeout:       jwksTime,
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: 32 << 10},
		CheckRedirect: followJWKS,
	}}
}

func followJWKS(r *http.Request, via []*http.Request) error {
	if len(via) > jwksHops {
		return errors.New("too many redirects")
	}
	return agent.CheckJWKSURL(r.URL.String())
}

// keyfunc finds the key of a token, in a newer set where the one at hand has it not.
func (j *jwks) keyfunc(ctx context.Context) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		keys, err := j.current(ctx)
		if err != nil {
			return nil, err
		}
		key, err := keys.find(t)
		if !errors.Is(err, jwkset.ErrKeyNotFound) {
			return key, err
		}
		if keys, err = j.newer(ctx, keys); err != nil {
			return nil, err
		}
		return keys.find(t)
	}
}

func (j *jwks) at() (keys *jwkSet, fresh, mayTry bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	return j.keys, j.keys != nil && now.Sub(j.fetched) < jwksFresh, j.tried.IsZero() || now.Sub(j.tried) >= jwksPause
}

var errNoKeys = errors.New("the keys could not be fetched")

// current gives a set that is fresh, or else the best there is.
func (j *jwks) current(ctx context.Context) (*jwkSet, error) {
	keys, fresh, _ := j.at()
	if fresh {
		return keys, nil
	}
	return j.newer(ctx, keys)
}

// newer fetches the set again, unless that was done just now or another request does
// it and there is an older set to go on with.
func (j *jwks) newer(ctx context.Context, had *jwkSet) (*jwkSet, error) {
	if had == nil {
		j.fetching.Lock()
	} else if !j.fetching.TryLock() {
		return had, nil
	}
	defer j.fetching.Unlock()
	keys, fresh, mayTry := j.at()
	if mayTry && (keys == had || !fresh) {
		keys = j.refresh(ctx, keys)
	}
	if keys == nil {
		return nil, errNoKeys
	}
	return keys, nil
}

// refresh fetches the set. A caller that goes away meanwhile does not end that.
func (j *jwks) refresh(ctx context.Context, had *jwkSet) *jwkSet {
	raw, err := j.fetch(context.WithoutCancel(ctx))
	var keys *jwkSet
	if err == nil {
		keys, err = j.parse(raw)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tried = j.now()
	if err != nil {
		j.logger.Error().Err(err).Str("url", j.url).Bool("older", had != nil).Msg("the keys that sign tokens could not be fetched")
		return had
	}
	j.keys, j.fetched = keys, j.tried
	return keys
}

func (j *jwks) fetch(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, j.url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := j.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %s", res.Status)
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, jwksBytes+1))
	if len(b) > jwksBytes {
		return nil, fmt.Errorf("the set has more than %d bytes", jwksBytes)
	}
	return b, err
}

// parse takes the public keys of a set that can sign; others may stand beside them.
func (j *jwks) parse(raw []byte) (*jwkSet, error) {
	var set struct{ Keys []json.RawMessage }
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, fmt.Errorf("the set is no JSON: %w", err)
	}
	store, n := jwkset.NewMemoryStorage(), 0
	for i, one := range set.Keys[:min(len(set.Keys), jwksKeys)] {
		key, err := parseJWK(one, i)
		if err != nil {
			j.logger.Debug().Err(err).Str("url", j.url).Int("key", i).Msg("a key of a set is not used")
			continue
		}
		if err := store.KeyWrite(context.Background(), key); err != nil {
			return nil, err
		}
		n++
	}
	if n == 0 {
		return nil, errors.New("the set has no public key that signs")
	}
	found, err := keyfunc.New(keyfunc.Options{Storage: store})
	if err != nil {
		return nil, err
	}
	return &jwkSet{found.Keyfunc}, nil
}

// parseJWK reads one key; its place names it where it has no id.
func parseJWK(raw json.RawMessage, place int) (jwkset.JWK, error) {
	var m jwkset.JWKMarshal
	if err := json.Unmarshal(raw, &m); err != nil {
		return jwkset.JWK{}, err
	}
	if m.KTY == jwkset.KtyOct || m.USE != "" && m.USE != jwkset.UseSig {
		return jwkset.JWK{}, errors.New("it is no public key for signatures")
	}
	if m.KID == "" {
		m.KID = fmt.Sprintf("\x00%d", place)
	}
	m.D, m.P, m.Q, m.DP, m.DQ, m.QI, m.OTH = "", "", "", "", "", "", nil // a published private key is used as a public one
	key, err := jwkset.NewJWKFromMarshal(m, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
	if err != nil {
		return key, err
	}
	return key, agent.CheckPublicKey(key.Key())
}
