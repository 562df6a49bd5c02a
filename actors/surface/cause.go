package surface

import (
	"errors"
	"net/url"
	"time"
)

// CauseOf is why a platform gave no answer, without the URL, which may bear a signature.
// Limit is how long the client waits for one.
func CauseOf(err error, limit time.Duration) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return "it took longer than " + limit.String()
		}
		err = wrapped.Err
	}
	return err.Error()
}
