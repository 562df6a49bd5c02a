package journal

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// expireRun is how many claims are swept while appends wait.
const expireRun = 64

// Expire deletes the claims whose time was over at now, and gives their number.
// Nobody sees a difference but the disk: an expired claim holds nothing.
func (j *Journal) Expire(now time.Time) (n int, err error) {
	from := []byte{kindExpiry}
	for from != nil && err == nil {
		var k int
		err = j.write(func() (err error) {
			k, from, err = j.expireRun(from, expiryKey(now.UnixNano()+1, ""))
			return err
		})
		n += k
	}
	return n, err
}

// expireRun sweeps some claims and gives where to go on, nil at the end. No claim
// is made meanwhile, so none is swept that was just made anew.
func (j *Journal) expireRun(from, to []byte) (n int, next []byte, err error) {
	j.order.Lock()
	defer j.order.Unlock()
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return 0, nil, fmt.Errorf("journal: sweeping claims: %w", err)
	}
	b := j.db.NewBatch()
	seen := 0
	for ok := it.First(); ok; ok = it.Next() {
		if seen++; seen > expireRun {
			next = append(next, it.Key()...)
			break
		}
		swept, err := j.sweep(b, it.Key())
		if err != nil {
			return 0, nil, errorsFirst(err, errorsFirst(it.Close(), b.Close()))
		}
		n += b2i(swept)
	}
	if err := it.Close(); err != nil {
		return 0, nil, errorsFirst(fmt.Errorf("journal: sweeping claims: %w", err), b.Close())
	}
	return n, next, errorsFirst(b.Commit(pebble.NoSync), b.Close())
}

// sweep deletes what one expiry names, unless the key was claimed anew.
func (j *Journal) sweep(b *pebble.Batch, expiry []byte) (bool, error) {
	key := string(expiry[9:])
	h, flying, err := j.holderOf(key)
	if err != nil || flying {
		return false, err
	}
	if err := b.Delete(expiry, nil); err != nil {
		return false, err
	}
	if h == nil || uint64(h.until) != binary.BigEndian.Uint64(expiry[1:]) {
		return false, nil
	}
	return true, b.Delete(plainKey(kindClaim, key), nil)
}
